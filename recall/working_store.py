"""Working memory in Valkey: values under exact keys that end by themselves, all of them sealed.

Names of tasks, keys and agents are in the sealed values only; Valkey's own keys are made of keyed
hashes. What is of a subject is listed in an index of that subject, so that erasing it finds all.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import UUID

from django_redis import get_redis_connection

from ledger.chain import canonical
from ledger.masking import Reader
from ledger.stores import Doomed
from tenants.context import current_tenant
from tenants.crypto import SubjectCipher
from tenants.models import Subject

PUT = (Path(__file__).parent / "working_put.lua").read_text()


@dataclass(frozen=True)
class Note:
    """One value as it is kept. `created` says that nothing stood there before."""

    key: str
    value: Any
    ends: datetime
    created: bool = False


@dataclass(frozen=True)
class Shelf:
    """What one agent (or none in particular) keeps of one task, under one cipher.

    Every method raises RedisError while the server is away.
    """

    cipher: SubjectCipher
    agent: str
    task: str

    def put(self, key: str, value: Any, *, seconds: int, most: int) -> Note | None:
        """Keep a value in the place of what stood there; None where the task holds `most`."""
        row = self._id(key)
        words = {"agent": self.agent, "task": self.task, "key": key, "value": value}
        script = get_redis_connection("default").register_script(PUT)
        done = script(
            [_value(self.cipher.subject_id, row), self._index, _tasks(self.cipher.subject_id)],
            [self.cipher.seal(row, canonical(words)), seconds * 1000, row.hex, most],
        )
        return Note(key, value, _moment(done[1]), created=not done[0]) if done else None

    def get(self, key: str) -> Note | None:
        """The value under this key, if it has not ended."""
        row = self._id(key)
        with get_redis_connection("default").pipeline(transaction=True) as pipe:
            pipe.get(_value(self.cipher.subject_id, row))
            pipe.zscore(self._index, row.hex)
            sealed, ends = pipe.execute()
        return None if sealed is None or ends is None else self._opened(row, sealed, ends)

    def page(self, limit: int, after: UUID | None) -> tuple[list[Note], UUID | None]:
        """Up to `limit` values, and after which one the next page begins (None at the end).

        Their order is that of their ids: arbitrary, and the same every time.
        """
        client = get_redis_connection("default")
        found = sorted(client.zrange(self._index, 0, -1, withscores=True))
        rows = [(UUID(name.decode()), ends) for name, ends in found]
        left = [(row, ends) for row, ends in rows if after is None or row > after]
        here = left[:limit]
        if not here:
            return [], None
        sealed = client.mget([_value(self.cipher.subject_id, row) for row, _ in here])
        notes = [
            self._opened(row, kept, ends)
            for (row, ends), kept in zip(here, sealed, strict=True)
            if kept is not None
        ]
        return notes, here[-1][0] if len(left) > limit else None

    def drop(self, key: str) -> int:
        """Forget one value; gives how many there were."""
        return _drop(self.cipher.subject_id, self._index, [self._id(key)])

    def drop_all(self) -> int:
        """Forget the task's values; gives how many there were."""
        return _drop(self.cipher.subject_id, self._index, _ids(self._index))

    @cached_property
    def _index(self) -> str:
        return f"{_tasks(self.cipher.subject_id)}:{self._id().hex}"

    def _id(self, *key: str) -> UUID:
        """What stands for the task, or for one key of it, in Valkey; nobody can guess it back."""
        named = json.dumps(["working", self.agent, self.task, *key])
        return UUID(bytes=self.cipher.fingerprint(named)[:16])

    def _opened(self, row: UUID, sealed: bytes, ends: float) -> Note:
        words = json.loads(self.cipher.open(row, sealed))
        return Note(words["key"], words["value"], _moment(ends))


class WorkingStore:
    """Working memory of a subject (ledger.stores.Store). No entry's words are in it."""

    def count(self, doomed: Doomed) -> dict[str, int]:
        if not doomed.everything:
            return {"working": 0}
        keys = [_value(doomed.subject_id, row) for _, row in _all(doomed.subject_id)]
        return {"working": get_redis_connection("default").exists(*keys) if keys else 0}

    def forget(self, doomed: Doomed) -> None:
        if not doomed.everything:
            return
        for index, row in _all(doomed.subject_id):
            _drop(doomed.subject_id, index, [row])
        get_redis_connection("default").delete(_tasks(doomed.subject_id))


def exported_working(subject: Subject, reader: Reader) -> Iterator[dict[str, Any]]:
    """A subject's working memory, for its archive (settings.LEDGER_EXPORTERS)."""
    client = get_redis_connection("default")
    for _, row in _all(subject.id):
        if sealed := client.get(_value(subject.id, row)):
            yield json.loads(reader.cipher.open(row, sealed))


def _all(subject_id: UUID) -> list[tuple[str, UUID]]:
    """Every value of a subject: its task's index, and its id."""
    indexes = get_redis_connection("default").zrange(_tasks(subject_id), 0, -1)
    return [(index.decode(), row) for index in indexes for row in _ids(index.decode())]


def _ids(index: str) -> list[UUID]:
    return [UUID(name.decode()) for name in get_redis_connection("default").zrange(index, 0, -1)]


def _drop(subject_id: UUID, index: str, rows: list[UUID]) -> int:
    """Forget these values; gives how many there were.

    They are taken out of the index one by one: what is put there meanwhile stays listed.
    """
    if not rows:
        return 0
    with get_redis_connection("default").pipeline(transaction=True) as pipe:
        pipe.delete(*(_value(subject_id, row) for row in rows))
        pipe.zrem(index, *(row.hex for row in rows))
        gone: int = pipe.execute()[0]
    return gone


def _value(subject_id: UUID, row: UUID) -> str:
    return f"memoryhub:working:{current_tenant()}:{subject_id}:value:{row.hex}"


def _tasks(subject_id: UUID) -> str:
    return f"memoryhub:working:{current_tenant()}:{subject_id}:tasks"


def _moment(milliseconds: float) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
