"""A server that hangs is waited for once; a server that came back is asked again."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest
import redis

from tenants import valkey


class Hanging:
    """Takes connections and commands and says nothing, until it is told to answer."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self.answers = False
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
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            while data := connection.recv(4096):
                if self.answers:
                    connection.sendall(b"+OK\r\n" * data.count(b"*"))


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hanging]:
    monkeypatch.setattr(valkey, "_away_until", 0.0)
    server = Hanging()
    yield server
    server.listening.close()


def client_of(server: Hanging) -> redis.Redis:
    url = f"redis://127.0.0.1:{server.port}/0"
    pool = redis.ConnectionPool.from_url(
        url,
        connection_class=valkey.connection_class(url),
        socket_timeout=0.2,
        protocol=2,
    )
    return redis.Redis(connection_pool=pool)


def test_nobody_waits_a_second_time_for_a_server_that_hangs(hanging: Hanging) -> None:
    client = client_of(hanging)
    with pytest.raises(redis.TimeoutError):
        client.execute_command("ECHO", "OK")
    asked = hanging.connections
    for _ in range(5):
        with pytest.raises(redis.ConnectionError):
            client.execute_command("ECHO", "OK")
    assert hanging.connections == asked


def test_after_a_while_it_is_asked_again(hanging: Hanging, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valkey, "AWAY_SECONDS", 0.0)
    client = client_of(hanging)
    with pytest.raises(redis.TimeoutError):
        client.execute_command("ECHO", "OK")
    hanging.answers = True
    assert client.execute_command("ECHO", "OK") == b"OK"


def test_an_address_with_tls_is_connected_to_with_tls() -> None:
    assert issubclass(valkey.connection_class("rediss://host/0"), redis.SSLConnection)
    assert not issubclass(valkey.connection_class("redis://host/0"), redis.SSLConnection)
