"""How a memory came here: decided by which rules, derived from what, said where, heard again when.

Read off the ledger's entries, whose words are sealed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.append import TICK
from ledger.derivations import sources_of
from ledger.masking import Reader, reader_for
from ledger.models import Entry, EntryPayload, Verb
from ledger.pages.decisions import rules_words, verdict_words
from ledger.pages.links import Place, Source, memories_at, memories_then, places
from ledger.pages.outcomes import Comparison, comparison, met
from ledger.rebuild import opened_words
from ledger.selectors import AsOf, MemoryView
from tenants import keys
from tenants.models import Subject
from tenants.principals import Principal

# A memory's page shows so many of the memories it was derived from, and of the times it was heard.
MOST_SOURCES = 50
MOST_HEARD = 20


@dataclass(frozen=True)
class Heard:
    """One time that the same was said again."""

    text: str
    at: datetime
    place: Place | None


@dataclass(frozen=True)
class Origin:
    """How one memory came here."""

    place: Place | None
    verbatim: bool
    admitted: str
    extracted: list[str]
    compared: Comparison
    sources: list[MemoryView]
    heard: list[Heard]
    heard_more: bool


@dataclass(frozen=True)
class Read:
    """An entry with its words, as this reader may see them."""

    entry: Entry
    words: dict[str, Any]

    @property
    def decisions(self) -> dict[str, Any]:
        found: dict[str, Any] = self.words.get("decisions") or {}
        return found

    @property
    def source(self) -> Source:
        facts, turn = self.entry.header["facts"], self.decisions.get("turn")
        return Source(
            facts.get("session", ""), tuple(self.words.get("turns", ())), turn and UUID(turn)
        )


def origin_of(principal: Principal, subject: Subject, memory: MemoryView, at: AsOf) -> Origin:
    """How a memory came to be what it is at the point."""
    reader = reader_for(principal, keys.cipher_for(subject))
    again = list(_heard_again(principal, subject, memory, at)[: MOST_HEARD + 1])
    made = Entry.objects.get(id=memory.provenance["entry"])
    own, *heard = _read([made, *again[:MOST_HEARD]], reader)
    derived = sources_of(memory.id)[:MOST_SOURCES]
    compared = own.decisions.get("compared", ())
    known = memories_at(principal, subject, derived, at)
    before = made.recorded_at - TICK
    thens = memories_then(principal, subject, met(compared, before))
    where = places(principal, subject, [own.source, *(item.source for item in heard)])
    return Origin(
        place=_named(where[0]),
        verbatim=made.header["facts"].get("verbatim", False),
        admitted=_admitted(own.decisions),
        extracted=rules_words(own.decisions.get("extracted_by", ())),
        compared=comparison(compared, before, thens),
        sources=[known[source] for source in derived if source in known],
        heard=_heard(heard, where[1:]),
        heard_more=len(again) > MOST_HEARD,
    )


def _heard_again(
    principal: Principal, subject: Subject, memory: MemoryView, at: AsOf
) -> QuerySet[Entry]:
    """The entries that say the same again, known at the point, newest first."""
    rows = Entry.objects.filter(subject=subject, memory_id=memory.id, verb=Verb.LINK)
    rows = (
        rows.filter(seq__lte=at.seq)
        if at.seq is not None
        else rows.filter(recorded_at__lte=at.known_at)
    )
    if principal.agent:
        rows = rows.filter(header__facts__agent=principal.agent)
    return rows.order_by("-seq")


def _read(entries: list[Entry], reader: Reader) -> list[Read]:
    payloads = EntryPayload.objects.in_bulk([entry.id for entry in entries])
    return [
        Read(entry, reader.show_in(opened_words(payload, reader.cipher)) if payload else {})
        for entry in entries
        for payload in [payloads.get(entry.id)]
    ]


def _heard(heard: list[Read], where: Iterable[Place]) -> list[Heard]:
    return [
        Heard(item.words.get("heard", ""), item.entry.recorded_at, _named(place))
        for item, place in zip(heard, where, strict=True)
    ]


def _named(place: Place) -> Place | None:
    return place if place.session else None


def _admitted(decisions: dict[str, Any]) -> str:
    rule = decisions.get("admitted_by")
    if not rule:
        return ""
    return verdict_words(admitted=True, rule=rule, score=decisions.get("score"))
