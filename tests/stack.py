"""The stack under test: the program that `make up` starts, on a data folder of its own."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 180
STOP_SECONDS = 60
# The suite offers wrong credentials by the hundred from one address; the limits have tests of their
# own, in process.
TEST_LIMITS = {
    "MEMORYHUB_RATE_LIMIT": "1000000/minute",
    "MEMORYHUB_FAILED_SIGN_IN_LIMIT": "1000000/minute",
}


def free_port() -> int:
    """A loopback port that nobody listens on at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Stack:
    """A running MemoryHub: PostgreSQL, Valkey, web server, worker and beat."""

    data_dir: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.data_dir.with_suffix(".log")

    def start(self) -> None:
        """Start and wait until it says that it is up; its output goes to `log`."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("MEMORYHUB_")
        }
        environment |= TEST_LIMITS | {
            "MEMORYHUB_DATA_DIR": str(self.data_dir),
            "PORT": str(self.port),
        }
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "memoryhub.supervisor"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait_until_up()

    def _wait_until_up(self) -> None:
        assert self.process is not None
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the stack ended while starting:\n{self.log.read_text()}")
            if f"is ready at {self.url}" in self.log.read_text():
                return
            time.sleep(0.2)
        self.stop()
        raise RuntimeError(f"the stack is not up after {START_SECONDS} s:\n{self.log.read_text()}")

    def demo_key(self) -> str:
        """The API key of the stack's demo tenant."""
        return str(json.loads((self.data_dir / "demo.json").read_text())["api_key"])

    def stop(self) -> None:
        """Ask it to stop, as Ctrl-C does, and wait."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(STOP_SECONDS)

    def remove(self) -> None:
        """Delete the data folder and the log."""
        shutil.rmtree(self.data_dir.parent)


def temporary_stack() -> Stack:
    """A stack on a fresh data folder under the system's temporary folder."""
    return Stack(Path(tempfile.mkdtemp(prefix="memoryhub-test-")) / "data")
