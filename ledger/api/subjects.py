"""REST: subjects, and what can be done with all that is held about one."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import (
    AsOfQuery,
    DryRunQuery,
    EntryRef,
    ProfileOut,
    ReceiptOut,
    RetractedOut,
    SourceIn,
    SubjectOut,
    SubjectPage,
)
from ledger.api.writing import IDEMPOTENCY_KEY, answer_once
from ledger.idempotency import Result
from ledger.profiles import get_profile
from ledger.selectors import as_of
from ledger.services.erase import Receipt, Source, erase_learned, erase_memory, erase_subject
from ledger.services.export import export_subject
from ledger.services.retract_learned import retract_learned
from tenants.api.fields import StrictSerializer
from tenants.api.pagination import PageQuery, paginate
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context
from tenants.selectors import find_subjects, get_subject_named


class SubjectsQuery(StrictSerializer, PageQuery):
    """The parameters of the list of subjects."""


class SubjectsView(TenantAPIView):
    """The subjects of a tenant."""

    @extend_schema(
        operation_id="list_subjects", parameters=[SubjectsQuery], responses={200: SubjectPage}
    )
    def get(self, request: Request) -> Response:
        """List subjects, newest first."""
        given = validated(SubjectsQuery, request.query_params.dict())
        with tenant_context(self.principal.tenant_id):
            page = paginate(find_subjects(self.principal), moment="created_at", **given)
            results = SubjectOut(page.rows, many=True).data
        return Response({"results": results, "next": page.next})


class NothingGiven(StrictSerializer):
    """Refuses whatever is given: a dry_run in the wrong place must not become an erasure."""


class ErasingView(TenantAPIView):
    """A view that answers with a receipt."""

    def receipt(self, erase: Callable[[], Receipt]) -> Response:
        """Erase inside the tenant, once per Idempotency-Key; a receipt repeats no word."""
        return answer_once(
            self.request, self.principal, lambda: Result(200, receipt_body(erase()), None)
        )


class SubjectView(ErasingView):
    """One subject, named by the tenant's own id (percent-encoded in the path)."""

    @extend_schema(operation_id="read_subject", responses={200: SubjectOut})
    def get(self, request: Request, subject: str) -> Response:
        """Read one subject."""
        with tenant_context(self.principal.tenant_id):
            return Response(SubjectOut(get_subject_named(self.principal, subject)).data)

    @extend_schema(
        operation_id="erase_subject",
        parameters=[DryRunQuery, IDEMPOTENCY_KEY],
        responses={200: ReceiptOut},
    )
    def delete(self, request: Request, subject: str) -> Response:
        """Erase everything held about a subject, at all times, and destroy its key."""
        validated(NothingGiven, request.data)
        dry_run = validated(DryRunQuery, request.query_params.dict())["dry_run"]
        return self.receipt(lambda: erase_subject(self.principal, subject, dry_run=dry_run))


class SubjectEraseView(ErasingView):
    @extend_schema(
        operation_id="erase_learned",
        parameters=[IDEMPOTENCY_KEY],
        request=SourceIn,
        responses={200: ReceiptOut},
    )
    def post(self, request: Request, subject: str) -> Response:
        """Erase what was learned in a session, by an agent or since a time."""
        validated(NothingGiven, request.query_params.dict())
        given = validated(SourceIn, request.data)
        dry_run = given.pop("dry_run")
        source = Source(**given)
        return self.receipt(lambda: erase_learned(self.principal, subject, source, dry_run=dry_run))


class SubjectRetractView(TenantAPIView):
    @extend_schema(
        operation_id="retract_learned",
        parameters=[IDEMPOTENCY_KEY],
        request=SourceIn,
        responses={200: RetractedOut},
    )
    def post(self, request: Request, subject: str) -> Response:
        """Retract what was learned in a session, by an agent or since a time."""
        validated(NothingGiven, request.query_params.dict())
        given = validated(SourceIn, request.data)
        dry_run = given.pop("dry_run")
        source = Source(**given)

        def work() -> Result:
            entries = retract_learned(self.principal, subject, source, dry_run=dry_run)
            memories = sorted({str(entry.memory_id) for entry in entries})
            return Result(200, {"dry_run": dry_run, "memories": memories}, None)

        return answer_once(request, self.principal, work)


class SubjectProfileView(TenantAPIView):
    @extend_schema(operation_id="read_profile", parameters=[AsOfQuery], responses={200: ProfileOut})
    def get(self, request: Request, subject: str) -> Response:
        """What is believed of a subject, in sections; each item names its memory."""
        given = validated(AsOfQuery, request.query_params.dict())
        at = as_of(given.get("valid_at"), given.get("known_at"))
        with tenant_context(self.principal.tenant_id):
            made = get_profile(self.principal, subject, at)
            shown = {"subject": subject, "answered_at": at, "sections": made.sections}
            return Response(ProfileOut(shown).data)


class SubjectExportView(TenantAPIView):
    @extend_schema(
        operation_id="export_subject",
        responses={(200, "application/zip"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, subject: str) -> HttpResponse:
        """Everything held about a subject, as one archive: JSON Lines and a page to read."""
        with tenant_context(self.principal.tenant_id):
            archive = export_subject(self.principal, subject)
        return HttpResponse(
            archive,
            content_type="application/zip",
            headers={"Content-Disposition": 'attachment; filename="memories.zip"'},
        )


class MemoryEraseView(ErasingView):
    @extend_schema(
        operation_id="erase_memory",
        request=None,
        parameters=[DryRunQuery, IDEMPOTENCY_KEY],
        responses={200: ReceiptOut},
    )
    def post(self, request: Request, memory_id: str) -> Response:
        """Erase one memory at all times. Needs the scope "erase"; it cannot be undone."""
        validated(NothingGiven, request.data)
        dry_run = validated(DryRunQuery, request.query_params.dict())["dry_run"]
        return self.receipt(lambda: erase_memory(self.principal, UUID(memory_id), dry_run=dry_run))


def receipt_body(receipt: Receipt) -> dict[str, Any]:
    """A receipt in the shape of ReceiptOut."""
    return {
        "scope": receipt.scope,
        "dry_run": receipt.entry is None,
        "found": receipt.found,
        "left": receipt.left,
        "entry": dict(EntryRef(receipt.entry).data) if receipt.entry else None,
    }
