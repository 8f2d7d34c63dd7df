"""What several integration tests need: real threads, other processes, other roles, waiting."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.db import connection

from memoryhub import embedded, env
from recall.models import Embedding
from tenants.context import tenant_context
from tests.stack import ROOT

PATIENCE = 60
T = TypeVar("T")


def eventually(look: Callable[[], T], seconds: float = PATIENCE) -> T:
    """Look again until there is something, and give it; fails when the patience is over."""
    deadline = time.monotonic() + seconds
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.05)
    return found


def in_threads(work: Callable[[int], Any], count: int) -> list[Any]:
    """What `work(number)` gives in that many threads at once, each with a connection of its own."""

    def run(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count), timeout=PATIENCE))


def owner_url() -> str:
    """The address of the role that owns the tables."""
    return env.text("MEMORYHUB_OWNER_DATABASE_URL")


def superuser_url() -> str:
    """The address of the embedded server's superuser, in the service's database."""
    return embedded.superuser_url(env.data_dir(), embedded.DATABASE)


@contextmanager
def connected(url: str, tenant_id: UUID | None = None) -> Iterator[psycopg.Connection[Any]]:
    """A connection under another role, perhaps inside a tenant's wall; all is rolled back."""
    with psycopg.connect(url) as other:
        if tenant_id is not None:
            other.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant_id)])
            other.commit()
        yield other
        other.rollback()


def spawn(*words: str, **settings: str) -> subprocess.Popen[str]:
    """A Python program beside the running stack, with some settings of its own."""
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | settings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def ending(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """How the program ended: its exit code, and what it wrote to stdout and to stderr."""
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it did not end:\n{out}\n{err}") from None
    return process.returncode, out, err


def chunks_encoded(tenant_id: UUID, memory_id: str) -> int:
    """How many vectors there are of a memory."""
    with tenant_context(tenant_id):
        return Embedding.objects.filter(version__memory_id=memory_id).count()
