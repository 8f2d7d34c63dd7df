"""Reading memories: as of a point on both time axes, opened for people and agents to read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from psycopg.sql import SQL, Identifier

from ledger.masking import Reader, blind, reader_for
from ledger.models import Entry, MemoryVersion, Verb
from ledger.projection import derived_views
from tenants import clock, keys
from tenants.errors import Invalid, NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.statements import all_rows

SEQ = re.compile(r"seq:(\d{1,18})")


@dataclass(frozen=True)
class AsOf:
    """A point on both axes: true at `valid_at`, as believed at `known_at` or after entry `seq`.

    With neither, the belief is the newest one; `known_at` is then the moment of reading.
    """

    valid_at: datetime
    known_at: datetime
    seq: int | None = None
    newest: bool = True

    @property
    def believed(self) -> Q:
        """The versions that the store held at the point's recorded time."""
        if self.seq is not None:
            return Q(seq_from__lte=self.seq) & (Q(seq_to=None) | Q(seq_to__gt=self.seq))
        if self.newest:
            return Q(recorded_to=None)
        later = Q(recorded_to=None) | Q(recorded_to__gt=self.known_at)
        return Q(recorded_from__lte=self.known_at) & later

    @property
    def begun(self) -> Q:
        return Q(valid_from__lte=self.valid_at)

    @property
    def unended(self) -> Q:
        return Q(valid_to=None) | Q(valid_to__gt=self.valid_at)

    @property
    def unexpired(self) -> Q:
        return Q(expires_at=None) | Q(expires_at__gt=self.valid_at)


def as_of(valid_at: datetime | None = None, known_at: datetime | int | None = None) -> AsOf:
    """The point meant by a request: moments are aware, `known_at` may be an entry's number."""
    moment = clock.now()
    if isinstance(known_at, int):
        return AsOf(valid_at or moment, moment, seq=known_at, newest=False)
    return AsOf(valid_at or moment, known_at or moment, newest=known_at is None)


APPROVED = Q(pending=False)
VERSION_COLUMNS = [field.attname for field in MemoryVersion._meta.concrete_fields]
ENTRY_COLUMNS = ["tenant_id", "id", "seq", "verb", "actor", "header"]
VERSIONS = SQL("""
    SELECT {version}, {entry}
    FROM ledger_memoryversion AS v
    JOIN ledger_entry AS e ON e.tenant_id = v.tenant_id AND e.id = v.entry_id
    WHERE v.tenant_id = %(tenant)s AND v.subject_id = %(subject)s AND v.id = ANY(%(ids)b)
""")
VERSIONS_OF = VERSIONS.format(
    version=SQL(", ").join(Identifier("v", column) for column in VERSION_COLUMNS),
    entry=SQL(", ").join(Identifier("e", column) for column in ENTRY_COLUMNS),
).as_string()

# What each status means, as a condition on a version at a point. Versions that are not believed at
# the point's recorded time (superseded, retracted) belong to a memory's history.
STATUSES = {
    "active": lambda at: APPROVED & at.begun & at.unended & at.unexpired,
    "ended": lambda at: APPROVED & at.begun & ~at.unended,
    "expired": lambda at: APPROVED & at.begun & at.unended & ~at.unexpired,
    "upcoming": lambda at: APPROVED & ~at.begun,
    "pending": lambda at: ~APPROVED,
}
ANY_STATUS = "any"


@dataclass(frozen=True)
class MemoryView:
    """One version of a memory, readable: what the API answers and the pages show."""

    id: UUID
    version: UUID
    subject: str
    content: str
    kind: str
    attribute: str | None
    value: str | None
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    status: str
    importance: int
    weight: float
    confidence: float
    expires_at: datetime | None
    metadata: dict[str, Any]
    details: dict[str, Any]
    provenance: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Filters:
    """Which memories a list shows; '' means any."""

    subject: str = ""
    kind: str = ""
    status: str = "active"
    attribute: str = ""
    session: str = ""
    agent: str = ""
    q: str = ""


def find_versions(principal: Principal, filters: Filters, at: AsOf) -> QuerySet[MemoryVersion]:
    """The versions that `principal` may see and that pass. Raises ScopeMissing, Pinned."""
    principal.require(Scope.READ)
    external_id = filters.subject or principal.subject or ""
    if external_id:
        principal.require_subject(external_id)
    if not external_id and (filters.q or at.seq is not None):
        raise Invalid("Name the subject: this filter works within one.", field="subject")
    rows = MemoryVersion.objects.select_related("entry", "subject").filter(at.believed)
    if filters.status != ANY_STATUS:
        rows = rows.filter(STATUSES[filters.status](at))
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    for name in ("kind", "attribute", "session", "agent"):
        if wanted := getattr(filters, name):
            rows = rows.filter(**{name: wanted})
    if external_id:
        subject = Subject.objects.filter(external_id=external_id).first()
        rows = rows.filter(subject=subject) if subject else rows.none()
        if subject and filters.q:
            cipher = keys.cipher_for(subject)
            wanted = blind(filters.q, cipher)
            for view in derived_views():
                rows = rows.filter(id__in=view.containing(wanted, cipher))
    return rows


def subject_of(principal: Principal, memory_id: UUID) -> Subject:
    """The subject of a memory that the caller may see. Raises NotFound."""
    rows = MemoryVersion.objects.select_related("subject").filter(memory_id=memory_id)
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    version = rows.first()
    if version is None:
        raise NotFound
    principal.require_visible(version.subject.external_id)
    return version.subject


def get_memory(principal: Principal, memory_id: UUID, at: AsOf) -> MemoryView:
    """One memory as it was at the point. Raises NotFound for a missing and for a foreign id alike.

    Of several versions believed then, the one that was true is meant; failing that the latest.
    """
    principal.require(Scope.READ)
    rows = list(
        MemoryVersion.objects.select_related("entry", "subject")
        .filter(at.believed, memory_id=memory_id)
        .order_by("-valid_from")
    )
    if not rows:
        raise NotFound
    principal.require_visible(rows[0].subject.external_id)
    if principal.agent and rows[0].agent != principal.agent:
        raise NotFound
    true_then = [r for r in rows if _status(r, at) == "active"]
    version = (true_then or rows)[0]
    return as_memory(version, reader_for(principal, keys.cipher_for(version.subject)), at)


def as_memories(
    principal: Principal, versions: Iterable[MemoryVersion], at: AsOf
) -> list[MemoryView]:
    """Open several versions, reading each subject's key once; an erased subject's are left out."""
    versions = list(versions)
    ciphers = keys.ciphers_for({v.subject_id for v in versions})
    readers = {subject: reader_for(principal, cipher) for subject, cipher in ciphers.items()}
    for subject, reader in readers.items():
        reader.expect(v for v in versions if v.subject_id == subject)
    return [as_memory(v, readers[v.subject_id], at) for v in versions if v.subject_id in readers]


def versions_of(subject: Subject, ids: list[UUID]) -> dict[UUID, MemoryVersion]:
    """Versions of a subject with their entries, by id; those that are gone are absent."""
    found = {}
    for row in all_rows(VERSIONS_OF, subject=subject.id, ids=ids):
        version = MemoryVersion.from_db("default", VERSION_COLUMNS, row[: len(VERSION_COLUMNS)])
        version.entry = Entry.from_db("default", ENTRY_COLUMNS, row[len(VERSION_COLUMNS) :])
        version.subject = subject
        found[version.id] = version
    return found


def as_memory(
    version: MemoryVersion, reader: Reader, at: AsOf, status: str | None = None
) -> MemoryView:
    """Open one version for a reader. It comes with its entry and subject loaded."""
    words = reader.words(version)
    return MemoryView(
        id=version.memory_id,
        version=version.id,
        subject=version.subject.external_id,
        content=words["content"],
        kind=version.kind,
        attribute=version.attribute or None,
        value=words["value"],
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        recorded_at=version.recorded_from,
        status=status or _status(version, at),
        importance=version.importance,
        weight=version.weight,
        confidence=version.confidence,
        expires_at=version.expires_at,
        metadata=version.metadata,
        details=words.get("details", {}),
        provenance={
            "entry": version.entry_id,
            "seq": version.entry.seq,
            "session": version.session or None,
            "turns": words["turns"],
            "agent": version.agent or None,
            "actor": version.entry.actor,
            "dated_by": version.entry.header["facts"]["dated_by"],
        },
    )


def _status(version: MemoryVersion, at: AsOf) -> str:
    if version.pending:
        return "pending"
    if version.valid_from > at.valid_at:
        return "upcoming"
    if version.valid_to is not None and version.valid_to <= at.valid_at:
        return "ended"
    if version.expires_at is not None and version.expires_at <= at.valid_at:
        return "expired"
    return "active"


@dataclass(frozen=True)
class HistoryVersion:
    """A version with its place on the recorded axis, and the entries that opened and closed it."""

    memory: MemoryView
    recorded_from: datetime
    recorded_to: datetime | None
    opened_by: Entry
    closed_by: Entry | None


@dataclass(frozen=True)
class History:
    """All that was ever believed of one memory, in the order in which it was recorded."""

    versions: list[HistoryVersion]
    entries: list[Entry]


def get_history(principal: Principal, memory_id: UUID) -> History:
    """Every version of a memory and the entries that made them. Raises NotFound."""
    principal.require(Scope.READ)
    rows = MemoryVersion.objects.select_related("entry", "subject").filter(memory_id=memory_id)
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    versions = list(rows.order_by("seq_from", "valid_from", "id"))
    if not versions:
        raise NotFound
    subject = versions[0].subject
    principal.require_visible(subject.external_id)
    seqs = {seq for v in versions for seq in (v.seq_from, v.seq_to) if seq is not None}
    entries = {e.seq: e for e in Entry.objects.filter(subject=subject, seq__in=seqs)}
    reader, at = reader_for(principal, keys.cipher_for(subject)), as_of()
    history = [
        HistoryVersion(
            memory=as_memory(v, reader, at, _past_status(v, entries)),
            recorded_from=v.recorded_from,
            recorded_to=v.recorded_to,
            opened_by=entries[v.seq_from],
            closed_by=entries[v.seq_to] if v.seq_to is not None else None,
        )
        for v in versions
    ]
    return History(history, [entries[seq] for seq in sorted(entries)])


def _past_status(version: MemoryVersion, entries: dict[int, Entry]) -> str | None:
    """What a version is called that is believed no more; None for one that still is."""
    if version.seq_to is None:
        return None
    withdrawn = entries[version.seq_to].verb in (Verb.RETRACT, Verb.DECLINE)
    return "retracted" if withdrawn else "superseded"
