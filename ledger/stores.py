"""The stores that hold something of a subject: each can count it and can forget it.

Erasure walks this list, and its receipt counts what is left in each. A store is asked about all of
a subject, or about the entries whose words are to go and the versions that show them.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Protocol
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from ledger.models import EntryPayload, IdempotentAnswer, Memory, MemoryVersion
from tenants.crypto import SubjectCipher


@dataclass(frozen=True)
class Doomed:
    """What is to be erased of one subject: everything, or the words of some entries."""

    subject_id: UUID
    cipher: SubjectCipher
    everything: bool
    entries: frozenset[UUID] = frozenset()
    memories: frozenset[UUID] = frozenset()
    versions: frozenset[UUID] = frozenset()
    turns: frozenset[UUID] = frozenset()


class Store(Protocol):
    """A place that holds something of a subject. Receipts show the names of its counts."""

    def count(self, doomed: Doomed) -> dict[str, int]:
        """How many rows of each kind hold something of it."""

    def forget(self, doomed: Doomed) -> None:
        """Delete them."""


@cache
def stores() -> tuple[Store, ...]:
    """The stores named in settings, in the order in which they forget."""
    return tuple(import_string(name)() for name in settings.LEDGER_STORES)


class Words:
    """The sealed words of entries. The entries stay, with their digests."""

    def _rows(self, doomed: Doomed) -> QuerySet[EntryPayload]:
        rows = EntryPayload.objects.filter(subject_id=doomed.subject_id)
        return rows if doomed.everything else rows.filter(id__in=doomed.entries)

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"words": self._rows(doomed).count()}

    def forget(self, doomed: Doomed) -> None:
        self._rows(doomed).delete()


class Memories:
    """Versions of all times, and memories of which no version is left."""

    def _versions(self, doomed: Doomed) -> QuerySet[MemoryVersion]:
        rows = MemoryVersion.objects.filter(subject_id=doomed.subject_id)
        return rows if doomed.everything else rows.filter(id__in=doomed.versions)

    def _memories(self, doomed: Doomed) -> QuerySet[Memory]:
        rows = Memory.objects.filter(subject_id=doomed.subject_id)
        return rows if doomed.everything else rows.filter(id__in=doomed.memories)

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {
            "versions": self._versions(doomed).count(),
            "memories": self._memories(doomed).count(),
        }

    def forget(self, doomed: Doomed) -> None:
        self._versions(doomed).delete()
        self._memories(doomed).delete()


class Answers:
    """Answers kept for retries: they repeat what was written."""

    def _doomed(self, doomed: Doomed) -> list[UUID]:
        rows = IdempotentAnswer.objects.filter(subject_id=doomed.subject_id)
        return [row.id for row in rows if doomed.everything or _shows(row, doomed)]

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"kept_answers": len(self._doomed(doomed))}

    def forget(self, doomed: Doomed) -> None:
        IdempotentAnswer.objects.filter(id__in=self._doomed(doomed)).delete()


def _shows(answer: IdempotentAnswer, doomed: Doomed) -> bool:
    if answer.sealed is None:
        return False
    # What was answered to turns and to a session's end repeats no word.
    memory = json.loads(doomed.cipher.open(answer.id, answer.sealed)).get("memory")
    return memory is not None and UUID(memory["provenance"]["entry"]) in doomed.entries
