"""REST: the ledger itself, entry by entry, and its verification."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import (
    LedgerEntryOut,
    LedgerPage,
    LedgerQuery,
    VerificationOut,
    VerifyQuery,
)
from ledger.entries import find_entries
from ledger.verification import verify
from tenants.api.pagination import paginate
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context


class LedgerView(TenantAPIView):
    """The entries of one subject."""

    @extend_schema(
        operation_id="list_entries", parameters=[LedgerQuery], responses={200: LedgerPage}
    )
    def get(self, request: Request) -> Response:
        """List a subject's entries, newest first: what was done, by whom and when. No content."""
        given = validated(LedgerQuery, request.query_params.dict())
        with tenant_context(self.principal.tenant_id):
            rows = find_entries(self.principal, subject=given.pop("subject"))
            page = paginate(rows, moment="recorded_at", **given)
            results = LedgerEntryOut(page.rows, many=True).data
        return Response({"results": results, "next": page.next})


class VerifyView(TenantAPIView):
    """Whether the ledger still says what was recorded."""

    @extend_schema(
        operation_id="verify_ledger", parameters=[VerifyQuery], responses={200: VerificationOut}
    )
    def get(self, request: Request) -> Response:
        """Verify a subject's chain, or all of the tenant's; names the first broken entry.

        Needs the scope "admin". A large tenant takes longer than a request may: use the command
        `verify_ledger` there.
        """
        given = validated(VerifyQuery, request.query_params.dict())
        return Response(VerificationOut(verify(self.principal, **given)).data)
