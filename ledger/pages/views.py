"""Pages: the subjects of a tenant, the memories of a subject, one memory."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger.models import MemoryVersion
from ledger.pages.counting import count_current
from ledger.pages.forms import AsOfForm, MemoryFilters, SubjectSearch
from ledger.pages.timeline import Timeline, draw
from ledger.pages.words import DATED_BY_WORDS, kind_word, status_word
from ledger.selectors import AsOf, MemoryView, as_memories, as_of, find_versions, get_memory
from tenants.api.pagination import InvalidCursor, paginate
from tenants.errors import NotFound
from tenants.membership import member_page
from tenants.models import Subject
from tenants.pages.actors import actor_names
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
    context: dict[str, Any] = {"at": at, "carried": _carried(form), "rows": []}
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
    rows = [Row(m, kind_word(m.kind), status_word(m.status)) for m in as_memories(page.rows, at)]
    has_others = not rows and MemoryVersion.objects.filter(subject=subject).exists()
    return context | {"rows": rows, "next": page.next, "has_others": has_others}


@require_safe
@member_page
def memory_page(request: HttpRequest, principal: Principal, memory_id: UUID) -> HttpResponse:
    """One memory, with where it comes from, as of a point on both time axes."""
    newest = as_of()
    subject = _subject_of(principal, memory_id)
    with in_zone_of(subject):
        form = AsOfForm(request.GET)
        at = form.point() if form.given() else newest
        try:
            context = _described(principal, get_memory(principal, memory_id, at), at)
        except NotFound:
            if not form.given():
                raise
            context = {}
        context |= {"form": form, "at": at, "subject": subject, "given": form.given()}
        context |= {"carried": _carried(form), "memory_id": memory_id}
        status = 200 if form.is_valid() else 400
        return render(request, "ledger/memory.html", context, status=status)


def _subject_of(principal: Principal, memory_id: UUID) -> Subject:
    """Whose memory it is, when `principal` may see it. Raises NotFound."""
    version = MemoryVersion.objects.select_related("subject").filter(memory_id=memory_id).first()
    if version is None or (principal.agent and version.agent != principal.agent):
        raise NotFound
    return get_subject(principal, version.subject_id)


def _described(principal: Principal, memory: MemoryView, at: AsOf) -> dict[str, Any]:
    source = memory.provenance
    return {
        "memory": memory,
        "importance_of100": memory.importance * 10,
        "kind": kind_word(memory.kind),
        "status": status_word(memory.status),
        "actor": actor_names(principal, [source["actor"]])[source["actor"]],
        "dated_by": DATED_BY_WORDS.get(source["dated_by"], source["dated_by"]),
        "labels": [
            (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in sorted(memory.metadata.items())
        ],
        "timeline": _timeline(memory, at),
    }


def _timeline(memory: MemoryView, at: AsOf) -> Timeline:
    return draw(
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        recorded_at=memory.recorded_at,
        valid_at=at.valid_at,
        known_at=max(at.known_at, memory.recorded_at),
    )


def _carried(form: AsOfForm) -> str:
    """The point as the end of an address, so that the next page looks from the same one."""
    return f"?{urlencode(form.given())}" if form.given() else ""
