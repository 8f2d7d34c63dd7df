"""Pages: the conversations with a subject, and one of them with what became of each message."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from ledger.models import Job, JobKind, Kind, Session, Turn, TurnRole
from ledger.pages.decisions import ROLE_WORDS
from ledger.pages.links import memories_at, memories_then
from ledger.pages.outcomes import Explained, explained, learned_in, met_in
from ledger.selectors import Filters, MemoryView, as_memories, as_of, find_versions
from ledger.sessions import find_sessions, get_session
from ledger.turns import TurnView, find_turns, turn_views
from tenants.api.pagination import InvalidCursor, Page, paginate
from tenants.membership import member_page
from tenants.models import Subject
from tenants.pages.zones import in_zone_of
from tenants.principals import Principal
from tenants.selectors import get_subject

PAGE_ROWS = 25
PAGE_TURNS = 20
MOST_TURNS = 2**31 - 1


@dataclass(frozen=True)
class Said:
    """A turn, who said it, and what became of it or why nothing is known of that yet."""

    turn: TurnView
    speaker: str
    is_person: bool
    became: Explained | None
    job: Job | None


class TurnsForm(forms.Form):
    """From which turn on a conversation is shown."""

    after = forms.IntegerField(required=False, min_value=0, max_value=MOST_TURNS)


@require_safe
@member_page
def sessions_page(request: HttpRequest, principal: Principal, subject_id: UUID) -> HttpResponse:
    """The conversations with one subject, newest first, each with its summary."""
    subject = get_subject(principal, subject_id)
    with in_zone_of(subject):
        context: dict[str, Any] = {"subject": subject}
        try:
            page = paginate(
                find_sessions(principal, subject),
                moment="last_at",
                limit=PAGE_ROWS,
                cursor=request.GET.get("cursor"),
            )
        except InvalidCursor as error:
            page, context["problem"] = Page([], None), _(error.message)
        summaries = _summaries(principal, subject, page.rows)
        context["sessions"] = [(row, summaries.get(row.external_id)) for row in page.rows]
        context["next"] = page.next
        status = 400 if "problem" in context else 200
        return render(request, "ledger/sessions.html", context, status=status)


@require_safe
@member_page
def session_page(
    request: HttpRequest, principal: Principal, subject_id: UUID, session_id: UUID
) -> HttpResponse:
    """One conversation: what was said, and what MemoryHub made of it."""
    subject = get_subject(principal, subject_id)
    session = get_session(principal, subject, session_id)
    form = TurnsForm(request.GET)
    if not form.is_valid():
        raise InvalidCursor(field="after")
    with in_zone_of(subject):
        rows = find_turns(principal, subject.external_id, session.external_id)
        after = form.cleaned_data["after"] or 0
        found = list(rows.filter(number__gt=after).order_by("number")[: PAGE_TURNS + 1])
        context = {
            "subject": subject,
            "session": session,
            "summary": _summaries(principal, subject, [session]).get(session.external_id),
            "turns": _said(principal, subject, session, found[:PAGE_TURNS]),
            "next": found[PAGE_TURNS - 1].number if len(found) > PAGE_TURNS else None,
        }
        return render(request, "ledger/session.html", context)


def _summaries(
    principal: Principal, subject: Subject, sessions: list[Session]
) -> dict[str, MemoryView]:
    """The current summary of each session that has one, by the session's name."""
    at = as_of()
    wanted = Filters(subject=subject.external_id, kind=Kind.SUMMARY)
    rows = find_versions(principal, wanted, at).filter(
        session__in=[s.external_id for s in sessions]
    )
    views = as_memories(principal, rows.order_by("recorded_from", "id"), at)
    return {str(view.provenance["session"]): view for view in views}


def _said(
    principal: Principal, subject: Subject, session: Session, turns: list[Turn]
) -> list[Said]:
    views, jobs = turn_views(principal, turns), _jobs(session, turns)
    became = _became(principal, subject, turns, views)
    return [
        Said(
            turn=view,
            speaker=str(ROLE_WORDS.get(view.role, view.role)),
            is_person=view.role == TurnRole.USER,
            became=became.get(view.id),
            job=next((j for j in jobs if j.first_turn <= view.number <= j.last_turn), None),
        )
        for view in views
    ]


def _became(
    principal: Principal, subject: Subject, turns: list[Turn], views: list[TurnView]
) -> dict[UUID, Explained]:
    """What became of the turns that were learned from, by the turn's id."""
    outcomes = [
        (turn.id, view.outcome, turn.learned_at)
        for turn, view in zip(turns, views, strict=True)
        if view.outcome and turn.learned_at
    ]
    learned = {memory for _turn, outcome, _at in outcomes for memory in learned_in(outcome)}
    met = {point for _turn, outcome, moment in outcomes for point in met_in(outcome, moment)}
    memories = memories_at(principal, subject, learned, as_of())
    thens = memories_then(principal, subject, met)
    return {turn: explained(outcome, moment, memories, thens) for turn, outcome, moment in outcomes}


def _jobs(session: Session, turns: list[Turn]) -> list[Job]:
    """The jobs that learn from these turns, newest first."""
    if not turns:
        return []
    rows = Job.objects.filter(
        session=session,
        kind=JobKind.LEARN,
        first_turn__lte=turns[-1].number,
        last_turn__gte=turns[0].number,
    )
    return list(rows.order_by("-created_at", "-id"))
