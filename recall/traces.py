"""Traces: the stored record of a recall, sealed, and how it is read again."""

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from pydantic_core import to_json

from ledger.masking import Reader, reader_for
from ledger.selectors import AsOf, MemoryView, as_memory, versions_of
from recall.candidates import Candidate
from recall.exchange import Asked
from recall.gate import BEYOND_TOP_K, RETURNED
from recall.models import Reply, Trace
from recall.packing import Context
from recall.progress import Progress
from recall.ranking import Found, Ranked
from recall.scoring import PARTS
from tenants import clock, ids, keys
from tenants.api.fields import moment_text
from tenants.crypto import SubjectCipher
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.record_access import record_access
from tenants.statements import insert


def store_trace(
    asked: Asked,
    *,
    found: Found,
    ranked: Ranked,
    returned: set[UUID],
    context: Context,
    progress: Progress,
) -> Trace:
    """Seal and store one trace, and write the audit's line, before the answer leaves."""
    question, at, policy = asked.question, asked.at, asked.policy
    record = {
        "query": question.query,
        "top_k": question.top_k,
        "kinds": list(question.kinds),
        "filters": question.filters.given or None,
        "min_score": question.min_score,
        "answered_at": {
            "valid_at": moment_text(at.valid_at),
            "known_at": moment_text(at.known_at),
            "seq": found.snapshot.seq,
        },
        "encoder": found.snapshot.encoder,
        "policy": policy.version,
        "weights": {part: getattr(policy.ranking, part) for part in PARTS},
        "strategy": found.strategy,
        "missing": progress.missing,
        "answerable": round(ranked.answerable, 4),
        "not_encoded_yet": found.not_encoded,
        "considered": len(found.snapshot),
        "candidates": [
            _recorded(c, place, returned, context)
            for place, c in enumerate(ranked.candidates, start=1)
        ],
        # So that what was said with a turn goes when the turn goes.
        "session": question.session or None,
        "turns": [str(turn) for turn in context.turns],
        "summary": str(context.summary) if context.summary else None,
        "tokens": context.tokens,
        "milliseconds": progress.milliseconds,
    }
    expires_at = clock.now() + timedelta(days=policy.retention.trace_days)
    return _store(asked, record, expires_at)


def store_repetition(asked: Asked, first: UUID, expires_at: datetime) -> Trace:
    """The trace of an answer that was given once more, kept no longer than the first one's."""
    return _store(asked, {"query": asked.question.query}, expires_at, first)


def _store(
    asked: Asked, record: dict[str, Any], expires_at: datetime, repeats: UUID | None = None
) -> Trace:
    trace_id, principal = ids.new_id(), asked.principal
    trace = Trace(
        id=trace_id,
        subject=asked.subject,
        at=clock.now(),
        actor=principal.actor,
        agent=principal.agent or "",
        expires_at=expires_at,
        repeats_id=repeats,
        sealed=asked.cipher.seal(trace_id, to_json(record)),
    )
    insert(trace)
    record_access(principal, action="recall", object_id=asked.question.subject)
    return trace


def _recorded(
    candidate: Candidate, place: int, returned: set[UUID], context: Context
) -> dict[str, Any]:
    """One candidate as the trace keeps it: by id, without its words."""
    verdict = candidate.withheld_by
    if verdict is None:
        verdict = RETURNED if candidate.version_id in returned else BEYOND_TOP_K
    return {
        "memory": str(candidate.memory_id),
        "version": str(candidate.version_id),
        "place": place,
        "score": candidate.score,
        "score_breakdown": candidate.breakdown,
        "arms": {
            name: {"score": arm.score, "rank": arm.rank} for name, arm in candidate.arms.items()
        },
        "weight": candidate.weight,
        "verdict": verdict,
        # Another version of the memory may stand there.
        "in_context": verdict == RETURNED and candidate.memory_id in context.packed,
    }


@dataclass(frozen=True)
class TracedCandidate:
    """A candidate of a stored trace; `memory` is None once it was erased."""

    record: dict[str, Any]
    memory: MemoryView | None


@dataclass(frozen=True)
class ReplyView:
    """What an agent said with an answer, readable; `used` are ids of memories."""

    id: UUID
    at: datetime
    actor: str
    text: str
    used: list[UUID]


@dataclass(frozen=True)
class TraceView:
    """A stored trace, readable. `found_at` is when its candidates were found: earlier than `at`
    if it repeats another.
    """

    id: UUID
    subject: str
    at: datetime
    actor: str
    repeats: UUID | None
    found_at: datetime
    record: dict[str, Any]
    candidates: list[TracedCandidate]
    replies: list[ReplyView]


def visible_trace(principal: Principal, trace_id: UUID) -> Trace:
    """One trace as it is stored. Raises NotFound for a missing and for a foreign id alike."""
    trace = Trace.objects.select_related("subject", "repeats").filter(id=trace_id).first()
    if trace is None or (principal.agent and trace.agent != principal.agent):
        raise NotFound
    principal.require_visible(trace.subject.external_id)
    return trace


def get_trace(principal: Principal, trace_id: UUID) -> TraceView:
    """One trace. Raises ScopeMissing, and NotFound for a missing and for a foreign id alike."""
    principal.require(Scope.READ)
    trace = visible_trace(principal, trace_id)
    reader = reader_for(principal, keys.cipher_for(trace.subject))
    told = trace.repeats or trace
    record = record_of(told, reader.cipher)
    record["query"] = reader.show(record["query"])
    return TraceView(
        id=trace.id,
        subject=trace.subject.external_id,
        at=trace.at,
        actor=trace.actor,
        repeats=trace.repeats_id,
        found_at=told.at,
        record=record,
        candidates=_with_memories(trace.subject, record, reader),
        replies=replies_by_trace(Reply.objects.filter(trace=trace), reader)[trace.id],
    )


def replies_by_trace(
    replies: QuerySet[Reply], reader: Reader
) -> defaultdict[UUID, list[ReplyView]]:
    """What was said, by the trace that it was said with, in the order of saying."""
    said: defaultdict[UUID, list[ReplyView]] = defaultdict(list)
    for reply in replies.order_by("at", "id"):
        words = json.loads(reader.cipher.open(reply.id, reply.sealed))
        used = [UUID(memory) for memory in words["used"]]
        text = reader.show(words["text"])
        said[reply.trace_id].append(ReplyView(reply.id, reply.at, reply.actor, text, used))
    return said


def forget_traces(traces: QuerySet[Trace]) -> None:
    """Delete traces, the repetitions of their answers, and what agents said with these."""
    gone = list(traces.values_list("id", flat=True))
    told = Trace.objects.filter(Q(id__in=gone) | Q(repeats_id__in=gone))
    Reply.objects.filter(trace_id__in=list(told.values_list("id", flat=True))).delete()
    told.delete()


def find_traces(principal: Principal, subject: Subject) -> QuerySet[Trace]:
    """The traces of one subject that `principal` may see. Raises ScopeMissing, NotFound."""
    principal.require(Scope.READ)
    principal.require_visible(subject.external_id)
    rows = Trace.objects.filter(subject=subject)
    return rows.filter(agent=principal.agent) if principal.agent else rows


def record_of(trace: Trace, cipher: SubjectCipher) -> dict[str, Any]:
    """What is sealed in a trace; in one that repeats another, the question only."""
    record: dict[str, Any] = json.loads(cipher.open(trace.id, trace.sealed))
    return record


def question_of(trace: Trace, reader: Reader) -> str:
    """What was asked."""
    return reader.show(record_of(trace, reader.cipher)["query"])


def _with_memories(
    subject: Subject, record: dict[str, Any], reader: Reader
) -> list[TracedCandidate]:
    """Each candidate with its version's words as they are stored now."""
    at = AsOf(
        datetime.fromisoformat(record["answered_at"]["valid_at"]),
        datetime.fromisoformat(record["answered_at"]["known_at"]),
    )
    versions = versions_of(subject, [UUID(c["version"]) for c in record["candidates"]])
    reader.expect(versions.values())
    found = []
    for candidate in record["candidates"]:
        version = versions.get(UUID(candidate["version"]))
        memory = as_memory(version, reader, at) if version else None
        found.append(TracedCandidate(candidate, memory))
    return found
