"""The verbs that revise one memory: change, correct, end, retract, weigh, approve, decline, undo.

Each is: find the memory, lock its subject, let the algebra decide, record. A revision that changes
nothing writes nothing and answers "unchanged". Callers are in the tenant's context.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from ledger import rectangles
from ledger.models import Entry, MemoryVersion, Verb
from ledger.policy import Policy
from ledger.projection import words_of
from ledger.rectangles import Effect, Opening, Period, StaleVersion
from ledger.selectors import subject_of
from ledger.services.remember import remember
from ledger.statements import DatedBy, Statement
from ledger.writing import (
    Writing,
    Written,
    facts_of,
    held,
    moment_of,
    words_of_statement,
    writing,
)
from tenants.errors import Conflict, Invalid, NotFound
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject

# The parts of a statement that a revision may bring; the others it gives by name.
REVISED = (
    "content",
    "kind",
    "attribute",
    "value",
    "importance",
    "confidence",
    "turns",
    "metadata",
    "details",
    "decisions",
    "sources",
    "dated_by",
)


class CannotUndo(Conflict):
    """Something later builds on this entry: undo that first."""

    code = "cannot_undo"


class NotPending(Conflict):
    """This memory does not wait for review."""

    code = "not_pending"


@dataclass(frozen=True, kw_only=True)
class Revision:
    """What may be given with `change` and `correct`; None keeps what the memory says.

    New content without a value has no value: the old one would not belong to it.
    """

    content: str | None = None
    kind: str | None = None
    attribute: str | None = None
    value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    importance: int | None = None
    confidence: float | None = None
    session: str = ""
    turns: tuple[str, ...] | None = None
    metadata: dict[str, Any] | None = None
    details: dict[str, Any] | None = None
    decisions: dict[str, Any] | None = None
    sources: tuple[UUID, ...] | None = None
    dated_by: DatedBy | None = None

    @classmethod
    def of(cls, statement: Statement, moment: datetime) -> "Revision":
        """A statement as what changes a memory from `moment` on."""
        return cls(
            content=statement.content,
            kind=statement.kind,
            attribute=statement.attribute,
            value=statement.value,
            valid_from=moment,
            valid_to=statement.valid_to,
            importance=statement.importance,
            confidence=statement.confidence,
            session=statement.session,
            turns=statement.turns,
            metadata=statement.metadata or None,
            sources=statement.sources or None,
            dated_by=statement.dated_by,
            details=statement.details,
            decisions=statement.decisions,
        )


@dataclass(frozen=True)
class Target:
    """A memory under its subject's lock: its current versions, and those it may have to carve."""

    work: Writing
    memory_id: UUID
    slot: str
    layer: list[MemoryVersion]

    @property
    def own(self) -> list[MemoryVersion]:
        return [v for v in self.layer if v.memory_id == self.memory_id]

    @property
    def held(self) -> list[rectangles.Held]:
        return held(self.layer, self.slot)

    def unchanged(self, version: MemoryVersion | None = None) -> Written:
        """Nothing to record: shown is the version that is so already, or else the newest."""
        shown = version or max(self.own, key=lambda v: v.valid_from)
        return Written(shown, shown.entry, "unchanged")

    def record(self, verb: str, effect: Effect, disposition: str, **recorded: Any) -> Written:
        """Record an effect; shown is what it opened of the memory, or else what is left of it."""
        entry, opened = self.work.record(verb, self.memory_id, effect, **recorded)
        mine = [v for v in opened if v.memory_id == self.memory_id]
        left = [v for v in self.own if v.id not in effect.closed]
        return Written(mine[0] if mine else (left or self.own)[-1], entry, disposition)


def change(
    principal: Principal, memory_id: UUID, revision: Revision, policy: Policy, version: UUID | None
) -> Written:
    """The world changed: a new version from `valid_from` (or now) on. Raises NothingToChange."""
    target = _target(principal, memory_id, version)
    start = revision.valid_from or target.work.moment
    before = next((v for v in target.own if _period(v).holds(start)), None)
    if before is None:
        raise rectangles.NothingToChange
    statement = _revised(target, before, revision)
    if revision.valid_from is None:
        statement = replace(statement, dated_by=DatedBy.RECORDING)
    period = Period(start, revision.valid_to)
    effect = rectangles.change(memory_id, target.slot, period, target.held)
    said = [_period(v) for v in target.own if _says(target, v, statement)]
    if not effect.opened[0].period.without(said):
        return target.unchanged(before)
    return _record_statement(target, Verb.CHANGE, effect, before, statement, policy)


def change_attribute(
    principal: Principal, *, subject: str, statement: Statement, policy: Policy
) -> Written:
    """The world changed in an attribute: whatever holds it then is changed, or the fact is learned.

    Raises Invalid without an attribute, or when several memories hold a multi-valued one.
    """
    if not statement.attribute:
        raise Invalid("Name the attribute that changed.", field="attribute")
    principal.require(Scope.WRITE)
    principal.require_subject(subject)
    # Under the lock, so that what is found here is still so when it is changed.
    work = writing(principal, ensure_subject(subject))
    start = statement.valid_from or work.moment
    rows = MemoryVersion.objects.filter(
        subject=work.subject,
        attribute=statement.attribute,
        recorded_to=None,
        pending=False,
        valid_from__lte=start,
    ).exclude(valid_to__lte=start)
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    holding = set(rows.values_list("memory_id", flat=True)[:2])
    if len(holding) > 1:
        raise Invalid(
            "Several memories hold this attribute: change the one that is meant by its id.",
            field="attribute",
        )
    if not holding:
        return remember(principal, subject=subject, statement=statement, policy=policy)
    revision = Revision(
        content=statement.content,
        value=statement.value,
        valid_from=statement.valid_from,
        valid_to=statement.valid_to,
        importance=statement.importance,
        confidence=statement.confidence,
        session=statement.session,
        turns=statement.turns,
        metadata=statement.metadata,
        details=statement.details,
        decisions=statement.decisions,
        dated_by=statement.dated_by,
    )
    return change(principal, holding.pop(), revision, policy, None)


def correct(
    principal: Principal, memory_id: UUID, revision: Revision, policy: Policy, version: UUID
) -> Written:
    """We were wrong: the version says something else, perhaps for another period."""
    target = _target(principal, memory_id, version)
    wrong = next(v for v in target.own if v.id == version)
    statement = _revised(target, wrong, revision)
    period = Period(
        revision.valid_from or wrong.valid_from,
        revision.valid_to if revision.valid_to is not None else wrong.valid_to,
    )
    if _says(target, wrong, statement) and period == _period(wrong):
        return target.unchanged(wrong)
    effect = rectangles.correct(version, target.slot, period, target.held)
    return _record_statement(
        target, Verb.CORRECT, effect, wrong, statement, policy, corrects=str(version)
    )


def end(
    principal: Principal, memory_id: UUID, at: datetime | None, version: UUID | None
) -> Written:
    """It stopped being true at `at` (or now), which may lie in the future."""
    target = _target(principal, memory_id, version)
    moment = at or target.work.moment
    effect = rectangles.end(memory_id, moment, target.held)
    if not effect.closed:
        return target.unchanged()
    return target.record(Verb.END, effect, "ended", facts={"valid_to": moment_of(moment)})


def retract(principal: Principal, memory_id: UUID, version: UUID | None = None) -> Written:
    """It was never true: believed no more, at any time. Audits still see it."""
    target = _target(principal, memory_id, version)
    effect = rectangles.retract(memory_id, target.held)
    return target.record(Verb.RETRACT, effect, "retracted", facts={})


def weigh(
    principal: Principal,
    memory_id: UUID,
    *,
    weight: float | None,
    importance: int | None,
    version: UUID | None,
) -> Written:
    """Let it count for more or less in recall. Raises Invalid when neither is given."""
    if weight is None and importance is None:
        raise Invalid("Give a weight or an importance.", field="weight")
    target = _target(principal, memory_id, version)
    wanted = {"weight": weight, "importance": importance}
    given = {name: value for name, value in wanted.items() if value is not None}
    if all(getattr(v, name) == value for v in target.own for name, value in given.items()):
        return target.unchanged()
    effect = rectangles.restate(memory_id, target.held)
    return target.record(Verb.WEIGH, effect, "weighed", facts={"set": given})


def approve(principal: Principal, memory_id: UUID, version: UUID | None = None) -> Written:
    """Believe what waited for review. Raises NotPending."""
    target = _pending(principal, memory_id, version)
    effect = rectangles.approve(memory_id, target.slot, target.held)
    return target.record(Verb.APPROVE, effect, "approved", facts={"set": {"pending": False}})


def decline(principal: Principal, memory_id: UUID, version: UUID | None = None) -> Written:
    """Do not believe what waited for review. Raises NotPending."""
    target = _pending(principal, memory_id, version)
    effect = rectangles.retract(memory_id, target.held)
    return target.record(Verb.DECLINE, effect, "declined", facts={})


def undo(principal: Principal, memory_id: UUID, entry_id: UUID) -> Written:
    """Revert one entry of this memory by a new entry. Raises CannotUndo, NotFound.

    What the entry opened is closed, and what it closed is opened again. That is possible while
    nothing later has touched what it opened, and what it closed still has its place.
    """
    subject = subject_of(principal, memory_id)
    work = writing(principal, subject)
    entry = Entry.objects.filter(id=entry_id, memory_id=memory_id, subject=subject).first()
    if entry is None:
        raise NotFound
    if entry.verb == Verb.ERASE:
        raise CannotUndo("An erasure cannot be undone: that is its point.")
    if entry.header["facts"].get("because") == "source":
        raise CannotUndo("It was withdrawn with what it was drawn from: undo that instead.")
    rows = MemoryVersion.objects.filter(subject=subject).order_by("valid_from", "id")
    opened = list(rows.filter(seq_from=entry.seq))
    closed = list(rows.filter(seq_to=entry.seq))
    if any(v.recorded_to is not None for v in opened):
        raise CannotUndo
    if not opened and not closed:
        raise CannotUndo("What this entry did was erased: nothing is left to undo.")
    effect = Effect(
        tuple(v.id for v in opened),
        tuple(Opening(v.memory_id, _period(v), v.id) for v in closed),
    )
    _require_room(work, effect, closed)
    recorded, reopened = work.record(
        Verb.CORRECT, memory_id, effect, facts={"undoes": str(entry.id)}
    )
    shown = _latest(reopened, memory_id) or _latest(opened, memory_id) or [*reopened, *opened][0]
    return Written(shown, recorded, "undone")


def _latest(versions: list[MemoryVersion], memory_id: UUID) -> MemoryVersion | None:
    """Of a memory's versions the one that begins last."""
    own = [v for v in versions if v.memory_id == memory_id]
    return max(own, key=lambda v: v.valid_from, default=None)


def _require_room(work: Writing, effect: Effect, reopened: list[MemoryVersion]) -> None:
    """What is opened again must not meet what has taken its place meanwhile."""
    for version in reopened:
        single = version.slot_high is not None
        period = _period(version)
        for other in work.layer(version.memory_id, version.attribute if single else ""):
            stays = other.id not in effect.closed
            rival = single and other.slot_high is not None
            in_its_place = stays and (rival or other.memory_id == version.memory_id)
            if in_its_place and _period(other).overlaps(period):
                raise CannotUndo


def _target(principal: Principal, memory_id: UUID, version: UUID | None) -> Target:
    """Lock a memory. Raises NotFound if nothing of it is believed, StaleVersion."""
    subject = subject_of(principal, memory_id)
    work = writing(principal, subject)
    own = work.layer(memory_id, "")
    if not own:
        raise NotFound
    if version is not None and all(v.id != version for v in own):
        raise StaleVersion(field="version")
    slot = own[0].attribute if own[0].single_valued else ""
    return Target(work, memory_id, slot, work.layer(memory_id, slot) if slot else own)


def _pending(principal: Principal, memory_id: UUID, version: UUID | None) -> Target:
    target = _target(principal, memory_id, version)
    if not any(v.pending for v in target.own):
        raise NotPending
    return target


def _revised(target: Target, before: MemoryVersion, revision: Revision) -> Statement:
    """What the memory says after the revision."""
    if revision.value is not None and revision.content is None:
        raise Invalid("Give the content that goes with the value.", field="content")
    words = words_of(before, target.work.cipher)
    same_words = revision.content is None
    statement = Statement(
        content=words["content"],
        kind=before.kind,
        attribute=before.attribute,
        value=words["value"] if same_words else None,
        turns=tuple(words["turns"]) if same_words else (),
        details=_kept_details(words, same_words=same_words),
        verbatim=same_words and before.entry.header["facts"]["verbatim"],
        expires_at=before.expires_at,
        importance=before.importance,
        confidence=before.confidence,
        weight=before.weight,
        agent=target.work.principal.acting_agent(before.agent),
        session=revision.session or before.session,
        metadata=before.metadata,
        valid_from=revision.valid_from,
        dated_by=None if revision.valid_from else before.entry.header["facts"]["dated_by"],
    )
    given = {
        name: getattr(revision, name) for name in REVISED if getattr(revision, name) is not None
    }
    return replace(statement, **given)


def _kept_details(words: dict[str, Any], *, same_words: bool) -> dict[str, Any]:
    """What a revision keeps of the details: all with the words, else what the memory was drawn as.

    Reflection knows by that what it has drawn, and that somebody has corrected it.
    """
    details: dict[str, Any] = words.get("details", {})
    return details if same_words else {k: v for k, v in details.items() if k == "key"}


def _period(version: MemoryVersion) -> Period:
    return Period(version.valid_from, version.valid_to)


def _says(target: Target, version: MemoryVersion, statement: Statement) -> bool:
    """Whether a version says the same already, in every respect."""
    return (
        bytes(version.fingerprint) == target.work.fingerprint(statement)
        and version.importance == statement.importance
        and version.confidence == statement.confidence
        and version.metadata == statement.metadata
    )


def _record_statement(
    target: Target,
    verb: str,
    effect: Effect,
    before: MemoryVersion,
    statement: Statement,
    policy: Policy,
    **more: Any,
) -> Written:
    facts = facts_of(
        statement,
        single_valued=before.single_valued,
        pending=before.pending,
        policy=policy.version,
    )
    return target.record(
        verb,
        effect,
        "superseded" if verb == Verb.CHANGE else "corrected",
        facts=facts | more,
        words=words_of_statement(statement),
    )
