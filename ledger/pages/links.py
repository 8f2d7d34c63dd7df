"""What pages link to: memories as they are believed, and the conversations where they were said."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.http import urlencode

from ledger.models import MemoryVersion, Turn
from ledger.selectors import AsOf, MemoryView, as_memories, as_of
from ledger.sessions import find_sessions
from tenants.models import Subject
from tenants.principals import Principal


def memories_at(
    principal: Principal, subject: Subject, wanted: Iterable[UUID], at: AsOf
) -> dict[UUID, MemoryView]:
    """Memories of a subject as the point shows them, by id; absent if not believed then.

    Of several versions the one that was true is meant; failing that the latest.
    """
    rows = MemoryVersion.objects.select_related("entry", "subject").filter(
        at.believed, subject=subject, memory_id__in=set(wanted)
    )
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    views = as_memories(principal, rows.order_by("valid_from", "id"), at)
    return {view.id: view for view in sorted(views, key=lambda view: view.status == "active")}


@dataclass(frozen=True)
class Then:
    """A memory as it was known at a moment, and where a page shows it so."""

    memory: MemoryView
    address: str
    changed: bool


Point = tuple[UUID, datetime]


def memories_then(
    principal: Principal, subject: Subject, wanted: Iterable[Point]
) -> dict[Point, Then]:
    """Memories of a subject, each as it was known at its moment; absent if it was not, or is gone.

    All are read at once: a conversation names many memories at many moments.
    """
    points = set(wanted)
    rows = MemoryVersion.objects.select_related("entry", "subject").filter(
        subject=subject, memory_id__in={memory for memory, _ in points}
    )
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    known: dict[UUID, list[MemoryVersion]] = {}
    for version in rows.order_by("valid_from", "id"):
        known.setdefault(version.memory_id, []).append(version)
    chosen = {
        (memory, moment): version
        for memory, moment in points
        for version in known.get(memory, ())
        if _known_at(version, moment)
    }
    views = {view.version: view for view in as_memories(principal, set(chosen.values()), as_of())}
    return {
        point: _then(views[version.id], version, point[1])
        for point, version in chosen.items()
        if version.id in views
    }


def _known_at(version: MemoryVersion, moment: datetime) -> bool:
    until = version.recorded_to
    return version.recorded_from <= moment and (until is None or until > moment)


def _then(view: MemoryView, version: MemoryVersion, moment: datetime) -> Then:
    changed = version.recorded_to is not None
    page = reverse("memory-page", args=[view.id])
    query = f"?{urlencode({'known_at': moment.isoformat()})}" if changed else ""
    return Then(view, page + query, changed)


@dataclass(frozen=True)
class Place:
    """Where something was said. `address` is empty once the conversation is no longer kept."""

    session: str
    turns: str
    address: str


@dataclass(frozen=True)
class Source:
    """Where something was said, as an entry names it; `turn` is the turn's id if it has it."""

    session: str
    turns: tuple[str, ...]
    turn: UUID | None = None


def places(principal: Principal, subject: Subject, sources: Iterable[Source]) -> list[Place]:
    """The sources as pages show them, in their order."""
    sources = list(sources)
    names = {source.session for source in sources if source.session}
    sessions = {
        row.external_id: row
        for row in find_sessions(principal, subject).filter(external_id__in=names)
    }
    turns = Turn.objects.in_bulk([source.turn for source in sources if source.turn])

    def address(source: Source) -> str:
        session = sessions.get(source.session)
        if session is None:
            return ""
        page = reverse("session-page", args=[subject.id, session.id])
        turn = turns.get(source.turn) if source.turn else None
        if turn is None or turn.session_id != session.id:
            return page
        return turn_address(page, turn.number)

    return [Place(s.session, ", ".join(s.turns), address(s)) for s in sources]


def turn_address(page: str, number: int) -> str:
    """A conversation's page, opened at one turn."""
    return f"{page}?after={number - 1}#turn-{number}"
