"""Reading what was said: the turns of a session, each with what became of it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.masking import Reader, reader_for
from ledger.models import Job, Session, Turn
from ledger.outcomes import outcome_of
from tenants import keys
from tenants.errors import NotFound
from tenants.principals import Principal, Scope
from tenants.selectors import get_subject_named


@dataclass(frozen=True)
class TurnView:
    """One turn, readable."""

    id: UUID
    session: str
    number: int
    role: str
    content: str
    name: str | None
    at: datetime
    dated_by: str
    outcome: dict[str, Any] | None


def find_turns(principal: Principal, subject: str, session: str) -> QuerySet[Turn]:
    """The turns of one session. Raises ScopeMissing, NotFound.

    A caller who may act as one agent only sees what that agent sent.
    """
    principal.require(Scope.READ)
    person = get_subject_named(principal, subject)
    found = Session.objects.filter(subject=person, external_id=session).first()
    if found is None:
        raise NotFound
    rows = Turn.objects.select_related("session", "subject").filter(session=found)
    return rows.filter(agent=principal.agent) if principal.agent else rows


def job_outcomes(principal: Principal, job: Job) -> list[TurnView]:
    """The turns that a job learned from, in order."""
    rows = Turn.objects.select_related("session", "subject").filter(
        session=job.session, number__range=(job.first_turn, job.last_turn)
    )
    return turn_views(principal, rows.order_by("number"))


def turn_views(principal: Principal, turns: Iterable[Turn]) -> list[TurnView]:
    """Open turns of one subject."""
    turns = list(turns)
    if not turns:
        return []
    reader = reader_for(principal, keys.cipher_for(turns[0].subject))
    return [_view(turn, reader, alone=bool(principal.agent)) for turn in turns]


def _view(turn: Turn, reader: Reader, *, alone: bool) -> TurnView:
    """One turn; `alone` without what it was compared with, which may be other agents'."""
    outcome = outcome_of(turn, reader.cipher)
    if outcome and alone:
        statements = [statement | {"compared": []} for statement in outcome["statements"]]
        outcome |= {"statements": statements}
    words = reader.show_in(json.loads(reader.cipher.open(turn.id, turn.sealed)))
    return TurnView(
        id=turn.id,
        session=turn.session.external_id,
        number=turn.number,
        role=turn.role,
        content=words["content"],
        name=words["name"] or None,
        at=turn.at,
        dated_by=turn.dated_by,
        outcome=reader.show_in(outcome),
    )
