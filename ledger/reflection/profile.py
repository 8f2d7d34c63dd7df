"""The profile: what is believed of a subject, in sections, each item with its memory. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import UUID

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection.lexicon import labels, read_data
from ledger.reflection.reading import (
    SOMEBODY_ELSE,
    SUBJECT,
    Reading,
    attributes_of_sections,
    names_of,
)
from ledger.reflection.remembered import Remembered, in_order
from ledger.reflection.signs import due_at, is_problem
from ledger.reflection.words import fold

HEALTH = "health"
HABITS = "habits_and_interests"
OTHER = "other"
EVENTS = "recent_events"
PLANS = "plans_and_commitments"
OF_KIND = {
    Kind.INSTRUCTION.value: "instructions",
    Kind.INSIGHT.value: "insights",
    Kind.COMMITMENT.value: PLANS,
}
# A value tells enough in these; elsewhere a person needs the whole sentence.
BY_CONTENT = frozenset({"insights", "instructions", EVENTS, PLANS, "problems", OTHER})
FAR = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True)
class ProfileItem:
    """One thing known. `label` is the attribute or empty, `since` when it became true."""

    label: str
    text: str
    memory: UUID
    since: datetime
    confidence: float
    due_at: datetime | None = None


@dataclass(frozen=True)
class Profile:
    """Sections in a fixed order, all of them, also the empty ones."""

    sections: dict[str, list[ProfileItem]]


def profile(facts: Sequence[Remembered], now: datetime, policy: Reflection) -> Profile:
    """The facts by section, each in one only, the same for any order of them.

    The most important come first, and of equally important ones the newest; events newest first,
    plans soonest first. Summaries, plans whose time is over and events that are no longer recent
    are left out. `now` is aware.
    """
    placed: dict[str, list[Remembered]] = {section: [] for section in attributes_of_sections()}
    own = names_of(facts)
    for fact in _with_further_slots(in_order(facts)):
        if section := _section(Reading(fact, own, policy.read_characters), now, policy):
            placed[section].append(fact)
    return Profile({section: _items(section, found, policy) for section, found in placed.items()})


def _with_further_slots(facts: Iterable[Remembered]) -> Iterable[Remembered]:
    """Each fact, and once more for each further slot that its words fill."""
    for fact in facts:
        yield fact
        for attribute, value in fact.details.get("slots", {}).items():
            yield replace(fact, attribute=attribute, value=value)


def _section(reading: Reading, now: datetime, policy: Reflection) -> str:
    """Where a fact belongs; empty for nowhere."""
    fact = reading.fact
    section = OF_KIND.get(fact.kind) or _by_meaning(reading)
    if fact.kind == Kind.SUMMARY:
        return ""
    if section == EVENTS:
        return _event_section(fact, now, policy)
    if section == PLANS:
        return PLANS if _due(fact, default=FAR) >= now else ""
    return section


def _event_section(fact: Remembered, now: datetime, policy: Reflection) -> str:
    """What is still to come is a plan."""
    if fact.valid_from > now:
        return PLANS
    recent = now - fact.valid_from <= timedelta(days=policy.profile_event_days)
    return EVENTS if recent else ""


def _by_meaning(reading: Reading) -> str:
    section = _by_attribute(reading.fact.attribute)
    if section in {"likes", "dislikes"} or (not section and reading.fact.kind == Kind.PREFERENCE):
        return "dislikes" if reading.lowest_stance == -1 else "likes"
    if section:
        return section
    if is_problem(reading):
        return "problems"
    if reading.fact.kind == Kind.EVENT:
        return EVENTS
    return _by_words(reading)


def _by_attribute(attribute: str) -> str:
    """By the whole name, else by its first or last part: "favorite_color", "job.title"."""
    parts = fold(attribute).replace(".", "_").replace("-", "_").split("_")
    for name in ("_".join(parts), parts[0], parts[-1]):
        for section, attributes in attributes_of_sections().items():
            if name in attributes:
                return section
    return ""


def _by_words(reading: Reading) -> str:
    """By what stands in the text, for memories that name no attribute."""
    # Where the subject's own name is unknown, a named person may be the subject.
    if reading.holder == SOMEBODY_ELSE or (reading.own and reading.holder != SUBJECT):
        return "relations"
    if HEALTH in reading.sensitive:
        return "health_and_diet"
    if reading.hits("mood"):  # it passes
        return EVENTS
    cues = {hit.topic for hit in reading.affirmed("cue")}
    for section in (HABITS, *attributes_of_sections()):  # "goes to work by bike every day"
        if section in cues:
            return section
    if stance := reading.lowest_stance:
        return "dislikes" if stance == -1 else "likes"
    active = any("do" in labels("topics.json")[hit.topic] for hit in reading.affirmed("topic"))
    return HABITS if active or reading.affirmed("daypart") else OTHER


def _due(fact: Remembered, *, default: datetime) -> datetime:
    """When a plan is due. A date without a time is due until its end."""
    text = fact.detail("due_at")
    due = due_at(text) or due_at(f"{text}T23:59:59+00:00")
    if due is None and fact.kind == Kind.EVENT:
        return fact.valid_from
    return due or default


Order = Callable[[Remembered], tuple[float, ...]]


def _items(section: str, facts: Iterable[Remembered], policy: Reflection) -> list[ProfileItem]:
    """`facts` are oldest first."""
    newest_first = list(facts)[::-1]
    found: dict[tuple[str, str], ProfileItem] = {}
    for fact in sorted(newest_first, key=_order(section)):
        item = _item(section, fact)
        found.setdefault((item.label, fold(" ".join(item.text.split()))), item)
    most = policy.profile_events if section == EVENTS else policy.profile_items
    return list(found.values())[:most]


def _order(section: str) -> Order:
    """What comes first; of equals the newest."""
    if section == EVENTS:
        return lambda fact: ()
    if section == PLANS:
        return lambda fact: ((_due(fact, default=FAR) - FAR).total_seconds(),)
    if section == "identity":
        places = _places_of_attributes()
        return lambda fact: (places.get(fold(fact.attribute), len(places)), -fact.importance)
    return lambda fact: (-fact.importance,)


@cache
def _places_of_attributes() -> dict[str, int]:
    names = read_data("sections.json")["identity"]["attributes"]
    return {name: at for at, name in enumerate(names)}


def _item(section: str, fact: Remembered) -> ProfileItem:
    # A value alone would hide that it is denied: "smoking" of "does not smoke".
    whole = section in BY_CONTENT or (section != "dislikes" and fact.details.get("polarity") == -1)
    value = (fact.value or "").strip()
    due = _due(fact, default=FAR) if section == PLANS else FAR
    return ProfileItem(
        label=fact.attribute,
        text=fact.content if whole or not value else value,
        memory=fact.memory,
        since=fact.valid_from,
        confidence=fact.confidence,
        due_at=None if due == FAR else due,
    )
