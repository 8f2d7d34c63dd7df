"""Fills a tenant with made-up memories by the million, straight into the tables.

PostgreSQL refuses COPY under row-level security, so the rows (bench.made_rows) come in as the
superuser; subjects, keys, heads and statistics are written by the product's own models, in the
tenant's context. Foreign keys are checked as always.
"""

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import psycopg

from bench.copying import copy_columns, copy_models
from bench.made_rows import Maker, Rows
from bench.progress import Progress
from bench.synthetic import Array, Pool
from ledger.models import Head
from memoryhub import embedded
from recall.encoders import wanted
from recall.models import Corpus
from tenants import keys
from tenants.context import tenant_context
from tenants.principals import Principal
from tenants.services.ensure_subject import ensure_subject

BATCH = 5_000
# Batches that wait to be copied while the next one is made.
AHEAD = 2
INDEX = "vector_of_crowded"


class Loader:
    """Loads subjects, `each` memories a subject; `subjects` are those that are there."""

    def __init__(self, data_dir: Path, principal: Principal, pool: Pool, each: int) -> None:
        self._data_dir = data_dir
        self._principal = principal
        self._pool = pool
        self._each = each
        self.subjects: list[str] = []

    def grow_to(self, memories: int) -> None:
        """Add subjects until there are so many memories in all."""
        first, last = len(self.subjects), memories // self._each
        with self._copying() as copy:
            progress = Progress("memories loaded", (last - first) * self._each)
            for number in range(first, last):
                name = f"person-{number}"
                self._load(copy, name, number, self._each, crowded=False)
                self.subjects.append(name)
                progress((number - first + 1) * self._each)
        self._settle()

    def crowd(self, name: str, number: int, memories: int) -> None:
        """Add one subject that an approximate index serves; the index is built afterwards."""
        with self._superuser() as connection:
            (definition,) = connection.execute(
                "SELECT indexdef FROM pg_indexes WHERE indexname = %s", (INDEX,)
            ).fetchone() or ("",)
            connection.execute(f"DROP INDEX {INDEX}")
            connection.commit()
            with self._copying() as copy:
                self._load(copy, name, number, memories, crowded=True)
            connection.execute("SET maintenance_work_mem = '1GB'")
            connection.execute(definition)
        self._settle()

    def made(self, number: int, memories: int) -> tuple[list[str], Array]:
        """The texts of a subject with their vectors alone, in the order of loading."""
        batches = [self._pool.memories(number, *batch) for batch in enumerate(_batches(memories))]
        texts = [self._pool.texts[place] for batch in batches for place in batch.places]
        return texts, np.concatenate([batch.alone for batch in batches])

    def _load(
        self, copy: "Copier", name: str, number: int, memories: int, *, crowded: bool
    ) -> None:
        with tenant_context(self._principal.tenant_id):
            subject = ensure_subject(name)
            maker = Maker(keys.cipher_for(subject), self._pool, crowded=crowded)
        progress, done = Progress(f"memories of {name} loaded", memories), 0
        for batch, count in enumerate(_batches(memories)):
            copy.put(maker.rows(self._pool.memories(number, batch, count)))
            done += count
            if crowded:
                progress(done)
        state = maker.chain
        with tenant_context(self._principal.tenant_id):
            Head(
                id=subject.id,
                subject=subject,
                seq=state.seq,
                recorded_at=state.recorded_at,
                hash=state.hash,
            ).save(force_insert=True)
            Corpus(
                id=subject.id,
                subject=subject,
                documents=memories,
                terms=state.terms,
                encoder=wanted(),
                revision=1,
                crowded=crowded,
            ).save(force_insert=True)

    @contextmanager
    def _copying(self) -> "Iterator[Copier]":
        with self._superuser() as connection, ThreadPoolExecutor(1) as pool:
            copier = Copier(connection, pool)
            yield copier
            copier.wait()

    def _superuser(self) -> psycopg.Connection[Any]:
        return psycopg.connect(embedded.superuser_url(self._data_dir, embedded.DATABASE))

    def _settle(self) -> None:
        """VACUUM ANALYZE as the tables' owner."""
        url = embedded.environment(self._data_dir)["MEMORYHUB_OWNER_DATABASE_URL"]
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")


@dataclass
class Copier:
    """Copies batches in a thread of its own, while the next ones are made."""

    connection: psycopg.Connection[Any]
    pool: ThreadPoolExecutor
    under_way: deque[Future[None]] = field(default_factory=deque)

    def put(self, rows: Rows) -> None:
        if len(self.under_way) >= AHEAD:
            self.under_way.popleft().result()
        self.under_way.append(self.pool.submit(self._copy, rows))

    def wait(self) -> None:
        while self.under_way:
            self.under_way.popleft().result()

    def _copy(self, rows: Rows) -> None:
        for models in (rows.entries, rows.payloads, rows.memories, rows.versions):
            copy_models(self.connection, models)
        for model, columns in rows.columns:
            copy_columns(self.connection, model, columns)
        self.connection.commit()


def _batches(memories: int) -> list[int]:
    whole, rest = divmod(memories, BATCH)
    return [BATCH] * whole + [rest] * (rest > 0)
