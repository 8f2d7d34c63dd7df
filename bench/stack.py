"""A whole MemoryHub for a benchmark, on a data folder of its own, and Django on it in process."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from uuid import UUID

from bench.progress import say
from tests.stack import TEST_LIMITS, Stack, temporary_stack

DRAIN_SECONDS = 300


@contextmanager
def running() -> Iterator[Stack]:
    """The embedded stack for as long as the block runs; this process uses the same servers."""
    signal.signal(signal.SIGTERM, _leave)
    stack = temporary_stack()
    say(f"Starting the embedded stack in {stack.data_dir.parent} …")
    try:
        stack.start()
        _set_up_django(stack)
        yield stack
    finally:
        _close_connections()
        stack.stop()
        stack.remove()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    # As an exception, so that the stack is stopped on the way out.
    sys.exit(128 + signal.SIGTERM)


def _set_up_django(stack: Stack) -> None:
    for name in [name for name in os.environ if name.startswith("MEMORYHUB_")]:
        del os.environ[name]  # as for the stack itself: it is not about another installation
    os.environ |= TEST_LIMITS | {
        "MEMORYHUB_DATA_DIR": str(stack.data_dir),
        "DJANGO_SETTINGS_MODULE": "memoryhub.settings",
        # Of this process alone: a table is read better without them, and mem0 logs every add.
        "MEMORYHUB_LOG_LEVEL": "WARNING",
    }
    import django

    django.setup()
    from recall.encoders import encoder

    # Before masking's models, as in the product: whichever comes first decides how the threads of
    # OpenMP wait, and after those models each encoding would take many times the processor time.
    encoder()


def _close_connections() -> None:
    from django.conf import settings
    from django.db import connections

    if not settings.configured:
        return
    for connection in connections.all(initialized_only=True):
        connection.close()
        if getattr(connection, "pool", None):
            connection.close_pool()


@contextmanager
def resting_worker() -> Iterator[None]:
    """The stack's worker takes no tasks: what is measured in process is done in process alone."""
    from memoryhub.celery import app

    queue = app.conf.task_default_queue
    if not app.control.cancel_consumer(queue, reply=True, timeout=10):
        raise RuntimeError("the worker did not answer that it rests")
    try:
        yield
    finally:
        app.control.purge()  # nudges about what is done already
        app.control.add_consumer(queue, reply=True, timeout=10)


def drain(tenant_id: UUID) -> float:
    """Wait until the worker has learned and encoded all that waits; gives the seconds it took."""
    from ledger.models import Job, JobState
    from recall.encoding import waiting
    from tenants.context import tenant_context

    began = time.monotonic()
    while time.monotonic() - began < DRAIN_SECONDS:
        with tenant_context(tenant_id):
            jobs = Job.objects.filter(state__in=(JobState.WAITING, JobState.RUNNING)).exists()
            if not jobs and not waiting().exists():
                return time.monotonic() - began
        time.sleep(0.2)
    raise TimeoutError(f"the worker has not learned all within {DRAIN_SECONDS} s")


def server_version() -> str:
    """The version of the stack's PostgreSQL."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        return str(cursor.fetchone()[0])
