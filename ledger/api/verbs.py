"""REST: the verbs that revise one memory, each a row of VERBS, and its history."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import (
    ChangeIn,
    CorrectIn,
    EndIn,
    HistoryOut,
    ReviewIn,
    UndoIn,
    WeighIn,
    WrittenOut,
)
from ledger.api.writing import IDEMPOTENCY_KEY, answer_write
from ledger.policies import current_policy
from ledger.selectors import get_history
from ledger.services import revise
from ledger.services.mask_words import mask_revision, settle_revision
from ledger.services.revise import Revision
from ledger.writing import Written
from tenants.api.fields import StrictSerializer
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context
from tenants.principals import Principal

Given = dict[str, Any]
Do = Callable[[Principal, UUID, Given], Written]


def _change(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """The world changed: a new version from valid_from (default: now) on."""
    version = given.pop("version", None)
    return revise.change(principal, memory_id, Revision(**given), current_policy(), version)


def _correct(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """We were wrong: what the named version says, or when it held, was never so."""
    version = given.pop("version")
    return revise.correct(principal, memory_id, Revision(**given), current_policy(), version)


def _end(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """It stops being true at valid_to (default: now), which may lie in the future."""
    return revise.end(principal, memory_id, given.get("valid_to"), given.get("version"))


def _retract(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """It was never true: believed no more. The history still shows it."""
    return revise.retract(principal, memory_id, given.get("version"))


def _weigh(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """Let it count for more or for less in recall."""
    return revise.weigh(
        principal,
        memory_id,
        weight=given.get("weight"),
        importance=given.get("importance"),
        version=given.get("version"),
    )


def _approve(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """Believe what waited for review."""
    return revise.approve(principal, memory_id, given.get("version"))


def _decline(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """Do not believe what waited for review."""
    return revise.decline(principal, memory_id, given.get("version"))


def _undo(principal: Principal, memory_id: UUID, given: Given) -> Written:
    """Revert one entry of this memory by a new entry."""
    return revise.undo(principal, memory_id, given["entry"])


VERBS: dict[str, tuple[type[StrictSerializer], Do]] = {
    "change": (ChangeIn, _change),
    "correct": (CorrectIn, _correct),
    "end": (EndIn, _end),
    "retract": (ReviewIn, _retract),
    "weigh": (WeighIn, _weigh),
    "approve": (ReviewIn, _approve),
    "decline": (ReviewIn, _decline),
    "undo": (UndoIn, _undo),
}


def verb_view(name: str) -> Callable[..., Any]:
    """The view of one verb: POST /memories/{id}/{name}."""
    takes, do = VERBS[name]

    class VerbView(TenantAPIView):
        @extend_schema(
            operation_id=f"{name}_memory",
            description=do.__doc__,
            parameters=[IDEMPOTENCY_KEY],
            request=takes,
            responses={200: WrittenOut},
        )
        def post(self, request: Request, memory_id: str) -> Response:
            given = validated(takes, request.data)
            memory = UUID(memory_id)
            masked = mask_revision(self.principal, memory, given)
            return answer_write(
                request,
                self.principal,
                lambda: do(self.principal, memory, dict(settle_revision(memory, given, masked))),
            )

    return VerbView.as_view()


class HistoryView(TenantAPIView):
    """Everything that was ever believed of one memory."""

    @extend_schema(operation_id="read_history", responses={200: HistoryOut})
    def get(self, request: Request, memory_id: str) -> Response:
        """All versions of a memory, in the order of recording, and the entries that made them."""
        with tenant_context(self.principal.tenant_id):
            history = get_history(self.principal, UUID(memory_id))
            return Response(HistoryOut(history).data)
