"""Runs the whole of MemoryHub on one machine, which is what `make up` does.

In order: the data directory is locked, what a killed predecessor left running is stopped, the
servers are started (or, with MEMORYHUB_DATABASE_URL and MEMORYHUB_REDIS_URL, asked whether they
answer), the database is migrated, then web server, worker and beat run and are started again when
they die. Everything is stopped in the opposite order, each with the time it needs.
"""

import http
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from memoryhub import (
    database,
    embedded,
    env,
    kept,
    postgres_server,
    processes,
    programs,
    translations,
    valkey_server,
)
from memoryhub.address import Address
from memoryhub.processes import Program, Roster

QUICK_DEATH: Final = 30.0
MOST_DEATHS: Final = 5
READY_SECONDS: Final = 90.0
NEEDS_OWNER: Final = (
    "Set MEMORYHUB_OWNER_DATABASE_URL to the address of the database's owner, so that its tables "
    "can be brought up to date. "
)


class StopAsked(Exception):
    """Somebody asked for the end."""


@dataclass
class Service:
    """A child that has to be running at all times."""

    program: Program
    process: subprocess.Popen[bytes]
    started: float
    deaths: int = 0
    again: float | None = None


class Supervisor:
    """One run on one data directory."""

    def __init__(self, data_dir: Path, address: Address) -> None:
        self.data_dir = data_dir
        self.address = address
        self.roster = Roster(data_dir / "running.json")
        self.services: list[Service] = []
        self.environment: dict[str, str] = {}
        self.began = time.monotonic()
        self.asked = False
        self.answer = ""

    def run(self) -> None:
        """Start, watch, stop; raises ImproperlyConfigured or RuntimeError with what went wrong."""
        for wish in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(wish, self._ask)
        kept.prepare(self.data_dir)
        with kept.alone(self.data_dir) as self.roster:
            try:
                self._start()
                self._watch()
            except StopAsked:
                pass
            finally:
                self._stop()

    def _ask(self, _signal: int, _frame: FrameType | None) -> None:
        # Only noted here: an exception in the middle of starting a child would lose the child.
        self.asked = True

    def say(self, sentence: str) -> None:
        """A line of progress. That nobody reads them any more is no reason to stop."""
        try:
            print(f"[{time.monotonic() - self.began:6.1f} s] {sentence}", flush=True)
        except OSError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115

    # Starting

    def _start(self) -> None:
        self._clean_up()
        self.address.check_free()
        self.roster.address = str(self.address)
        self.roster.write()
        self.environment = {
            **embedded.key_environment(self.data_dir),
            **self._database(),
            **self._redis(),
        }
        for name in embedded.key_environment(self.data_dir):
            self.environment[name] = os.environ.get(name) or self.environment[name]
        processes.write_private(self.data_dir / "environment.json", self.environment)
        self._prepare()
        self.say("Starting web server, worker and beat …")
        settings = {**os.environ, **self.environment}
        for program in programs.services(self.data_dir, settings, self.address.bind):
            self._serve(program)
        self._wait_for_answer()
        self._welcome()

    def _clean_up(self) -> None:
        left = self.roster.end_all()
        if left:
            self.say(f"Stopped what an earlier run had left: {', '.join(left)}.")
        (self.data_dir / "environment.json").unlink(missing_ok=True)

    def _database(self) -> dict[str, str]:
        url = os.environ.get("MEMORYHUB_DATABASE_URL", "")
        if not url:
            self.say("Starting PostgreSQL …")
            program = postgres_server.program(self.data_dir)
            self._serve(program, lambda: postgres_server.answers(self.data_dir))
            embedded.create_database(self.data_dir)
            return embedded.postgres_environment(self.data_dir)
        self.say("Preparing the database in MEMORYHUB_DATABASE_URL …")
        env.database(url)
        owner = os.environ.get("MEMORYHUB_OWNER_DATABASE_URL", "")
        if owner:
            env.database(owner, "MEMORYHUB_OWNER_DATABASE_URL")
            database.prepare(owner, url)
        elif database.is_powerful(url):
            password = kept.secrets(self.data_dir)["application_password"]
            owner, url = url, database.application_url(url, password)
            database.prepare(owner, url, own_role=True)
            self.say(f"Its role owns too much to serve requests: {database.APPLICATION} does that.")
        self.say(f"Keep {self.data_dir / 'secrets.json'} with your backups: it has the keys.")
        found = {"MEMORYHUB_DATABASE_URL": url}
        return found | ({"MEMORYHUB_OWNER_DATABASE_URL": owner} if owner else {})

    def _redis(self) -> dict[str, str]:
        url = os.environ.get("MEMORYHUB_REDIS_URL", "")
        if url:
            database.check_redis(url)
            return {"MEMORYHUB_REDIS_URL": url}
        self.say("Starting Valkey …")
        program = valkey_server.program(self.data_dir)
        self._serve(program, lambda: valkey_server.answers(self.data_dir))
        return embedded.valkey_environment(self.data_dir)

    def _prepare(self) -> None:
        """Migrations and static files, side by side."""
        metrics = self.data_dir / "metrics"
        shutil.rmtree(metrics, ignore_errors=True)
        for directory in (metrics, self.data_dir / "beat"):
            directory.mkdir(mode=0o700, exist_ok=True)
        translations.compile_all()
        self.say("Migrating the database and collecting static files …")
        owned = "MEMORYHUB_OWNER_DATABASE_URL" in self.environment
        migrate = self._manage("migrate", *(("--database", "owner") if owned else ("--check",)))
        collect = self._manage("collectstatic", "--noinput", "--verbosity", "0")
        migrating, collecting = self._spawn(migrate), self._spawn(collect)
        self._finish(migrate, migrating, hint="" if owned else NEEDS_OWNER)
        self._finish(collect, collecting)

    def _manage(self, *words: str) -> Program:
        return programs.manage(self.data_dir, {**os.environ, **self.environment}, *words)

    def _spawn(self, program: Program, *, stdout: int | None = None) -> subprocess.Popen[bytes]:
        process = processes.spawn(program, stdout=stdout)
        self.roster.add(program, process.pid)
        return process

    def _serve(self, program: Program, ready: Callable[[], bool] = lambda: True) -> None:
        process = self._spawn(program)
        self.services.append(Service(program, process, time.monotonic()))
        processes.wait_until(ready, [(program, process)], processes.SERVER_SECONDS, self._pause)

    def _finish(self, program: Program, process: subprocess.Popen[bytes], hint: str = "") -> None:
        while process.poll() is None:
            self._pause(0.05)
        self.roster.remove(program)
        if process.returncode:
            raise RuntimeError(f"`{program.name}` failed. {hint}{processes.last_lines(program)}")

    def _pause(self, seconds: float) -> None:
        time.sleep(seconds)
        if self.asked:
            raise StopAsked

    def _wait_for_answer(self) -> None:
        children = [(service.program, service.process) for service in self.services]
        try:
            processes.wait_until(self._is_ready, children, READY_SECONDS, self._pause)
        except TimeoutError:
            raise RuntimeError(
                f"{self.address}/readyz was not well within {READY_SECONDS:.0f} s; it said: "
                f"{self.answer}"
            ) from None

    def _is_ready(self) -> bool:
        status, self.answer = self.address.ask("/readyz")
        return status == http.HTTPStatus.OK

    def _welcome(self) -> None:
        lines = [f"MemoryHub is ready at {self.address}"]
        if env.flag("MEMORYHUB_DEMO", default=True):
            job = self._manage("load_demo", "--json")
            process = self._spawn(job, stdout=subprocess.PIPE)
            self._finish(job, process)
            answer, _ = process.communicate()
            demo = json.loads(answer)
            lines += [
                f"  sign in   {demo['username']}   password   {demo['password']}",
                f"  API key   {demo['api_key']}",
            ]
        lines += [f"  logs      {self.data_dir / 'logs'}", "  stop      Ctrl-C"]
        self.say("\n".join(lines))

    # Watching

    def _watch(self) -> None:
        while True:
            self._pause(0.2)
            for service in self.services:
                if service.process.poll() is not None:
                    self._revive(service)

    def _revive(self, service: Service) -> None:
        """Start it again after a pause that doubles while it keeps dying young."""
        now = time.monotonic()
        name = service.program.name
        if service.again is None:
            young = now - service.started < QUICK_DEATH
            service.deaths = service.deaths + 1 if young else 1
            if service.deaths == MOST_DEATHS:
                raise RuntimeError(
                    f"{name} died {MOST_DEATHS} times in a row. "
                    f"{processes.last_lines(service.program)}"
                )
            service.again = now + 2 ** (service.deaths - 2)
            self.say(f"{name} ended (code {service.process.returncode}): starting it again.")
        elif now >= service.again:
            service.process = self._spawn(service.program)
            service.started, service.again = now, None

    # Stopping

    def _stop(self) -> None:
        if self.asked:
            self.say("Stopping …")
        self.roster.end_all(self.say)
        for service in self.services:
            service.process.wait()
        (self.data_dir / "environment.json").unlink(missing_ok=True)
        if self.asked:
            self.say("Stopped.")


def main() -> int:
    try:
        host = env.text("MEMORYHUB_HOST", "127.0.0.1")
        port = env.integer("PORT", 8000, least=1, most=65_535)
        Supervisor(env.data_dir(), Address(host, port)).run()
    except (ImproperlyConfigured, RuntimeError, OSError) as error:
        print(error, file=sys.stderr, flush=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
