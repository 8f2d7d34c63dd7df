"""A server that hangs is waited for once; a server that came back is asked again."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
import redis

from tenants import nudges, valkey
from tenants.nudges import nudge


class Hanging:
    """Takes connections and commands and says nothing, until it is told to answer."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.answers = False
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def port(self) -> int:
        port: int = self.listening.getsockname()[1]
        return port

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def close(self) -> None:
        """Take no more connections. Closing alone leaves the socket to whoever waits in accept."""
        with contextlib.suppress(OSError):
            self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()

    def drop(self) -> None:
        """Break off all connections."""
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _talk(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while data := connection.recv(4096):
                if self.answers:
                    connection.sendall(b"+OK\r\n" * data.count(b"*"))


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, as the breaker sees it; the breaker is new."""
    moment = [1_000.0]
    monkeypatch.setattr(valkey, "breaker", valkey.Breaker())
    monkeypatch.setattr(valkey.time, "monotonic", lambda: moment[0])
    return moment


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    server = Hanging()
    yield server
    server.close()


def client_of(server: Hanging) -> redis.Redis:
    url = f"redis://127.0.0.1:{server.port}/0"
    pool = redis.ConnectionPool.from_url(
        url, connection_class=valkey.connection_class(url), socket_timeout=0.2, protocol=2
    )
    return redis.Redis(connection_pool=pool)


def require_refused(client: redis.Redis, times: int = 5) -> None:
    for _ in range(times):
        with pytest.raises(redis.ConnectionError, match="a moment ago"):
            client.execute_command("ECHO", "OK")


def test_nobody_waits_a_second_time_for_a_server_that_hangs(
    now: list[float], hanging: Hanging
) -> None:
    client = client_of(hanging)
    with pytest.raises(redis.TimeoutError):
        client.execute_command("ECHO", "OK")
    assert valkey.breaker.open
    asked = hanging.connections
    require_refused(client)
    assert hanging.connections == asked


def test_after_a_while_one_tries_again_and_the_others_go_on_without(
    now: list[float], hanging: Hanging
) -> None:
    client, other = client_of(hanging), client_of(hanging)
    with pytest.raises(redis.TimeoutError):
        client.execute_command("ECHO", "OK")
    now[0] += valkey.AWAY_SECONDS + 1
    asked = hanging.connections
    valkey.breaker.require_there()  # the turn is taken
    require_refused(other)
    assert hanging.connections == asked


def test_a_server_that_is_back_serves_everybody_again(now: list[float], hanging: Hanging) -> None:
    client = client_of(hanging)
    with pytest.raises(redis.TimeoutError):
        client.execute_command("ECHO", "OK")
    hanging.answers = True
    require_refused(client)
    now[0] += valkey.AWAY_SECONDS + 1
    assert client.execute_command("ECHO", "OK") == b"OK"
    assert not valkey.breaker.open
    assert client_of(hanging).execute_command("ECHO", "OK") == b"OK"


def test_a_server_that_cannot_be_connected_to_is_away(now: list[float], hanging: Hanging) -> None:
    client = client_of(hanging)
    hanging.close()
    with pytest.raises(redis.ConnectionError):
        client.execute_command("ECHO", "OK")
    assert valkey.breaker.open
    require_refused(client)


def test_a_connection_that_breaks_is_made_again(now: list[float], hanging: Hanging) -> None:
    hanging.answers = True
    client = client_of(hanging)
    assert client.execute_command("ECHO", "OK") == b"OK"
    hanging.drop()
    with contextlib.suppress(redis.ConnectionError):
        client.execute_command("ECHO", "OK")
    assert not valkey.breaker.open
    assert client.execute_command("ECHO", "OK") == b"OK"


def test_a_nudge_does_not_wait_for_a_broker_that_is_away(
    now: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Task:
        sent = 0

        def delay(self, *ids: str) -> None:
            self.sent += 1

    task = Task()
    monkeypatch.setattr(nudges, "breaker", valkey.breaker)
    nudge(task)
    with pytest.raises(redis.TimeoutError), valkey.breaker.noticing(redis.TimeoutError):
        raise redis.TimeoutError
    nudge(task)
    assert task.sent == 1


def test_an_address_with_tls_is_connected_to_with_tls() -> None:
    assert issubclass(valkey.connection_class("rediss://host/0"), redis.SSLConnection)
    assert not issubclass(valkey.connection_class("redis://host/0"), redis.SSLConnection)
