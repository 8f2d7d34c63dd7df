"""What a clock shows, and the parts of a day."""

import re
from collections.abc import Callable
from datetime import date, timedelta

from ledger.dates.dated import Grain
from ledger.dates.periods import SHORT, Period
from ledger.dates.rules import (
    DAYS,
    Meaning,
    Reading,
)
from ledger.dates.tense import Tense
from ledger.dates.words import conventions

_NOON = 12
_EVENING = 17
# 今晚两点 is after midnight; 中午十一点 is before noon.
_AFTER_MIDNIGHT = 4
_BEFORE_NOON = 10


def part_of_day(reading: Reading, name: str) -> Meaning:
    """A part of the day, which by itself is no date: "I drink tea in the evening"."""
    first, after = conventions()["parts_of_day"][name]
    return Meaning(
        inside=frozenset({Grain.DAY}),
        place=lambda outer: reading.calendar.hours(outer.begins.date(), first, after),
        weak=True,
    )


def clock(
    reading: Reading,
    match: re.Match[str],
    time: tuple[int, int | None, int | None],
    *,
    part: str = "",
    twelve: bool = False,
    weak: bool = False,
) -> Meaning:
    """A time (hour, minute, second) on the clock. `twelve`: its hour is one of twelve, so that the
    part of the day, or else what is usual (7 to 18 o'clock), decides. Bare, it is the nearest by
    the clause's tense. Raises ValueError for a time that no clock shows.
    """
    hour, minute, second = time
    if hour > 24 or (minute or 0) > 59 or (second or 0) > 59:
        raise ValueError(time)

    def place(outer: Period) -> Period:
        day, chosen = _hour(outer, hour, part, twelve)
        return reading.calendar.clock(day, chosen, minute, second)

    return Meaning(_bare(reading, match, place), DAYS, place, weak)


def _bare(
    reading: Reading, match: re.Match[str], place: Callable[[Period], Period]
) -> Period | None:
    calendar = reading.calendar
    tense = reading.tense(match)
    if tense == Tense.HABIT:
        return None
    for shift in (0, -1 if tense == Tense.PAST else 1):
        found = place(calendar.day(calendar.today + timedelta(shift)))
        assert found.ends is not None
        if (found.begins <= calendar.now) if tense == Tense.PAST else (found.ends > calendar.now):
            return found
    return None


def _hour(outer: Period, hour: int, part: str, twelve: bool) -> tuple[date, int]:
    """The day and the hour of 24 that are meant inside the larger period."""
    day = outer.begins.date()
    in_part = outer.grain == Grain.PART_OF_DAY
    first = conventions()["parts_of_day"][part][0] if part else outer.begins.hour
    if (part or in_part) and first >= _EVENING and hour <= _AFTER_MIDNIGHT:
        return day + timedelta(1), hour
    if hour == 0 or hour > _NOON or not (part or twelve):
        return day, hour
    if part or in_part:
        return _in_part(day, hour, first)
    if outer.grain in SHORT:
        return day, hour + (_NOON if hour <= outer.begins.hour < hour + _NOON else 0)
    usual = conventions()["clock_starts_at"]
    return day, hour + (_NOON if hour < usual else 0)


def _in_part(day: date, hour: int, first: int) -> tuple[date, int]:
    if first == 0:
        return day, hour % _NOON
    if first < _NOON:
        return day, hour
    if first >= _EVENING:
        return (day + timedelta(1), 0) if hour == _NOON else (day, hour + _NOON)
    return day, hour if hour >= _BEFORE_NOON else hour + _NOON
