"""What `make up` promises: one start, one clean stop, no orphans, nothing lost, clear refusals."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg
import pytest
import redis

from memoryhub import embedded, processes, supervisor, valkey_server
from memoryhub.address import Address
from memoryhub.env import REPOSITORY
from memoryhub.processes import Birth, Program, Roster
from tests.stack import free_port

START_SECONDS = 120
STOP_SECONDS = 90
NAMES = ["postgres", "valkey", "worker", "web", "beat"]


@dataclass
class Hub:
    """A supervisor on a data directory, as `make up` starts it."""

    data_dir: Path
    port: int
    given: dict[str, str]
    process: subprocess.Popen[str] | None = None

    def spawn(self) -> subprocess.Popen[str]:
        mine = {k: v for k, v in os.environ.items() if not k.startswith("MEMORYHUB_")}
        return subprocess.Popen(
            [sys.executable, "-m", "memoryhub.supervisor"],
            cwd=REPOSITORY,
            env={
                **mine,
                "PORT": str(self.port),
                "MEMORYHUB_DATA_DIR": str(self.data_dir),
                **self.given,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def start(self) -> str:
        """Start it, and give what it printed until it was ready."""
        self.process = self.spawn()
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if "stop" in line and "Ctrl-C" in line:
                return "".join(lines)
        raise AssertionError(f"It ended while starting:\n{''.join(lines)}")

    def refusal(self) -> str:
        """What it says when it does not start."""
        process = self.spawn()
        said, _ = process.communicate(timeout=START_SECONDS)
        assert process.returncode == 1, said
        assert "Traceback" not in said
        return said

    def stop(self, wish: signal.Signals = signal.SIGTERM) -> str:
        assert self.process is not None
        self.process.send_signal(wish)
        said, _ = self.process.communicate(timeout=STOP_SECONDS)
        assert self.process.returncode == 0, said
        return said

    def end(self) -> None:
        """Leave nothing behind, whatever state a test left it in."""
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.terminate()
        self.process.communicate(timeout=STOP_SECONDS)

    def children(self) -> dict[str, psutil.Process]:
        births = Roster.read(self.data_dir / "running.json").births
        found = {name: birth.process() for name, birth in births.items()}
        return {name: process for name, process in found.items() if process}

    def family(self) -> list[psutil.Process]:
        assert self.process is not None
        return psutil.Process(self.process.pid).children(recursive=True)

    def status(self) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """One that the test starts, and may kill."""
    hub = Hub(tmp_path / "data", free_port(), {})
    yield hub
    hub.end()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """One that runs; a test leaves it running and well."""
    hub = Hub(tmp_path_factory.mktemp("running") / "data", free_port(), {})
    hub.start()
    yield hub
    hub.end()


def wait_for(true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)


def kill(processes: Iterable[psutil.Process]) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):  # it fell with the one before it
            process.kill()


def ended(processes: list[psutil.Process]) -> bool:
    def alive(process: psutil.Process) -> bool:
        try:
            return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    return not any(alive(process) for process in processes)


def test_one_command_starts_everything_and_sigterm_stops_it_in_order(hub: Hub) -> None:
    said = hub.start()
    family = hub.family()

    assert f"http://127.0.0.1:{hub.port}" in said
    assert re.search(r"sign in +\S+ +password +\S+", said)
    assert re.search(r"API key +\S+", said)
    assert hub.status() == 200
    assert list(hub.children()) == NAMES
    for name in ("secrets.json", "environment.json", "running.json"):
        assert (hub.data_dir / name).stat().st_mode & 0o077 == 0

    said = hub.stop()

    assert re.findall(r"Stopping (\w+)", said) == ["beat", "web", "worker", "valkey", "postgres"]
    assert ended(family)
    assert not (hub.data_dir / "running.json").exists()
    assert not (hub.data_dir / "environment.json").exists()


def test_a_second_start_on_the_same_data_says_where_the_first_one_is(running: Hub) -> None:
    said = Hub(running.data_dir, free_port(), {}).refusal()

    assert f"already running on {running.data_dir}, at http://127.0.0.1:{running.port}" in said
    assert running.status() == 200


def test_what_was_written_survives_a_kill_of_every_process(hub: Hub) -> None:
    hub.start()
    with psycopg.connect(embedded.superuser_url(hub.data_dir), autocommit=True) as server:
        server.execute("CREATE TABLE kept AS SELECT 'in PostgreSQL' AS word")
    with redis.Redis.from_url(valkey_server.url(hub.data_dir), decode_responses=True) as client:
        client.set("kept", "in Valkey")

    assert hub.process is not None
    family = hub.family()
    kill([psutil.Process(hub.process.pid), *family])
    hub.process.communicate()
    wait_for(lambda: ended(family))
    hub.start()

    with psycopg.connect(embedded.superuser_url(hub.data_dir)) as server:
        assert server.execute("SELECT word FROM kept").fetchone() == ("in PostgreSQL",)
    with redis.Redis.from_url(valkey_server.url(hub.data_dir), decode_responses=True) as client:
        assert client.get("kept") == "in Valkey"


def test_a_killed_supervisor_leaves_no_orphans(hub: Hub) -> None:
    hub.start()
    assert hub.process is not None
    family = hub.family()

    hub.process.kill()
    hub.process.communicate()

    wait_for(lambda: ended(family), seconds=STOP_SECONDS)


def test_a_child_that_dies_is_started_again(running: Hub) -> None:
    before = running.children()

    kill(before.values())

    wait_for(lambda: len(running.children()) == len(NAMES) and running.status() == 200)
    assert not set(before.values()) & set(running.children().values())


def test_it_gives_up_on_a_child_that_keeps_dying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "MOST_DEATHS", 3)
    one = supervisor.Supervisor(tmp_path, Address("127.0.0.1", free_port()))
    log = tmp_path / "logs" / "web.log"
    argv = [sys.executable, "-c", "raise SystemExit('no such table')"]
    one._serve(Program("web", argv, dict(os.environ), tmp_path, log))

    with pytest.raises(RuntimeError, match=r"web died 3 times(.|\n)*no such table"):
        one._watch()


def test_a_port_in_use_is_named_before_any_work(hub: Hub) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", hub.port))
        other.listen()

        assert f"Port {hub.port} is in use: set PORT=" in hub.refusal()
        assert not (hub.data_dir / "postgres").exists()


def test_a_data_directory_that_cannot_be_written_is_named(hub: Hub) -> None:
    (hub.data_dir.parent / "file").write_text("not a directory")
    hub.data_dir = hub.data_dir.parent / "file" / "data"

    said = hub.refusal()

    assert f"{hub.data_dir} cannot be written" in said
    assert "set MEMORYHUB_DATA_DIR" in said


@pytest.mark.parametrize(
    ("variable", "address"),
    [
        ("MEMORYHUB_DATABASE_URL", "postgresql://someone:hunter2@127.0.0.1:1/memories"),
        ("MEMORYHUB_DATABASE_URL", "postgresql://someone:hunter2/memories"),
        ("MEMORYHUB_DATABASE_URL", "mysql://someone:hunter2@127.0.0.1:1/memories"),
        ("MEMORYHUB_REDIS_URL", "redis://:hunter2@127.0.0.1:1/0"),
        ("MEMORYHUB_REDIS_URL", "127.0.0.1:1?password=hunter2"),
    ],
)
def test_a_wrong_address_is_named_without_its_password(
    hub: Hub, variable: str, address: str
) -> None:
    hub.given = {variable: address}

    said = hub.refusal()

    assert variable in said
    assert "hunter2" not in said


def test_it_runs_on_servers_of_ones_own(hub: Hub, tmp_path: Path) -> None:
    servers = tmp_path / "own"
    with embedded.running(servers) as environment:
        with psycopg.connect(embedded.superuser_url(servers), autocommit=True) as server:
            server.execute("CREATE ROLE chief LOGIN SUPERUSER PASSWORD 'chief'")
            server.execute("CREATE DATABASE memories OWNER chief")
        hub.given = {
            "MEMORYHUB_DATABASE_URL": embedded.role_url(servers, "chief", "chief", "memories"),
            "MEMORYHUB_REDIS_URL": environment["MEMORYHUB_REDIS_URL"],
        }

        said = hub.start()

        assert "memoryhub_app" in said
        assert hub.status() == 200
        assert list(hub.children()) == ["worker", "web", "beat"]
        hub.stop(signal.SIGINT)


def test_it_never_signals_a_process_that_only_has_the_same_number(tmp_path: Path) -> None:
    program = Program(
        "stranger", ["sleep", "60"], dict(os.environ), tmp_path, tmp_path / "logs" / "log"
    )
    stranger = processes.spawn(program)
    mine = Birth.of(stranger.pid, program)
    elder = Birth(stranger.pid, mine.created - 60)

    elder.end()
    assert stranger.poll() is None

    mine.end()
    assert stranger.wait() == -signal.SIGTERM
