"""Traces: the stored record of a recall, sealed, and how it is read again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.chain import canonical
from ledger.masking import Reader, reader_for
from ledger.models import MemoryVersion
from ledger.selectors import AsOf, MemoryView, as_memory
from recall.candidates import Candidate
from recall.encoders import encoder
from recall.models import Trace
from recall.packing import Context
from tenants import clock, ids, keys
from tenants.api.fields import moment_text
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.record_access import record_access

if TYPE_CHECKING:
    from recall.pipeline import Asked


# The parts of a score that a policy weighs.
PARTS = ("relevance", "recency", "importance")


def store_trace(
    asked: Asked,
    *,
    seq: int,
    candidates: list[Candidate],
    returned: set[UUID],
    context: Context,
    milliseconds: dict[str, float],
) -> Trace:
    """Seal and store one trace, and write the audit's line, before the answer leaves."""
    trace_id, moment = ids.new_id(), clock.now()
    question, at, principal = asked.question, asked.at, asked.principal
    record = {
        "query": question.query,
        "top_k": question.top_k,
        "kinds": list(question.kinds),
        "min_score": question.min_score,
        "answered_at": {
            "valid_at": moment_text(at.valid_at),
            "known_at": moment_text(at.known_at),
            "seq": seq,
        },
        "encoder": encoder().name,
        "policy": asked.policy.version,
        "weights": {part: getattr(asked.policy.ranking, part) for part in PARTS},
        "strategy": {"vector": "exact within the subject", "lexical": "BM25 over hashed terms"},
        "not_encoded_yet": asked.not_encoded,
        "candidates": [_recorded(c, place, returned, context) for place, c in _placed(candidates)],
        "tokens": context.tokens,
        "milliseconds": milliseconds,
    }
    trace = Trace(
        id=trace_id,
        subject=asked.subject,
        at=moment,
        actor=principal.actor,
        agent=principal.agent or "",
        expires_at=moment + timedelta(days=asked.policy.retention.trace_days),
        sealed=asked.cipher.seal(trace_id, canonical(record)),
    )
    trace.save(force_insert=True)
    record_access(principal, action="recall", object_id=question.subject)
    return trace


def _placed(candidates: list[Candidate]) -> Iterable[tuple[int, Candidate]]:
    return enumerate(candidates, start=1)


def _recorded(
    candidate: Candidate, place: int, returned: set[UUID], context: Context
) -> dict[str, Any]:
    """One candidate as the trace keeps it: by id, without its words."""
    verdict = candidate.withheld_by
    if verdict is None:
        verdict = "returned" if candidate.version_id in returned else "beyond_top_k"
    return {
        "memory": str(candidate.memory_id),
        "version": str(candidate.version_id),
        "place": place,
        "score": round(candidate.score, 6),
        "score_breakdown": {name: round(x, 6) for name, x in candidate.breakdown.items()},
        "arms": {
            name: {"score": round(arm.score, 6), "rank": arm.rank}
            for name, arm in candidate.arms.items()
        },
        "weight": candidate.weight,
        "verdict": verdict,
        "in_context": candidate.memory_id in context.packed,
    }


@dataclass(frozen=True)
class TracedCandidate:
    """A candidate of a stored trace; `memory` is None once it was erased."""

    record: dict[str, Any]
    memory: MemoryView | None


@dataclass(frozen=True)
class TraceView:
    """A stored trace, readable."""

    id: UUID
    subject: str
    at: datetime
    actor: str
    record: dict[str, Any]
    candidates: list[TracedCandidate]


def get_trace(principal: Principal, trace_id: UUID) -> TraceView:
    """One trace. Raises NotFound for a missing and for a foreign id alike."""
    principal.require(Scope.READ)
    trace = Trace.objects.select_related("subject").filter(id=trace_id).first()
    if trace is None or (principal.agent and trace.agent != principal.agent):
        raise NotFound
    principal.require_visible(trace.subject.external_id)
    reader = reader_for(principal, keys.cipher_for(trace.subject))
    record: dict[str, Any] = json.loads(reader.cipher.open(trace.id, trace.sealed))
    record["query"] = reader.show(record["query"])
    return TraceView(
        id=trace.id,
        subject=trace.subject.external_id,
        at=trace.at,
        actor=trace.actor,
        record=record,
        candidates=_with_memories(record, reader),
    )


def find_traces(principal: Principal, subject: Subject) -> QuerySet[Trace]:
    """The traces of one subject that `principal` may see. Raises ScopeMissing, NotFound."""
    principal.require(Scope.READ)
    principal.require_visible(subject.external_id)
    rows = Trace.objects.filter(subject=subject)
    return rows.filter(agent=principal.agent) if principal.agent else rows


def question_of(trace: Trace, reader: Reader) -> str:
    """What was asked."""
    record: dict[str, Any] = json.loads(reader.cipher.open(trace.id, trace.sealed))
    return reader.show(record["query"])


def _with_memories(record: dict[str, Any], reader: Reader) -> list[TracedCandidate]:
    """Each candidate with its version's words as they are stored now."""
    at = AsOf(
        datetime.fromisoformat(record["answered_at"]["valid_at"]),
        datetime.fromisoformat(record["answered_at"]["known_at"]),
    )
    versions = MemoryVersion.objects.select_related("entry", "subject").in_bulk(
        [UUID(c["version"]) for c in record["candidates"]]
    )
    found = []
    for candidate in record["candidates"]:
        version = versions.get(UUID(candidate["version"]))
        memory = as_memory(version, reader, at) if version else None
        found.append(TracedCandidate(candidate, memory))
    return found
