"""From an entry to the views: what one entry opens, told to every view that depends on it."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from ledger import chain
from ledger.models import Entry, Memory, MemoryVersion
from ledger.statements import Statement
from tenants import ids
from tenants.crypto import SubjectCipher


@dataclass(frozen=True)
class Opened:
    """A version that an entry opened, with its words still readable."""

    version: MemoryVersion
    content: str


class DerivedView(Protocol):
    """A view beyond the memories themselves (an index, say), kept in the same transaction.

    Such views are named in settings.LEDGER_VIEWS: the ledger does not import the rooms above it.
    """

    def opened(self, opened: list[Opened], cipher: SubjectCipher) -> None:
        """Take in versions that now exist."""

    def containing(self, text: str, cipher: SubjectCipher) -> Any:
        """A query for the ids of the subject's versions that hold every word of `text`."""


@cache
def derived_views() -> tuple[DerivedView, ...]:
    """The views named in settings, made once."""
    return tuple(import_string(name)() for name in settings.LEDGER_VIEWS)


def project_assert(
    entry: Entry, statement: Statement, cipher: SubjectCipher, fingerprint: bytes
) -> MemoryVersion:
    """Apply one `assert`: a new memory with one version, open on the recorded axis."""
    assert entry.memory_id is not None
    assert statement.valid_from is not None
    Memory(id=entry.memory_id, subject_id=entry.subject_id, created_at=entry.recorded_at).save(
        force_insert=True
    )
    version_id = version_id_of(entry)
    words = {"content": statement.content, "value": statement.value, "turns": statement.turns}
    version = MemoryVersion(
        id=version_id,
        memory_id=entry.memory_id,
        subject_id=entry.subject_id,
        entry=entry,
        kind=statement.kind,
        attribute=statement.attribute,
        sealed=cipher.seal(version_id, chain.canonical(words)),
        fingerprint=fingerprint,
        valid_from=statement.valid_from,
        valid_to=statement.valid_to,
        recorded_from=entry.recorded_at,
        seq_from=entry.seq,
        expires_at=statement.expires_at,
        importance=statement.importance,
        confidence=statement.confidence,
        agent=statement.agent,
        session=statement.session,
        metadata=statement.metadata,
    )
    version.save(force_insert=True)
    for view in derived_views():
        view.opened([Opened(version, statement.content)], cipher)
    return version


def version_id_of(entry: Entry, number: int = 0) -> UUID:
    """The id of the nth version that an entry opens: the same again when views are rebuilt."""
    return ids.derived_id(entry.id, str(number))


def words_of(version: MemoryVersion, cipher: SubjectCipher) -> dict[str, Any]:
    """The sealed words of a version: content, value, turns."""
    words: dict[str, Any] = json.loads(cipher.open(version.id, version.sealed))
    return words
