"""Neighbours that belong together: "tomorrow" + "at 3pm", 去年 + 三月, "early" + "March"."""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace

from ledger.dates.dated import Grain
from ledger.dates.periods import Period
from ledger.dates.rules import (
    DAYS,
    HABIT,
    NOTHING,
    Atom,
    Meaning,
)

_WIDEST = 12
# Places are nested; nobody says more, but a text may hold any number.
_MOST_PARTS = 5
# Between a larger period and what stands inside it.
_INTO = re.compile(
    r"的?|的? |,? (?:at |on |in |in the |during |from |around |about |between )?|t|, ?"
)
# Only a time of day may follow a comma; "last year, March" is a list.
_COMMA = re.compile(r",.*")
# Between a day and its weekday.
_SAME = re.compile(r",? ?\(?(?:the )?|'s | (?:is|was) (?:a |on a )?| ?(?:也|就|都)?[是为] ?|的")
# Between what is smaller and the larger period that holds it.
_OF = re.compile(r" (?:of |in |on |the |of the |in the |at )?|-")


def joined(atoms: list[Atom], text: str) -> list[Atom]:
    """The atoms in order, each joined with its neighbours as far as they fit."""
    done: list[Atom] = []
    for atom in atoms:
        here = atom
        while done and (both := _join(done[-1], here, text)) is not None:
            here = both
            done.pop()
        done.append(here)
    return done


def _join(left: Atom, right: Atom, text: str) -> Atom | None:
    gap = text[left.end : right.start] if right.start - left.end <= _WIDEST else ","
    meaning = _same_day(left.meaning, right.meaning) if _SAME.fullmatch(gap) else None
    if meaning is None and _leads_into(gap, right.meaning):
        meaning = inside(left.meaning, right.meaning)
    # In Chinese the larger one always comes first.
    if meaning is None and _OF.fullmatch(gap) and text[left.start].isascii():
        meaning = inside(right.meaning, left.meaning)
    if meaning is None:
        return None
    return Atom(left.start, right.end, meaning, f"{left.rule}+{right.rule}")


def _leads_into(gap: str, inner: Meaning) -> bool:
    if _INTO.fullmatch(gap) is None:
        return False
    return _COMMA.fullmatch(gap) is None or _is_of_a_day(inner)


def _same_day(left: Meaning, right: Meaning) -> Meaning | None:
    """A day and its weekday, in either order: "today is Friday", "Friday, June 5". A weekday may
    choose the year of a day that has none; one that does not fit is not joined."""
    day, weekday = (left, right.weekday) if left.weekday is None else (right, left.weekday)
    if weekday is None or day.weekday is not None or day.period is None:
        return None
    return next((one for one in _of_years(day) if _falls_on(one.period, weekday)), None)


def _of_years(day: Meaning) -> Iterator[Meaning]:
    """The day, then that of the coming and of the last year, where it comes once a year."""
    yield replace(day, weak=False)
    if day.period is not None and day.place is not None and Grain.YEAR in day.inside:
        begins = day.period.begins
        for year in (begins.year + 1, begins.year - 1):
            with suppress(ValueError, OverflowError):
                other = replace(day.period, begins=begins.replace(year=year, month=1, day=1))
                yield replace(day, period=day.place(other), weak=False)


def _falls_on(period: Period | None, weekday: int) -> bool:
    if period is None or period.grain != Grain.DAY or not period.whole:
        return False
    return period.begins.weekday() == weekday


def _is_of_a_day(meaning: Meaning) -> bool:
    return bool(meaning.inside & DAYS)


def inside(outer: Meaning, inner: Meaning) -> Meaning | None:
    """What the inner one means within the outer one; None if it has no place there."""
    if outer.habit and inner.place is not None:
        return HABIT
    if outer.period is None or inner.place is None or outer.period.grain not in inner.inside:
        return None
    if not outer.period.whole:
        return None
    try:
        placed = inner.place(outer.period)
    except (ValueError, OverflowError):
        # 今年2月29日, of a year that has none.
        return NOTHING
    if placed is None:
        return None
    parts = outer.parts + inner.parts
    place = _through(outer, inner) if parts <= _MOST_PARTS else None
    return Meaning(placed, outer.inside if place else frozenset(), place, parts=parts)


def _through(outer: Meaning, inner: Meaning) -> Callable[[Period], Period | None] | None:
    """The joined one keeps the outer one's place: "Christmas morning" + "last year"."""
    into, within = outer.place, inner.place
    if into is None or within is None:
        return None

    def place(larger: Period) -> Period | None:
        found = into(larger)
        return within(found) if found else None

    return place
