"""Page: one memory, with its times, where it comes from and how it came here."""

import json
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ledger.models import MemoryVersion
from ledger.pages.details import details_in_words
from ledger.pages.forms import AsOfForm
from ledger.pages.origins import origin_of
from ledger.pages.timeline import Timeline, draw
from ledger.pages.words import DATED_BY_WORDS, attribute_word, kind_word, status_word
from ledger.selectors import AsOf, MemoryView, as_of, get_memory
from tenants.errors import NotFound
from tenants.membership import member_page
from tenants.models import Subject
from tenants.pages.actors import actor_names
from tenants.pages.zones import in_zone_of
from tenants.principals import Principal
from tenants.selectors import get_subject


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
            context = _described(principal, subject, get_memory(principal, memory_id, at), at)
        except NotFound:
            if not form.given():
                raise
            context = {}
        context |= {"form": form, "at": at, "subject": subject, "given": form.given()}
        context |= {"carried": form.carried(), "memory_id": memory_id}
        status = 200 if form.is_valid() else 400
        return render(request, "ledger/memory.html", context, status=status)


def _subject_of(principal: Principal, memory_id: UUID) -> Subject:
    """Whose memory it is, when `principal` may see it. Raises NotFound."""
    version = MemoryVersion.objects.select_related("subject").filter(memory_id=memory_id).first()
    if version is None or (principal.agent and version.agent != principal.agent):
        raise NotFound
    return get_subject(principal, version.subject_id)


def _described(
    principal: Principal, subject: Subject, memory: MemoryView, at: AsOf
) -> dict[str, Any]:
    source = memory.provenance
    return {
        "memory": memory,
        "importance_of100": memory.importance * 10,
        "kind": kind_word(memory.kind),
        "status": status_word(memory.status),
        "attribute": attribute_word(memory.attribute or ""),
        "details": details_in_words(memory.details),
        "actor": actor_names(principal, [source["actor"]])[source["actor"]],
        "dated_by": DATED_BY_WORDS.get(source["dated_by"], source["dated_by"]),
        "labels": [
            (name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            for name, value in sorted(memory.metadata.items())
        ],
        "timeline": _timeline(memory, at),
        "origin": origin_of(principal, subject, memory, at),
    }


def _timeline(memory: MemoryView, at: AsOf) -> Timeline:
    return draw(
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        recorded_at=memory.recorded_at,
        valid_at=at.valid_at,
        known_at=max(at.known_at, memory.recorded_at),
    )
