"""Parts of a larger period: its thirds, its first week, its last Friday, what is over of it.

Weeks of what is longer are counted from its first day, not by the calendar's Mondays: the first
week of June is the 1st to the 7th, its last week the 24th to the 30th.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta

from ledger.dates.dated import Direction, Grain
from ledger.dates.periods import Period
from ledger.dates.rules import THIRDS, Meaning, Reading

_WEEK = 7
_SATURDAY = 5
LAST = -1
_Cut = Callable[[date, date], tuple[date, date]]
# What "earlier" and "later" may cut at the moment of speaking.
_CUT = THIRDS | {Grain.DAY, Grain.PART_OF_DAY}


def third(reading: Reading, which: int) -> Meaning:
    return Meaning(
        inside=THIRDS, place=lambda outer: reading.calendar.third(outer, which), weak=True
    )


def some_days(reading: Reading, unit: str, count: int, *, last: bool) -> Meaning:
    """The first or the last so many days or weeks: "the first three days of June"."""
    days = count * _WEEK if unit == Grain.WEEK else count
    return _part(reading, lambda first, after: _edge(first, after, days, last=last), unit)


def nth(reading: Reading, unit: str, number: int) -> Meaning:
    """The day, week or weekend with that number, from 1 on; LAST is the last one."""
    if unit == Grain.WEEKEND:
        return _nth_from(reading, number, _SATURDAY, Grain.WEEKEND)
    days = _WEEK if unit == Grain.WEEK else 1
    if number == LAST:
        return some_days(reading, unit, 1, last=True)
    skipped = timedelta(days * (number - 1))
    return _part(
        reading,
        lambda first, after: (first + skipped, min(first + skipped + timedelta(days), after)),
        unit,
    )


def nth_weekday(reading: Reading, number: int, weekday: int) -> Meaning:
    """The first Monday (0) of June, its last Friday."""
    return _nth_from(reading, number, weekday, Grain.DAY)


def so_far(reading: Reading, *, earlier: bool) -> Meaning:
    """What is over ("earlier this year") or still to come of the period that is on."""
    now = reading.calendar.now

    def place(outer: Period) -> Period | None:
        if outer.ends is None or not outer.begins < now < outer.ends:
            return None
        if earlier:
            return replace(outer, ends=now, direction=Direction.PAST, whole=False)
        return replace(outer, begins=now, direction=Direction.FUTURE, whole=False)

    return Meaning(inside=_CUT, place=place, weak=True)


def _part(reading: Reading, cut: _Cut, grain: str) -> Meaning:
    """What `cut` makes of the larger period's first day and the day after it; nothing outside."""

    def place(outer: Period) -> Period | None:
        assert outer.ends is not None
        first, after = cut(outer.begins.date(), outer.ends.date())
        if not outer.begins.date() <= first < outer.ends.date():
            return None
        period = reading.calendar.days(first, after, Grain(grain))
        return replace(period, whole=grain == Grain.DAY)

    return Meaning(inside=THIRDS, place=place, weak=True)


def _edge(first: date, after: date, days: int, *, last: bool) -> tuple[date, date]:
    return (after - timedelta(days), after) if last else (first, first + timedelta(days))


def _nth_from(reading: Reading, number: int, weekday: int, grain: Grain) -> Meaning:
    length = timedelta(2 if grain == Grain.WEEKEND else 1)

    def cut(first: date, after: date) -> tuple[date, date]:
        if number == LAST:
            eve = after - timedelta(1)
            begins = eve - timedelta((eve.weekday() - weekday) % _WEEK)
        else:
            begins = first + timedelta((weekday - first.weekday()) % _WEEK + _WEEK * (number - 1))
        if begins >= after:
            raise ValueError(number)
        return begins, begins + length

    return _part(reading, cut, grain)
