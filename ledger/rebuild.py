"""Rebuild the views of a subject from its entries, and compare with what is stored.

The rebuilding happens in memory; if the result differs, it replaces the stored rows in the same
transaction, so that readers see the old views until the new ones are whole.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ledger import chain
from ledger.append import lock_head
from ledger.derivations import keep_sources
from ledger.models import Entry, EntryPayload, Memory, MemorySource, MemoryVersion
from ledger.projection import Opened, derived_views, openings, words_of
from tenants import keys
from tenants.crypto import SubjectCipher, digest
from tenants.models import Subject

CHUNK = 500
# What is compared is what a version says; how it is sealed differs every time.
UNCOMPARED = frozenset({"sealed", "fingerprint"})


@dataclass(frozen=True)
class Rebuilt:
    """The digests of a subject's versions as stored and as rebuilt (32 bytes each)."""

    before: bytes
    after: bytes
    versions: int

    @property
    def differed(self) -> bool:
        return self.before != self.after


def replay(subject: Subject, cipher: SubjectCipher) -> dict[UUID, MemoryVersion]:
    """The versions that a subject's entries make, by id, not stored. Erased words make none."""
    versions: dict[UUID, MemoryVersion] = {}
    for entry, words in entries_of(subject, cipher):
        for closed in entry.header["effect"]["closed"]:
            if version := versions.get(UUID(closed)):
                version.recorded_to, version.seq_to = entry.recorded_at, entry.seq
        for opened in openings(entry, words, cipher, versions):
            versions[opened.version.id] = opened.version
    return versions


def entries_of(subject: Subject, cipher: SubjectCipher) -> Iterator[tuple[Entry, dict[str, Any]]]:
    """A subject's entries in order, each with its words; {} if it has none, or no more."""
    last = 0
    while True:
        rows = Entry.objects.filter(subject=subject, seq__gt=last).order_by("seq")[:CHUNK]
        entries = list(rows)
        if not entries:
            return
        payloads = EntryPayload.objects.in_bulk([entry.id for entry in entries])
        for entry in entries:
            payload = payloads.get(entry.id)
            yield entry, opened_words(payload, cipher) if payload else {}
        last = entries[-1].seq


def opened_words(payload: EntryPayload, cipher: SubjectCipher) -> dict[str, Any]:
    """The words of one entry."""
    words: dict[str, Any] = json.loads(cipher.open(payload.id, payload.sealed))["words"]
    return words


def digest_of(versions: Iterable[MemoryVersion], cipher: SubjectCipher) -> bytes:
    """32 bytes that are equal exactly when two sets of versions say the same."""
    return digest(*sorted(chain.canonical(_said(v, cipher)) for v in versions))


def _said(version: MemoryVersion, cipher: SubjectCipher) -> dict[str, Any]:
    plain = {
        field.attname: getattr(version, field.attname)
        for field in MemoryVersion._meta.concrete_fields
        if field.attname not in UNCOMPARED
    }
    told = {
        name: value if isinstance(value, (int | float | bool | dict | type(None))) else str(value)
        for name, value in plain.items()
    }
    return told | {"words": words_of(version, cipher)}


def rebuild_subject(subject: Subject, *, force: bool = False) -> Rebuilt:
    """Rebuild one subject's views under its locks; replaced if they differ, or by `force`.

    The order of locks is that of an erasure (ledger.services.erase): whoever stores vectors holds a
    share of the subject's row, is done before, and finds the new list of work after.
    """
    lock_head(subject)
    subject = Subject.objects.select_for_update().get(id=subject.id)
    cipher = keys.cipher_for(subject)
    rebuilt = replay(subject, cipher)
    stored = list(MemoryVersion.objects.filter(subject=subject))
    result = Rebuilt(digest_of(stored, cipher), digest_of(rebuilt.values(), cipher), len(rebuilt))
    if result.differed or force:
        _replace(subject, stored, rebuilt, cipher)
    return result


def _replace(
    subject: Subject,
    stored: list[MemoryVersion],
    rebuilt: dict[UUID, MemoryVersion],
    cipher: SubjectCipher,
) -> None:
    """Put the rebuilt versions in the place of the stored ones; references hold again at commit."""
    gone = {version.id for version in stored}
    for view in derived_views():
        view.forget(subject.id, gone)
    MemorySource.objects.filter(subject=subject).delete()
    MemoryVersion.objects.filter(subject=subject).delete()
    Memory.objects.filter(subject=subject).delete()
    begun: dict[UUID, Memory] = {}
    for version in sorted(rebuilt.values(), key=lambda v: v.seq_from):
        begun.setdefault(
            version.memory_id,
            Memory(id=version.memory_id, subject=subject, created_at=version.recorded_from),
        )
    Memory.objects.bulk_create(begun.values())
    MemoryVersion.objects.bulk_create(rebuilt.values())
    for entry in {version.entry_id: version.entry for version in rebuilt.values()}.values():
        keep_sources(entry)
    opened = [Opened(v, words_of(v, cipher), None) for v in rebuilt.values()]
    if opened:
        for view in derived_views():
            view.opened(opened, cipher)
