"""REST: write a memory, list memories, read one."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import (
    AnsweredAt,
    AsOfQuery,
    EntryRef,
    ListQuery,
    MemoryAt,
    MemoryIn,
    MemoryOut,
    MemoryPage,
    WrittenOut,
)
from ledger.selectors import AsOf, Filters, as_memories, as_of, find_versions, get_memory
from ledger.services.remember import remember
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
        operation_id="write_memory", request=MemoryIn, responses={200: WrittenOut, 201: WrittenOut}
    )
    def post(self, request: Request) -> Response:
        """Remember one thing. What says nothing new answers 200 and "unchanged"."""
        given = validated(MemoryIn, request.data)
        subject = given.pop("subject")
        written, view = remember(self.principal, subject=subject, statement=Statement(**given))
        body = {
            "memory": MemoryOut(view).data,
            "disposition": written.disposition,
            "entry": EntryRef(written.entry).data,
        }
        return Response(body, status=200 if written.disposition == "unchanged" else 201)

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
            results = MemoryOut(as_memories(page.rows, at), many=True).data
        return Response({"results": results, "next": page.next, "answered_at": answered_at(at)})


class MemoryDetailView(TenantAPIView):
    """One memory."""

    @extend_schema(operation_id="read_memory", parameters=[AsOfQuery], responses={200: MemoryAt})
    def get(self, request: Request, memory_id: str) -> Response:
        """Read one memory as of a point on both time axes (default: now)."""
        given = validated(AsOfQuery, request.query_params.dict())
        at = as_of(given.get("valid_at"), given.get("known_at"))
        with tenant_context(self.principal.tenant_id):
            memory = MemoryOut(get_memory(self.principal, UUID(memory_id), at)).data
        return Response(memory | {"answered_at": answered_at(at)})
