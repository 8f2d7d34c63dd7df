"""Does the ledger still say what was recorded? Walks every chain and names the first broken entry.

Each entry's hash is computed again from its header, its payload's digest and the entry before it;
its columns must agree with its header, its words with their digest, its place and time with the
order. Words may be missing where an erasure of the same subject covers them. What agrees with
itself but was replaced as a whole is found by the checkpoints (ledger.checkpoint_checks).

Every entry seals something under the subject's key, so that whoever owns the database can add none
that verifies; the erasure of a whole subject, whose key is gone, is signed instead.

Nothing is locked and no transaction is long: entries that arrive meanwhile are found either by this
walk or by the next.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Subquery

from ledger import chain
from ledger.checkpoint_checks import CheckpointReport, verify_checkpoints
from ledger.checkpoints import BEFORE_ALL
from ledger.models import Entry, EntryPayload, Head, Verb
from ledger.signing import is_genuine_erasure
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.errors import ContentDamaged, KeyUnavailable, NotFound, Pinned
from tenants.models import Subject, SubjectSecret
from tenants.principals import Principal, Scope

BATCH = 100
PAGE = 500
# What an `erase` entry says in the place of a list of entries.
ALL = "all"
Progress = Callable[[int, int], None]


class Reason(StrEnum):
    """Why an entry is broken; the value is the stable code."""

    MISSING = "missing"
    ORDER = "order"
    HASH = "hash"
    COLUMN = "column"
    WORDS_MISSING = "words_missing"
    WORDS_DAMAGED = "words_damaged"
    WORDS_CHANGED = "words_changed"
    KEY_MISSING = "key_missing"
    HEAD = "head"
    SUBJECT_MISSING = "subject_missing"


SENTENCES = {
    Reason.MISSING: "This entry is missing.",
    Reason.ORDER: "This entry does not come after the one before it, in number or in time.",
    Reason.HASH: "The hash of this entry does not follow from the one before it, from its header "
    "and from the digest of its words.",
    Reason.COLUMN: "A column of this entry says otherwise than the header that was hashed.",
    Reason.WORDS_MISSING: "The words of this entry are gone, and no erasure covers them.",
    Reason.WORDS_DAMAGED: "The words of this entry were altered: they cannot be opened.",
    Reason.WORDS_CHANGED: "The words of this entry are not those whose digest was hashed.",
    Reason.KEY_MISSING: "The subject's key is gone or does not open, and no erasure says so.",
    Reason.HEAD: "The subject's head does not name its newest entry.",
    Reason.SUBJECT_MISSING: "The subject of this entry is gone.",
}
# What an erasure explains.
ERASABLE = frozenset({Reason.WORDS_MISSING, Reason.WORDS_DAMAGED, Reason.KEY_MISSING})


@dataclass(frozen=True)
class Broken:
    """The first entry that does not hold. `entry` is None where no entry stands at `seq`."""

    subject: str | None
    subject_id: UUID
    seq: int
    entry: UUID | None
    reason: Reason

    @property
    def message(self) -> str:
        return SENTENCES[self.reason]


@dataclass(frozen=True)
class Report:
    """What was verified, up to the first broken entry if there is one."""

    subjects: int
    entries: int
    broken: Broken | None
    checkpoints: CheckpointReport

    @property
    def ok(self) -> bool:
        return self.broken is None and self.checkpoints.broken is None


@dataclass(frozen=True)
class Erasures:
    """What a subject's `erase` entries cover: all up to one of them, and single entries."""

    all_until: int = 0
    entries: frozenset[str] = frozenset()

    def cover(self, entry: Entry) -> bool:
        return entry.seq <= self.all_until or str(entry.id) in self.entries


@dataclass
class Walk:
    """One chain, entry by entry; `last` is the newest entry that was found to hold."""

    subject: Subject
    cipher: SubjectCipher | None
    last: Entry | None = None
    erasures: Erasures = field(default_factory=Erasures)

    @property
    def seq(self) -> int:
        return self.last.seq if self.last else 0

    def step(self, entry: Entry) -> Broken | None:
        """Check the next entry, in the tenant's context, and move on to it if it holds."""
        if entry.seq > self.seq + 1:
            return self.broken(self.seq + 1, None, Reason.MISSING)
        reason = self._out_of_order(entry) or self._altered(entry) or self._words_problem(entry)
        if reason in ERASABLE and self._is_erased(entry):
            reason = None
        if reason is not None:
            return self.broken(entry.seq, entry.id, reason)
        self.last = entry
        return None

    def broken(self, seq: int, entry_id: UUID | None, reason: Reason) -> Broken:
        return Broken(self.subject.external_id, self.subject.id, seq, entry_id, reason)

    def _out_of_order(self, entry: Entry) -> Reason | None:
        early = self.last is not None and entry.recorded_at <= self.last.recorded_at
        return Reason.ORDER if early or entry.seq <= self.seq else None

    def _altered(self, entry: Entry) -> Reason | None:
        previous = bytes(self.last.hash) if self.last else chain.GENESIS
        said = chain.entry_hash(previous, entry.seq, entry.header, bytes(entry.payload_digest))
        if said != bytes(entry.hash):
            return Reason.HASH
        return None if _columns_agree(entry) else Reason.COLUMN

    def _words_problem(self, entry: Entry) -> Reason | None:
        sealed, digest = entry.sealed, bytes(entry.payload_digest)  # type: ignore[attr-defined]
        if sealed is None:
            return Reason.WORDS_MISSING
        if self.cipher is None:
            return Reason.KEY_MISSING
        try:
            opened = json.loads(self.cipher.open(entry.id, sealed))
        except ContentDamaged:
            return Reason.WORDS_DAMAGED
        found = chain.payload_digest(bytes.fromhex(opened["salt"]), opened["words"])
        return None if found == digest else Reason.WORDS_CHANGED

    def _is_erased(self, entry: Entry) -> bool:
        # Read again when in doubt: an erasure may have come while the chain was walked.
        if not self.erasures.cover(entry):
            self.erasures = _erasures(self.subject.id)
        return self.erasures.cover(entry)


def verify(
    principal: Principal, *, subject: str = "", progress: Progress = lambda subjects, entries: None
) -> Report:
    """Verify one subject, or without one the whole tenant. Opens the tenant's context by itself.

    `progress` is told the numbers of subjects and entries done. Raises ScopeMissing, Pinned,
    NotFound.
    """
    principal.require(Scope.ADMIN)
    chains = _Chains(principal.tenant_id, progress)
    if subject:
        principal.require_subject(subject)
        with tenant_context(principal.tenant_id):
            found = Subject.objects.filter(external_id=subject).first()
        if found is None:
            raise NotFound
        _, broken = chains.verify([found])
        checkpoints = verify_checkpoints(principal.tenant_id, found)
    else:
        if principal.subject is not None or principal.agent:
            raise Pinned("This credential is pinned: it verifies its own subject only.")
        broken = chains.verify_all()
        checkpoints = verify_checkpoints(principal.tenant_id)
    return Report(chains.subjects, chains.entries, broken, checkpoints)


@dataclass
class _Chains:
    """The chains of a tenant, and how many of them and of their entries were walked."""

    tenant_id: UUID
    progress: Progress
    subjects: int = 0
    entries: int = 0

    def verify_all(self) -> Broken | None:
        after = BEFORE_ALL
        while subjects := self._subjects(after):
            after, broken = self.verify(subjects)
            if broken is not None:
                return broken
        return self._orphan()

    def verify(self, subjects: list[Subject]) -> tuple[UUID, Broken | None]:
        """Walk as many of these chains as begin in one page; gives the last one's subject.

        Most chains are short and many: they share the queries. The last one may be long, and is
        walked to its end, a page to a transaction.
        """
        with tenant_context(self.tenant_id):
            walks = _walks(subjects)
            page = _entries(subject_id__in=list(walks))
            broken = self._steps(walks, page)
        if len(page) == PAGE:
            last = walks[page[-1].subject_id]
            walks = {key: walk for key, walk in walks.items() if key <= last.subject.id}
            broken = broken or self._walk_on(last)
        with tenant_context(self.tenant_id):
            broken = broken or _head_problem(walks)
        self.subjects += len(walks)
        self.progress(self.subjects, self.entries)
        return list(walks)[-1], broken

    def _walk_on(self, walk: Walk) -> Broken | None:
        walks, more = {walk.subject.id: walk}, True
        while more:
            with tenant_context(self.tenant_id):
                page = _entries(subject_id=walk.subject.id, seq__gt=walk.seq)
                if broken := self._steps(walks, page):
                    return broken
            self.progress(self.subjects, self.entries)
            more = len(page) == PAGE
        return None

    def _steps(self, walks: dict[UUID, Walk], page: list[Entry]) -> Broken | None:
        for entry in page:
            if broken := walks[entry.subject_id].step(entry):
                return broken
            self.entries += 1
        return None

    def _subjects(self, after: UUID) -> list[Subject]:
        with tenant_context(self.tenant_id):
            return list(Subject.objects.filter(id__gt=after).order_by("id")[:BATCH])

    def _orphan(self) -> Broken | None:
        """The first entry, or head, without a subject: the walk goes from subject to subject."""
        with tenant_context(self.tenant_id):
            subjects = Subject.objects.filter(id=OuterRef("subject_id"))
            for rows in (Entry.objects.all(), Head.objects.all()):
                lost = rows.filter(~Exists(subjects)).order_by("subject_id", "seq").first()
                if lost is not None:
                    entry_id = lost.id if isinstance(lost, Entry) else None
                    return Broken(None, lost.subject_id, lost.seq, entry_id, Reason.SUBJECT_MISSING)
        return None


def _walks(subjects: list[Subject]) -> dict[UUID, Walk]:
    """The beginning of each subject's walk, in the order of subjects."""
    ids = [subject.id for subject in subjects]
    secrets = SubjectSecret.objects.in_bulk(ids)
    return {s.id: Walk(s, _cipher(secrets.get(s.id))) for s in subjects}


def _cipher(secret: SubjectSecret | None) -> SubjectCipher | None:
    if secret is None:
        return None
    try:
        return SubjectCipher(secret.tenant_id, secret.id, keys.unwrap(secret.wrapped_key))
    except KeyUnavailable:
        return None


def _entries(**of: Any) -> list[Entry]:
    """A page of entries, chain by chain, each with its sealed words as of the same moment."""
    sealed = EntryPayload.objects.filter(id=OuterRef("id")).values("sealed")
    rows = Entry.objects.filter(**of).annotate(sealed=Subquery(sealed))
    return list(rows.order_by("subject_id", "seq")[:PAGE])


def _head_problem(walks: dict[UUID, Walk]) -> Broken | None:
    """Whether each head names its newest entry; in one query, since writers move both at once."""
    newest = Entry.objects.filter(subject_id=OuterRef("id")).order_by("-seq")
    columns = ("id", "seq", "recorded_at", "hash")
    found = {f"newest_{name}": Subquery(newest.values(name)[:1]) for name in columns}
    rows = Head.objects.filter(id__in=walks).annotate(**found)
    heads = {row["id"]: row for row in rows.values(*columns, *found)}
    problems = (_compare(walk, heads.get(subject_id)) for subject_id, walk in walks.items())
    return next(filter(None, problems), None)


def _compare(walk: Walk, head: dict[str, Any] | None) -> Broken | None:
    """Whether a head, if there is one, agrees with the entry that is the newest of its chain."""
    if head is None:
        return walk.broken(walk.seq, walk.last.id, Reason.HEAD) if walk.last else None
    seq = head["newest_seq"] or 0
    if head["seq"] > seq:
        return walk.broken(seq + 1, None, Reason.MISSING)
    agree = head["seq"] == seq and head["recorded_at"] == head["newest_recorded_at"]
    if not agree or bytes(head["hash"]) != bytes(head["newest_hash"] or chain.GENESIS):
        return walk.broken(seq, head["newest_id"], Reason.HEAD)
    return None


def _columns_agree(entry: Entry) -> bool:
    """Whether what stands beside the header, for the database to find it by, is what it says."""
    header: Any = entry.header
    columns = {
        "tenant": str(entry.tenant_id),
        "subject": str(entry.subject_id),
        "entry": str(entry.id),
        "verb": entry.verb,
        "memory": entry.memory_id and str(entry.memory_id),
        "actor": entry.actor,
    }
    try:
        agree = all(header[name] == value for name, value in columns.items())
        return agree and datetime.fromisoformat(header["recorded_at"]) == entry.recorded_at
    except (KeyError, TypeError, ValueError):
        return False


def _erasures(subject_id: UUID) -> Erasures:
    """What the subject's `erase` entries say that they erased."""
    rows = Entry.objects.filter(subject_id=subject_id, verb=Verb.ERASE)
    all_until, entries = 0, set[str]()
    for entry in rows.order_by("seq"):
        facts = entry.header["facts"]
        erased = facts.get("erased")
        if erased == ALL and _is_signed(entry, facts.get("proof")):
            all_until = entry.seq
        elif isinstance(erased, list):
            entries.update(map(str, erased))
    return Erasures(all_until, frozenset(entries))


def _is_signed(entry: Entry, proof: object) -> bool:
    """Whether the tenant signed this erasure at this place of the chain."""
    before = Entry.objects.filter(subject_id=entry.subject_id, seq=entry.seq - 1).first()
    previous = bytes(before.hash) if before else chain.GENESIS
    return is_genuine_erasure(entry.subject_id, entry.seq, previous, proof)
