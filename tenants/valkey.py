"""Connections to Valkey, which may be away or hang: after one try that failed nobody waits for it
again for a while, and whoever can do without it goes on at once.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from redis.connection import Connection, SSLConnection
from redis.exceptions import ConnectionError as ServerAway
from redis.exceptions import TimeoutError as ServerHangs

AWAY_SECONDS = 5.0
_away_until = 0.0


class WaryConnection(Connection):
    """Raises ConnectionError at once while the server was found to be away a moment ago."""

    def connect(self) -> None:
        _require_there()
        with _noticing():
            super().connect()

    def send_packed_command(self, *args: Any, **options: Any) -> None:
        _require_there()
        super().send_packed_command(*args, **options)

    def read_response(self, *args: Any, **options: Any) -> Any:
        with _noticing():
            return super().read_response(*args, **options)


class WarySSLConnection(WaryConnection, SSLConnection):
    """The same over TLS."""


def connection_class(url: str) -> type[WaryConnection]:
    """What connects to a server at this address."""
    return WarySSLConnection if url.startswith("rediss:") else WaryConnection


def _require_there() -> None:
    if time.monotonic() < _away_until:
        raise ServerAway("The server did not answer a moment ago.")


@contextmanager
def _noticing() -> Iterator[None]:
    global _away_until
    try:
        yield
    except (ServerAway, ServerHangs):
        if time.monotonic() >= _away_until:
            _away_until = time.monotonic() + AWAY_SECONDS
        raise
