"""REST: write a memory, list memories, read one."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import (
    AnsweredAt,
    AsOfQuery,
    ListQuery,
    MemoryAt,
    MemoryIn,
    MemoryOut,
    MemoryPage,
    WrittenOut,
)
from ledger.api.writing import IDEMPOTENCY_KEY, answer_write
from ledger.selectors import AsOf, Filters, as_memories, as_of, find_versions, get_memory
from ledger.services import revise
from ledger.services.write_memory import prepare, write
from ledger.statements import Statement
from tenants.api.pagination import paginate
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context


def answered_at(at: AsOf) -> dict[str, Any]:
    """Both axes, echoed."""
    data: dict[str, Any] = AnsweredAt(at).data
    return data


class MemoriesView(TenantAPIView):
    """The memories of a tenant, or of one subject."""

    @extend_schema(
        operation_id="write_memory",
        parameters=[IDEMPOTENCY_KEY],
        request=MemoryIn,
        responses={200: WrittenOut, 201: WrittenOut},
    )
    def post(self, request: Request) -> Response:
        """Remember one thing. What says nothing new answers 200 and "unchanged".

        What is not worth remembering is refused (422, with the rule), unless it is `verbatim`.
        With operation "change" the world changed: what was believed of the attribute ends there.
        """
        given = validated(MemoryIn, request.data)
        stated = set(request.data)
        prepared = prepare(
            self.principal,
            subject=given.pop("subject"),
            operation=given.pop("operation"),
            statement=Statement(**given),
            given=stated,
        )
        return answer_write(
            request,
            self.principal,
            lambda: write(self.principal, prepared),
            status=lambda written: 200 if written.disposition == "unchanged" else 201,
        )

    @extend_schema(
        operation_id="list_memories", parameters=[ListQuery], responses={200: MemoryPage}
    )
    def get(self, request: Request) -> Response:
        """List memories, newest first, as of a point on both time axes (default: now)."""
        given = validated(ListQuery, request.query_params.dict())
        at = as_of(given.pop("valid_at", None), given.pop("known_at", None))
        limit, cursor = given.pop("limit"), given.pop("cursor", None)
        with tenant_context(self.principal.tenant_id):
            rows = find_versions(self.principal, Filters(**given), at)
            page = paginate(rows, moment="recorded_from", limit=limit, cursor=cursor)
            results = MemoryOut(as_memories(self.principal, page.rows, at), many=True).data
        return Response({"results": results, "next": page.next, "answered_at": answered_at(at)})


class MemoryDetailView(TenantAPIView):
    """One memory."""

    @extend_schema(
        operation_id="delete_memory", parameters=[IDEMPOTENCY_KEY], responses={200: WrittenOut}
    )
    def delete(self, request: Request, memory_id: str) -> Response:
        """Retract a memory: the same as POST …/retract. A second time answers 404."""
        return answer_write(
            request, self.principal, lambda: revise.retract(self.principal, UUID(memory_id))
        )

    @extend_schema(operation_id="read_memory", parameters=[AsOfQuery], responses={200: MemoryAt})
    def get(self, request: Request, memory_id: str) -> Response:
        """Read one memory as of a point on both time axes (default: now)."""
        given = validated(AsOfQuery, request.query_params.dict())
        at = as_of(given.get("valid_at"), given.get("known_at"))
        with tenant_context(self.principal.tenant_id):
            memory = MemoryOut(get_memory(self.principal, UUID(memory_id), at)).data
        return Response(memory | {"answered_at": answered_at(at)})
