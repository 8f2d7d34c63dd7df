"""What begins a context: a task's notes, a session's summary and its newest turns."""

import json
from typing import Any

from ledger import tail
from ledger.models import Kind, MemoryVersion, Session, Turn
from recall import buffers
from recall.exchange import Asked
from recall.packing import NOTHING, Recent
from recall.working import Place
from tenants.errors import NotFound


def recent_words(asked: Asked, missing: list[str]) -> Recent:
    """The notes and words of the task and session that the question names, to a caller for one
    agent those of its own; `missing` is told of a server that is away.

    Nothing of what it does not name, and nothing where it asks about another time. A
    session is of its subject: a foreign one is like one that does not exist.
    """
    if not asked.at.newest or asked.question.valid_at is not None:
        return NOTHING
    session = None
    if asked.question.session:
        rows = Session.objects.filter(subject=asked.subject)
        session = rows.filter(external_id=asked.question.session).first()
    if session is None:
        return Recent(_notes(asked, missing))
    turns = _turns(asked, session)
    summary = _summary(asked, session)
    return Recent(
        notes=_notes(asked, missing),
        summary=asked.reader.words(summary)["content"] if summary else "",
        turns=tuple((turn["role"], asked.reader.show(turn["content"])) for turn in turns),
        turn_ids=tuple(turn["id"] for turn in turns),
        summary_version=summary.id if summary else None,
    )


def _notes(asked: Asked, missing: list[str]) -> tuple[tuple[str, str], ...]:
    most = asked.policy.context.notes
    if not asked.question.task or not most:
        return ()
    place = Place(asked.principal, asked.question.task, asked.question.subject)
    try:
        found = buffers.or_none(lambda: place.page(most, None)[0], missing)
    except NotFound:
        return ()
    return tuple((n.key, json.dumps(n.value, ensure_ascii=False)) for n in found or ())


def _turns(asked: Asked, session: Session) -> list[dict[str, Any]]:
    turns = tail.recent(session, asked.cipher, asked.policy.context.recent_turns)
    if asked.principal.agent:
        told = Turn.objects.filter(session=session, agent=asked.principal.agent)
        numbers = set(told.values_list("number", flat=True))
        turns = [turn for turn in turns if turn["number"] in numbers]
    return turns


def _summary(asked: Asked, session: Session) -> MemoryVersion | None:
    at = asked.at
    rows = MemoryVersion.objects.filter(
        at.believed & at.begun & at.unended & at.unexpired,
        subject=asked.subject,
        session=session.external_id,
        kind=Kind.SUMMARY,
        pending=False,
    )
    if asked.principal.agent:
        rows = rows.filter(agent=asked.principal.agent)
    return rows.order_by("-recorded_from").first()
