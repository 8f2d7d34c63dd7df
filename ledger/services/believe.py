"""Take a statement in beside what is believed: merge, supersede, put up for review, or add.

The comparison (ledger.merging) is made under the subject's lock, over candidates that were found
before it; what a concurrent writer added since is caught only if it says exactly the same.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ledger import rectangles
from ledger.meaning import Near
from ledger.meeting import Met, covers, meet
from ledger.merging import Reason, Relation, strengthened
from ledger.metrics import WRITTEN
from ledger.models import MemoryVersion, Verb
from ledger.policy import Policy
from ledger.projection import words_of
from ledger.services.remember import remember
from ledger.services.revise import Revision, change, correct, end, retract
from ledger.statements import Statement
from ledger.writing import Writing, Written, held, writing
from tenants.principals import Principal
from tenants.services.ensure_subject import ensure_subject


def believe(
    principal: Principal,
    *,
    subject: str,
    statement: Statement,
    policy: Policy,
    near: Sequence[Near] = (),
    stated: frozenset[str] = frozenset(),
) -> tuple[Written, list[Met]]:
    """Write one masked statement, in the tenant context that is open.

    `stated` names the parts that a client gave on purpose: a memory that differs there is another.
    Raises ScopeMissing, Pinned, EmptyPeriod.
    """
    principal.require_subject(subject)
    statement = replace(statement, agent=principal.acting_agent(statement.agent))
    work = writing(principal, ensure_subject(subject))
    met = meet(work, statement, near, policy, stated)
    if met:
        decisions = statement.decisions | {"compared": [item.record() for item in met]}
        statement = replace(statement, decisions=decisions)
    if "valid_from" in stated:
        met = [item for item in met if covers(item, statement, work)]
    written = _settle(work, statement, met, policy)
    WRITTEN.labels(written.disposition).inc()
    return written, met


def _settle(work: Writing, statement: Statement, met: list[Met], policy: Policy) -> Written:
    by_relation = {
        relation: [item for item in met if item.judgement.relation == relation]
        for relation in Relation
    }
    if attribute := statement.details.get("ends"):
        work = _end_slot(work, attribute, statement)
        by_relation[Relation.REPLACES] = []
    if same := by_relation[Relation.SAME]:
        return _merge(work, statement, same[0], policy)
    if replaced := by_relation[Relation.REPLACES]:
        return _replace(work, statement, [item.version for item in replaced], policy)
    return remember(
        work.principal,
        subject=work.subject.external_id,
        statement=_before_what_came_after(statement, met),
        policy=policy,
        pending=bool(by_relation[Relation.UNCERTAIN]),
    )


def _end_slot(work: Writing, attribute: str, statement: Statement) -> Writing:
    """ "I don't live in Paris anymore": what held the attribute, with that value, ends.

    Gives the lock again, at the moment after that.
    """
    moment = statement.valid_from or work.moment
    said = str(statement.details.get("ended_value", "")).casefold()
    rows = MemoryVersion.objects.filter(
        subject=work.subject, attribute=attribute, recorded_to=None, pending=False
    ).filter(valid_from__lt=moment)
    if work.principal.agent:
        rows = rows.filter(agent=work.principal.agent)
    for version in rows.exclude(valid_to__lte=moment):
        value = (words_of(version, work.cipher)["value"] or "").casefold()
        if not said or value == said:
            end(work.principal, version.memory_id, moment, None)
    return writing(work.principal, work.subject)


def _before_what_came_after(statement: Statement, met: list[Met]) -> Statement:
    """What was true before something that is believed took its place: it held until then."""
    later = [m.version.valid_from for m in met if m.judgement.reason == Reason.OLDER]
    if not later:
        return statement
    until = min(later)
    return replace(statement, valid_to=min(statement.valid_to or until, until))


def _merge(work: Writing, statement: Statement, met: Met, policy: Policy) -> Written:
    """Said again: the memory counts for more, and the ledger keeps where it was heard."""
    old = met.version
    heard_before = met.judgement.reason == Reason.IDENTICAL
    source = (statement.session, statement.turns)
    if heard_before and source in ((old.session, _turns(old, work)), ("", ())):
        return Written(old, old.entry, "unchanged")
    weight, confidence = strengthened(old.weight, old.confidence, policy.merging)
    layer = work.layer(old.memory_id, "")
    entry, opened = work.record(
        Verb.LINK,
        old.memory_id,
        rectangles.restate(old.memory_id, held(layer, "")),
        facts={
            "set": {"weight": weight, "confidence": confidence + 0.0},
            "session": statement.session,
            "agent": statement.agent,
            "policy": policy.version,
        },
        words={
            "heard": statement.content,
            "turns": list(statement.turns),
            "decisions": statement.decisions,
        },
    )
    shown = next((v for v in opened if v.valid_from == old.valid_from), opened[0])
    return Written(shown, entry, "merged")


def _turns(version: MemoryVersion, work: Writing) -> tuple[str, ...]:
    return tuple(words_of(version, work.cipher)["turns"])


def _replace(
    work: Writing, statement: Statement, replaced: list[MemoryVersion], policy: Policy
) -> Written:
    """The newest of what is replaced gets a new version; the others end there.

    What would begin after it (it was dated by being said) was a mistake about the time: corrected.
    """
    moment = statement.valid_from or work.moment
    newest = max(replaced, key=lambda version: version.valid_from)
    # A memory keeps the slot that it holds alone, and the agent that was told it: another slot, or
    # another agent's words, are another memory.
    single = newest.single_valued or statement.attribute in policy.attributes.single_valued
    moves = single and statement.attribute != newest.attribute
    moves = moves or statement.agent != newest.agent
    for version in replaced:
        if moves or version.memory_id != newest.memory_id:
            _stop(work, version, moment)
    if moves:
        written = remember(
            work.principal, subject=work.subject.external_id, statement=statement, policy=policy
        )
        return replace(written, disposition="superseded")
    revision = Revision.of(statement, moment)
    if moment > newest.valid_from:
        return change(work.principal, newest.memory_id, revision, policy, None)
    written = correct(work.principal, newest.memory_id, revision, policy, newest.id)
    return replace(written, disposition="superseded")


def _stop(work: Writing, version: MemoryVersion, moment: datetime) -> None:
    """A replaced version ends at the moment; one that would begin later never held."""
    if version.valid_from < moment:
        end(work.principal, version.memory_id, moment, None)
    else:
        retract(work.principal, version.memory_id)
