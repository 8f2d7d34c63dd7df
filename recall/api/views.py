"""REST: ask, and read the trace of an answer."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import MemoryOut
from ledger.api.writing import IDEMPOTENCY_KEY, answer_once
from ledger.idempotency import Result
from recall.api.serializers import AnswerOut, RecallIn, ReplyIn, ReplyOut, SaidOut, TraceOut
from recall.exchange import Answer, Question, Recalled
from recall.pipeline import ask
from recall.replies import add_reply, prepare_reply
from recall.traces import TraceView, get_trace
from tenants.api.fields import moment_text
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context


class RecallView(TenantAPIView):
    """Which memories answer a question."""

    @extend_schema(operation_id="recall", request=RecallIn, responses={200: AnswerOut})
    def post(self, request: Request) -> Response:
        """The memories that answer a question about one subject, packed for a model's context."""
        question = Question(**validated(RecallIn, request.data))
        return Response(answer_body(ask(self.principal, question)))


class TraceDetailView(TenantAPIView):
    """Why an answer used what it used."""

    @extend_schema(operation_id="read_trace", responses={200: TraceOut})
    def get(self, request: Request, trace_id: str) -> Response:
        """Every candidate of one recall: its score and rank per arm, and the gate's verdict."""
        with tenant_context(self.principal.tenant_id):
            return Response(trace_body(get_trace(self.principal, UUID(trace_id))))


class ReplyView(TenantAPIView):
    """What an agent said with an answer."""

    @extend_schema(
        operation_id="add_reply",
        parameters=[IDEMPOTENCY_KEY],
        request=ReplyIn,
        responses={201: ReplyOut},
    )
    def post(self, request: Request, trace_id: str) -> Response:
        """Keep what was said with an answer, and which of its memories were used."""
        given = validated(ReplyIn, request.data)
        prepared = prepare_reply(self.principal, UUID(trace_id), **given)

        def work() -> Result:
            reply = add_reply(self.principal, prepared)
            body = {
                "id": str(reply.id),
                "trace": str(reply.trace_id),
                "at": moment_text(reply.at),
            }
            return Result(201, body, reply.subject)

        return answer_once(request, self.principal, work)


def answer_body(answer: Answer) -> dict[str, Any]:
    """An answer in the shape of AnswerOut."""
    return {
        "trace": str(answer.trace),
        "answered_at": {
            "valid_at": moment_text(answer.at.valid_at),
            "known_at": moment_text(answer.at.known_at),
            "seq": answer.seq,
        },
        "memories": [recalled_body(item) for item in answer.memories],
        "context": answer.context,
        "tokens": answer.tokens,
        "footer": answer.footer,
        "withheld": answer.withheld,
        "not_encoded_yet": answer.not_encoded,
        "missing": answer.missing,
        "cached": answer.cached,
    }


def recalled_body(item: Recalled) -> dict[str, Any]:
    """One memory in the shape of RecalledOut."""
    return {
        **MemoryOut(item.memory).data,
        "score": item.score,
        "score_breakdown": item.score_breakdown,
        "why": item.why,
    }


def trace_body(trace: TraceView) -> dict[str, Any]:
    """A trace in the shape of TraceOut."""
    return {
        "id": str(trace.id),
        "subject": trace.subject,
        "at": moment_text(trace.at),
        "actor": trace.actor,
        "repeats": trace.repeats and str(trace.repeats),
        "found_at": moment_text(trace.found_at),
        # Traces that were stored by an earlier version lack them.
        "filters": None,
        **trace.record,
        "candidates": [
            {**c.record, "content": c.memory.content if c.memory else None}
            for c in trace.candidates
        ],
        "answers": [dict(SaidOut(reply).data) for reply in trace.replies],
    }
