"""Starts, watches and stops child processes, and never signals a process it did not start."""

import contextlib
import ctypes
import json
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import psutil
from django.core.exceptions import ImproperlyConfigured

LOG_LIMIT: Final = 5_000_000
PR_SET_PDEATHSIG: Final = 1
# The servers need none of our secrets.
BARE_ENVIRONMENT: Final = {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC"}
# A server that was killed may first have to recover what its log holds.
SERVER_SECONDS: Final = 120.0
# The kernel counts a process's age in ticks and the wall clock may be stepped between two looks;
# no process id comes round again within this many seconds.
SAME_BIRTH: Final = 2.0


def write_private(path: Path, content: dict[str, Any]) -> None:
    """Replace a JSON file as a whole, readable by its owner only, and safe against power loss."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(content, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    """A JSON object from a file; raises ImproperlyConfigured naming the file if it is none."""
    try:
        content = json.loads(path.read_text())
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ImproperlyConfigured(f"{path} is damaged: put it back from your backup.")
    return content


@dataclass(frozen=True)
class Program:
    """How to run one child: `stop` is the signal that ends it politely, within `patience` s.

    Signal 0 means that it ends by itself and should be let.
    """

    name: str
    argv: list[str]
    env: dict[str, str]
    cwd: Path
    log: Path
    stop: int = signal.SIGTERM
    patience: float = 10
    account: str | None = None


def _end_with_parent(wish: int) -> Callable[[], None] | None:
    """What the new process does before exec, so that a killed supervisor leaves no orphans."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(PR_SET_PDEATHSIG, wish)
        if os.getppid() != parent:  # it died before the kernel knew what to do
            os._exit(1)

    return ask


def spawn(
    program: Program, *, tied: bool = True, stdout: int | None = None
) -> subprocess.Popen[bytes]:
    """Start it in a session of its own: a terminal's Ctrl-C reaches only the supervisor.

    `tied` ends the child with its parent thread; call it from the main thread. `stdout` is for an
    answer that must not stay in a log.
    """
    program.log.parent.mkdir(mode=0o700, exist_ok=True)
    if program.log.exists() and program.log.stat().st_size > LOG_LIMIT:
        program.log.replace(program.log.with_suffix(".log.1"))
    with program.log.open("ab") as log:
        return subprocess.Popen(
            program.argv,
            env=program.env,
            cwd=program.cwd,
            stdin=subprocess.DEVNULL,
            stdout=stdout or log,
            stderr=log,
            start_new_session=True,
            preexec_fn=_end_with_parent(program.stop) if tied else None,
            **as_account(program.account),
        )


def as_account(name: str | None) -> dict[str, Any]:
    """Arguments for `subprocess` that run it as the named account and in no other group."""
    if name is None:
        return {}
    entry = pwd.getpwnam(name)
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def last_lines(program: Program, count: int = 15) -> str:
    """The end of its log, for an error report."""
    with program.log.open("rb") as file:
        file.seek(max(0, program.log.stat().st_size - 16_000))
        lines = file.read().decode(errors="replace").splitlines()
    shown = "".join(f"\n  | {line}" for line in lines[-count:])
    return f"The end of {program.log}:{shown}"


@dataclass
class Birth:
    """A process and when it was born; together they are never another process."""

    pid: int
    created: float
    stop: int = signal.SIGTERM
    patience: float = 10

    @classmethod
    def of(cls, pid: int, program: Program) -> "Birth":
        created = psutil.Process(pid).create_time()
        return cls(pid, created, program.stop, program.patience)

    def process(self) -> psutil.Process | None:
        """The very process, if it still runs."""
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.created) < SAME_BIRTH
        except psutil.NoSuchProcess:
            return None
        return process if same and _runs(process) else None

    def end(self) -> None:
        """Stop it politely, then, after its patience, kill it and all that it started."""
        process = self.process()
        if process is None:
            return
        with contextlib.suppress(psutil.NoSuchProcess):
            family = process.children(recursive=True)
            process.send_signal(self.stop)
            if _ended([process], self.patience):
                _ended(family, seconds=2)
            for survivor in (process, *family):
                with contextlib.suppress(psutil.NoSuchProcess):
                    survivor.kill()


def _runs(process: psutil.Process) -> bool:
    """A zombie has ended; in a container its new parent may take seconds to notice."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _ended(processes: list[psutil.Process], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while any(_runs(process) for process in processes):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


@dataclass
class Roster:
    """What runs on a data directory, kept on disk so that a later start can clean up after it."""

    path: Path
    address: str = ""
    births: dict[str, Birth] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "Roster":
        content = read_json(path) if path.exists() else {}
        births = {name: Birth(**birth) for name, birth in content.get("children", {}).items()}
        return cls(path, content.get("address", ""), births)

    def write(self) -> None:
        children = {name: vars(birth) for name, birth in self.births.items()}
        write_private(self.path, {"address": self.address, "children": children})

    def add(self, program: Program, pid: int) -> None:
        self.births[program.name] = Birth.of(pid, program)
        self.write()

    def remove(self, program: Program) -> None:
        self.births.pop(program.name)
        self.write()

    def end_all(self, say: Callable[[str], None] = lambda _: None) -> list[str]:
        """Stop everything recorded, last started first; returns the names of what still ran."""
        alive = [name for name, birth in self.births.items() if birth.process()]
        for name in reversed(alive):
            say(f"Stopping {name} …")
            self.births[name].end()
        self.births.clear()
        self.path.unlink(missing_ok=True)
        return alive


def wait_until(
    ready: Callable[[], bool],
    watched: Iterable[tuple[Program, subprocess.Popen[bytes]]],
    seconds: float,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Poll until it is ready.

    Raises RuntimeError with the end of its log if a watched process ends first, and TimeoutError.
    """
    deadline = time.monotonic() + seconds
    while not ready():
        for program, process in watched:
            if process.poll() is not None:
                raise RuntimeError(f"{program.name} ended while starting. {last_lines(program)}")
        if time.monotonic() > deadline:
            raise TimeoutError(f"This took more than {seconds:.0f} s.")
        pause(0.05)
