"""From an entry to the memories: the versions it closes and opens. Views, rebuildable from entries.

An entry's header carries its effect (ledger.rectangles), decided when it was written; applying it
again decides nothing, so that a rebuilt view equals the one that grew entry by entry.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from ledger import chain
from ledger.derivations import keep_sources
from ledger.models import Entry, Memory, MemoryVersion
from tenants import ids
from tenants.crypto import SubjectCipher, digest


@dataclass(frozen=True)
class Opened:
    """A version that an entry opened, with its words (words_of) still readable; `source` is what
    it copies.
    """

    version: MemoryVersion
    words: dict[str, Any]
    source: UUID | None


class DerivedView(Protocol):
    """A view beyond the memories themselves (an index, say), kept in the same transaction.

    Such views are named in settings.LEDGER_VIEWS: the ledger does not import the rooms above it.
    """

    def opened(self, opened: list[Opened], cipher: SubjectCipher) -> None:
        """Take in versions that now exist."""

    def containing(self, text: str, cipher: SubjectCipher) -> Any:
        """A query for the ids of the subject's versions that hold every word of `text`."""

    def forget(self, subject_id: UUID, versions: set[UUID]) -> None:
        """Drop all that is kept of these versions."""


@cache
def derived_views() -> tuple[DerivedView, ...]:
    """The views named in settings, made once."""
    return tuple(import_string(name)() for name in settings.LEDGER_VIEWS)


def project(entry: Entry, words: dict[str, Any], cipher: SubjectCipher) -> list[MemoryVersion]:
    """Apply one entry to the stored views; gives the versions that it opened, in order."""
    effect = entry.header["effect"]
    MemoryVersion.objects.filter(id__in=effect["closed"]).update(
        recorded_to=entry.recorded_at, seq_to=entry.seq
    )
    sources = MemoryVersion.objects.in_bulk(
        [UUID(opening["source"]) for opening in effect["opened"] if opening["source"]]
    )
    opened = list(openings(entry, words, cipher, sources))
    Memory.objects.bulk_create(
        [
            Memory(id=o.version.memory_id, subject=entry.subject, created_at=entry.recorded_at)
            for o in opened
            if o.source is None
        ],
        ignore_conflicts=True,
    )
    MemoryVersion.objects.bulk_create([o.version for o in opened])
    keep_sources(entry)
    if opened:
        for view in derived_views():
            view.opened(opened, cipher)
    return [o.version for o in opened]


def openings(
    entry: Entry,
    words: dict[str, Any],
    cipher: SubjectCipher,
    sources: dict[UUID, MemoryVersion],
) -> Iterable[Opened]:
    """The versions that an entry opens, not stored yet.

    Without the words, which were erased, what would have held or copied them is left out.
    """
    for number, opening in enumerate(entry.header["effect"]["opened"]):
        version_id = ids.derived_id(entry.id, str(number))
        if opening["source"] is None:
            if not words:
                continue
            version, kept = _from_words(version_id, entry, words, cipher), words
        else:
            source = sources.get(UUID(opening["source"]))
            if source is None:
                continue
            version, kept = _copy(version_id, source, entry, cipher)
        version.memory_id = UUID(opening["memory"])
        version.valid_from = datetime.fromisoformat(opening["valid_from"])
        version.valid_to = _moment(opening["valid_to"])
        _take_slot(version)
        yield Opened(version, kept, opening["source"] and UUID(opening["source"]))


def _from_words(
    version_id: UUID, entry: Entry, words: dict[str, Any], cipher: SubjectCipher
) -> MemoryVersion:
    facts = entry.header["facts"]
    kept = {name: words[name] for name in ("content", "value", "turns")}
    kept["details"] = words.get("details", {})
    return MemoryVersion(
        id=version_id,
        tenant_id=entry.tenant_id,
        subject_id=entry.subject_id,
        entry=entry,
        kind=facts["kind"],
        attribute=facts["attribute"],
        single_valued=facts["single_valued"],
        pending=facts["pending"],
        sealed=cipher.seal(version_id, chain.canonical(kept)),
        fingerprint=cipher.fingerprint(words["meaning"]),
        recorded_from=entry.recorded_at,
        seq_from=entry.seq,
        expires_at=_moment(facts["expires_at"]),
        importance=facts["importance"],
        confidence=facts["confidence"],
        weight=facts["weight"],
        agent=facts["agent"],
        session=facts["session"],
        metadata=_as_stored(words["metadata"]),
    )


def _copy(
    version_id: UUID, source: MemoryVersion, entry: Entry, cipher: SubjectCipher
) -> tuple[MemoryVersion, dict[str, Any]]:
    """The source again under another entry; what the entry sets about its own memory is set."""
    words = words_of(source, cipher)
    version = MemoryVersion(
        **{f.attname: getattr(source, f.attname) for f in MemoryVersion._meta.concrete_fields}
    )
    version.id = version_id
    version.sealed = cipher.seal(version_id, chain.canonical(words))
    version.recorded_from, version.recorded_to = entry.recorded_at, None
    version.seq_from, version.seq_to = entry.seq, None
    if source.memory_id == entry.memory_id:
        for name, value in entry.header["facts"].get("set", {}).items():
            setattr(version, name, value)
    return version, words


def _take_slot(version: MemoryVersion) -> None:
    """Claim the single-valued attribute's place, unless the version is only pending."""
    version.slot_high = version.slot_low = None
    if version.single_valued and not version.pending:
        name = digest(version.tenant_id.bytes, version.subject_id.bytes, version.attribute.encode())
        version.slot_high = int.from_bytes(name[:8], "big", signed=True)
        version.slot_low = int.from_bytes(name[8:16], "big", signed=True)


def words_of(version: MemoryVersion, cipher: SubjectCipher) -> dict[str, Any]:
    """The sealed words of a version: content, value, turns, details."""
    words: dict[str, Any] = json.loads(cipher.open(version.id, version.sealed))
    return words


def _as_stored(value: Any) -> Any:
    """JSON with its numbers as PostgreSQL gives them back: a rebuilt view equals a stored one.

    It writes big floats out as whole numbers, and has no -0.0.
    """
    if isinstance(value, dict):
        return {name: _as_stored(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_as_stored(item) for item in value]
    if isinstance(value, float):
        written = repr(value)
        return int(Decimal(written)) if "e+" in written else value + 0.0
    return value


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
