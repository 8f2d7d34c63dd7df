"""Learn from the turns of a session: each thing that a person said walks the corridor once."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta, timezone, tzinfo
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from ledger import tail
from ledger.append import lock_head
from ledger.drafts import Draft, Said
from ledger.meaning import MeaningAway, Near, meaning
from ledger.metrics import EXTRACTIONS
from ledger.models import Job, Turn, TurnRole
from ledger.outcomes import seal_outcome
from ledger.pipeline import Understood, understand
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.services.believe import believe
from ledger.statements import DatedBy, Statement
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.models import Subject
from tenants.principals import AGENT_SCOPES, Principal

# What was said just before a turn, for the stages that look back.
LOOK_BACK = 8
# The details by which a statement ends or denies what was believed (ledger.extraction).
ENDING = frozenset({"ends", "ended_value", "denies", "denied_value"})


@dataclass(frozen=True)
class Heard:
    """One turn as it was read, with what the stages need to know."""

    turn_id: UUID
    subject: str
    subject_id: UUID
    session: str
    reference: str
    agent: str
    said: Said
    dated_by: DatedBy
    policy: Policy


def learn(principal: Principal, job: Job, progress: Callable[[int], None]) -> None:
    """Learn from every turn of a job that was not learned from yet, in order.

    Each turn is all or nothing: its memories and the mark that it was learned from commit together.
    """
    with tenant_context(principal.tenant_id):
        waiting = list(
            Turn.objects.filter(
                session=job.session,
                role=TurnRole.USER,
                number__range=(job.first_turn, job.last_turn),
                learned_at=None,
            )
            .order_by("number")
            .values_list("id", flat=True)
        )
    done = job.total - len(waiting)
    failures = []
    for turn_id in waiting:
        try:
            learn_turn(principal, turn_id)
        except Exception as failure:
            # One turn that cannot be learned must not keep those after it from it.
            failures.append(failure)
            continue
        done += 1
        progress(done)
    if failures:
        raise failures[0]


def learn_turn(principal: Principal, turn_id: UUID) -> None:
    """Learn from one turn. Slow stages run while no transaction is open."""
    heard = _hear(principal.tenant_id, turn_id)
    if heard is None:
        return
    understood = understand(heard.said, heard.policy)
    EXTRACTIONS.labels(understood.extracted.by, understood.extracted.failure or "").inc()
    nears = _look_around(principal, heard, understood)
    with tenant_context(principal.tenant_id):
        _record(principal, heard, understood, nears)


def as_agent(tenant_id: UUID, job: Job) -> Principal:
    """Who learns: the caller that sent the turns, with no more than an agent may."""
    return Principal(tenant_id, job.actor, AGENT_SCOPES, agent=job.agent or None)


def _hear(tenant_id: UUID, turn_id: UUID) -> Heard | None:
    """Read a turn and what was said before it; None if it was learned from or erased."""
    with tenant_context(tenant_id):
        rows = Turn.objects.select_related("subject", "session")
        turn = rows.filter(id=turn_id, learned_at=None).first()
        if turn is None:
            return None
        cipher = keys.cipher_for(turn.subject)
        words = json.loads(cipher.open(turn.id, turn.sealed))
        since = turn.session.turns - turn.number + 1
        before = [
            item["content"]
            for item in tail.recent(turn.session, cipher, LOOK_BACK + since)
            if item["number"] < turn.number
            and item["role"] == TurnRole.USER
            and item["agent"] == turn.agent
        ]
        return Heard(
            turn_id=turn.id,
            subject=turn.subject.external_id,
            subject_id=turn.subject_id,
            session=turn.session.external_id,
            reference=words["ref"] or str(turn.number),
            agent=turn.agent,
            said=Said(
                text=words["content"],
                at=turn.at,
                zone=_zone(words["offset"], turn.subject),
                speaker=words["name"],
                before=tuple(before[-LOOK_BACK:]),
            ),
            dated_by=DatedBy.TURN if turn.dated_by == DatedBy.CLIENT else DatedBy.RECORDING,
            policy=current_policy(),
        )


def _zone(offset: int | None, subject: Subject) -> tzinfo:
    """Where words like "tomorrow" are meant: where the turn says, else where the person lives."""
    return timezone(timedelta(minutes=offset)) if offset else ZoneInfo(subject.time_zone)


def _look_around(principal: Principal, heard: Heard, understood: Understood) -> list[list[Near]]:
    """For each draft, the believed versions that may say the same; none without an encoder."""
    tenant_id = principal.tenant_id
    drafts = understood.extracted.drafts
    if not drafts:
        return []
    try:
        vectors = understood.vectors.all([draft.content for draft in drafts])
    except MeaningAway:
        return [[] for _ in drafts]
    meaning().catch_up(tenant_id, heard.subject_id)
    limit = heard.policy.merging.candidates
    with tenant_context(tenant_id):
        turn = Turn.objects.select_related("subject").filter(id=heard.turn_id).first()
        if turn is None:
            return [[] for _ in drafts]
        cipher = keys.cipher_for(turn.subject)
        agent = principal.agent or ""
        return [meaning().near(cipher, vector, limit, agent=agent) for vector in vectors]


def _record(
    principal: Principal, heard: Heard, understood: Understood, nears: list[list[Near]]
) -> None:
    """Write the drafts and mark the turn; a second worker with the same turn finds the mark."""
    turn = Turn.objects.select_related("subject").filter(id=heard.turn_id).first()
    if turn is None:
        return  # erased meanwhile
    # As for every write the head comes first: an erasure that holds it has taken the turn with it.
    lock_head(turn.subject)
    marked = Turn.objects.filter(id=turn.id, learned_at=None).update(learned_at=clock.now())
    if not marked:
        return
    cipher = keys.cipher_for(turn.subject)
    statements = [
        _write(principal, heard, draft, understood, near)
        for draft, near in zip(understood.extracted.drafts, nears, strict=True)
    ]
    outcome = _outcome(understood, statements)
    Turn.objects.filter(id=turn.id).update(sealed_outcome=seal_outcome(turn.id, outcome, cipher))


def _write(
    principal: Principal, heard: Heard, draft: Draft, understood: Understood, near: list[Near]
) -> dict[str, Any]:
    statement = statement_of(draft, heard, understood.admission_of(draft))
    written, met = believe(
        principal, subject=heard.subject, statement=statement, policy=heard.policy, near=near
    )
    vector = understood.vectors.made(draft.content)
    if vector is not None and written.disposition not in ("unchanged", "merged"):
        meaning().keep(written.version, draft.content, vector)
    return {
        "text": draft.content,
        "memory": str(written.version.memory_id),
        "disposition": written.disposition,
        "decided_by": list(draft.decided_by),
        "compared": [item.record() for item in met],
    }


def statement_of(draft: Draft, heard: Heard, admission: dict[str, Any]) -> Statement:
    """A draft as a statement with its source.

    What a named speaker says of themself must neither fill the subject's own slots of one value nor
    end any.
    """
    dated = draft.valid_from is not None and draft.valid_from != heard.said.at
    others = bool(heard.said.speaker) and draft.attribute in heard.policy.attributes.single_valued
    return Statement(
        content=draft.content,
        kind=draft.kind,
        attribute="" if others else draft.attribute,
        value=None if others else draft.value,
        valid_from=draft.valid_from or heard.said.at,
        said_at=heard.said.at,
        dated_by=DatedBy.WORDS if dated else heard.dated_by,
        valid_to=draft.valid_to,
        importance=draft.importance,
        confidence=draft.confidence,
        agent=heard.agent,
        session=heard.session,
        turns=(heard.reference,),
        details=_own(draft.details, heard) | {"polarity": draft.polarity},
        decisions={
            **admission,
            "extracted_by": list(draft.decided_by),
            "turn": str(heard.turn_id),
        },
    )


def _own(details: dict[str, Any], heard: Heard) -> dict[str, Any]:
    """The details without what would end the subject's slots, if somebody else spoke."""
    if not heard.said.speaker:
        return details
    return {name: value for name, value in details.items() if name not in ENDING}


def _outcome(understood: Understood, statements: list[dict[str, Any]]) -> dict[str, Any]:
    """What was decided about one turn, stage by stage, for people to see."""
    extracted = understood.extracted
    return {
        "sentences": [item.record() for item in understood.judged],
        "extracted_by": extracted.by,
        "model_failure": extracted.failure,
        "dropped": extracted.dropped,
        "statements": statements,
    }
