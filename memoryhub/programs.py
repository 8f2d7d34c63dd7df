"""The command lines of MemoryHub's own programs: web server, worker, beat and `manage.py`."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from memoryhub import env
from memoryhub.processes import Program


def _program(
    name: str, words: list[str], data_dir: Path, settings: Mapping[str, str], patience: float
) -> Program:
    return Program(
        name=name,
        argv=[sys.executable, *words],
        env={
            **settings,
            "DJANGO_SETTINGS_MODULE": "memoryhub.settings",
            "MEMORYHUB_DATA_DIR": str(data_dir),
            "PROMETHEUS_MULTIPROC_DIR": str(data_dir / "metrics"),
        },
        cwd=env.REPOSITORY,
        log=data_dir / "logs" / f"{name}.log",
        patience=patience,
    )


def manage(data_dir: Path, settings: Mapping[str, str], *words: str) -> Program:
    """A `manage.py` command: it ends by itself, and half a migration is worse than a short wait."""
    program = _program(words[0], ["manage.py", *words], data_dir, settings, patience=60)
    return replace(program, stop=0)


def services(
    data_dir: Path, settings: Mapping[str, str], bind: str
) -> tuple[Program, Program, Program]:
    """What runs all the time, in the order of starting: worker, web server, beat."""
    worker = [
        *("-m", "celery", "--app", "memoryhub", "worker", "--concurrency", "1"),
        # There is one worker: nobody to gossip with.
        *("--without-gossip", "--without-mingle", "--loglevel", "INFO"),
    ]
    web = [
        *("-m", "gunicorn", "memoryhub.wsgi:application"),
        *("--bind", bind),
        *("--worker-class", "gthread"),
        *("--workers", str(env.integer("MEMORYHUB_WEB_WORKERS", 1, least=1))),
        *("--threads", str(env.integer("MEMORYHUB_WEB_THREADS", 8, least=1))),
        # A filter of 500 Chinese characters takes 4,500 bytes of the request line.
        *("--limit-request-line", "8190"),
        *("--timeout", "120", "--graceful-timeout", "20", "--no-control-socket"),
    ]
    beat = [
        *("-m", "celery", "--app", "memoryhub", "beat", "--loglevel", "INFO"),
        # The lock on the data directory already allows one beat only; a file would outlive a kill.
        *("--pidfile", "", "--schedule", str(data_dir / "beat" / "schedule")),
    ]
    return (
        _program("worker", worker, data_dir, settings, patience=60),
        _program("web", web, data_dir, settings, patience=25),
        _program("beat", beat, data_dir, settings, patience=10),
    )
