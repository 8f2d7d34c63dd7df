"""Connections to Valkey, which may be away or hang. After a try that failed nobody waits for it for
a while, but one that finds out whether it is back; whoever can do without it goes on at once.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from redis.connection import Connection, SSLConnection
from redis.exceptions import ConnectionError as ServerAway
from redis.exceptions import TimeoutError as ServerHangs

log = logging.getLogger(__name__)

AWAY_SECONDS = 5.0


class Breaker:
    """Whether the server was found to be away, and when somebody may try again."""

    def __init__(self) -> None:
        self._away = False
        self._again_at = 0.0
        self._lock = Lock()

    @property
    def open(self) -> bool:
        """Whether the server is away, as far as this process knows."""
        return self._away

    def require_there(self) -> None:
        """Raise ServerAway while the server is away, but for the one whose turn it is to try."""
        if not self._away:
            return
        with self._lock:
            if self._away and time.monotonic() < self._again_at:
                raise ServerAway("The server did not answer a moment ago.")
            self._again_at = time.monotonic() + AWAY_SECONDS

    @contextmanager
    def noticing(self, *signs: type[Exception]) -> Iterator[None]:
        """What is done here shows whether the server is there; these errors say that it is not."""
        try:
            yield
        except signs:
            with self._lock:
                if not self._away:
                    log.warning("Valkey is away: what can do without it goes on")
                self._away, self._again_at = True, time.monotonic() + AWAY_SECONDS
            raise
        if self._away:
            log.warning("Valkey is back")
            self._away = False


breaker = Breaker()


class WaryConnection(Connection):
    """Raises ConnectionError at once while the server is away.

    A connection that breaks says nothing: it is made again. A server that cannot be connected to,
    or does not answer in time, is away.
    """

    _connecting = False

    def connect(self) -> None:
        if self.is_connected:
            return
        breaker.require_there()
        self._connecting = True
        try:
            with breaker.noticing(ServerAway, ServerHangs):
                super().connect()
        finally:
            self._connecting = False

    def send_packed_command(self, *args: Any, **options: Any) -> None:
        # The commands of a greeting belong to the try that was granted already.
        if not self._connecting:
            breaker.require_there()
        super().send_packed_command(*args, **options)

    def read_response(self, *args: Any, **options: Any) -> Any:
        with breaker.noticing(ServerHangs):
            return super().read_response(*args, **options)


class WarySSLConnection(WaryConnection, SSLConnection):
    """The same over TLS."""


def connection_class(url: str) -> type[WaryConnection]:
    """What connects to a server at this address."""
    return WarySSLConnection if url.startswith("rediss:") else WaryConnection
