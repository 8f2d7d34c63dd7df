"""Pages: the subjects of a tenant, the memories of a subject."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger.models import MemoryVersion
from ledger.pages.counting import count_current
from ledger.pages.forms import MemoryFilters, SubjectSearch
from ledger.pages.words import kind_word, status_word
from ledger.selectors import MemoryView, as_memories, as_of, find_versions
from tenants.api.pagination import InvalidCursor, paginate
from tenants.errors import NotFound
from tenants.membership import member_page
from tenants.models import Subject
from tenants.pages.zones import in_zone_of
from tenants.principals import Principal
from tenants.selectors import find_subjects, get_subject

PAGE_ROWS = 25


@dataclass(frozen=True)
class Row:
    """A memory in a list, with its codes in words."""

    memory: MemoryView
    kind: str
    status: str


@require_safe
@member_page
def home(request: HttpRequest, principal: Principal) -> HttpResponse:
    """The subjects of the tenant. Who may see one only goes straight to it."""
    if principal.subject is not None:
        own = find_subjects(principal).first()
        if own is None:
            raise NotFound
        return redirect("subject-page", own.id)
    form = SubjectSearch(request.GET)
    found = form.cleaned_data if form.is_valid() else {}
    rows = find_subjects(principal, begins=found.get("begins", ""))
    if after := found.get("after"):
        rows = rows.filter(external_id__gt=after)
    page = list(rows[: PAGE_ROWS + 1]) if form.is_valid() else []
    shown = page[:PAGE_ROWS]
    counts = count_current([subject.id for subject in shown], as_of())
    context = {
        "form": form,
        "subjects": [(subject, counts.get(subject.id, 0)) for subject in shown],
        "next": shown[-1].external_id if len(page) > PAGE_ROWS else None,
    }
    return render(request, "ledger/home.html", context, status=200 if form.is_valid() else 400)


@require_safe
@member_page
def subject_page(request: HttpRequest, principal: Principal, subject_id: UUID) -> HttpResponse:
    """The memories of one subject, filtered, as of a point on both time axes."""
    subject = get_subject(principal, subject_id)
    with in_zone_of(subject):
        form = MemoryFilters(request.GET)
        context = _listed(request, principal, subject, form)
        context |= {"subject": subject, "form": form, "given": form.given()}
        status = 200 if form.is_valid() else 400
        return render(request, "ledger/subject.html", context, status=status)


def _listed(
    request: HttpRequest, principal: Principal, subject: Subject, form: MemoryFilters
) -> dict[str, Any]:
    """One page of rows; none for values that make no sense, which the form then says."""
    at = form.point()
    context: dict[str, Any] = {"at": at, "carried": form.carried(), "rows": []}
    if not form.is_valid():
        return context
    versions = find_versions(principal, form.filters(subject.external_id), at)
    try:
        page = paginate(
            versions, moment="recorded_from", limit=PAGE_ROWS, cursor=request.GET.get("cursor")
        )
    except InvalidCursor as error:
        form.add_error(None, _(error.message))
        return context
    memories = as_memories(principal, page.rows, at)
    rows = [Row(m, kind_word(m.kind), status_word(m.status)) for m in memories]
    has_others = not rows and MemoryVersion.objects.filter(subject=subject).exists()
    return context | {"rows": rows, "next": page.next, "has_others": has_others}
