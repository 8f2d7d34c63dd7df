"""What the rules of both languages build their meanings with."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from fractions import Fraction

from ledger.dates.dated import Direction, Grain
from ledger.dates.numbers import Quantity
from ledger.dates.periods import Calendar, Period
from ledger.dates.rules import HABIT, NOTHING, Meaning, Reading
from ledger.dates.tense import Tense
from ledger.dates.words import conventions

# How many years (or months) are looked at to either side: from any year a leap day is found.
_REACH = 9


def nearest(
    numbered: Callable[[int], Period | None], here: int, calendar: Calendar, tense: Tense
) -> Period | None:
    """Of the periods with numbers (years, say) around `here`: the latest that has begun for the
    past tense, otherwise the first that is not over. For either tense the closer of the two."""
    if tense == Tense.HABIT:
        return None
    if tense == Tense.EITHER:
        both = (nearest(numbered, here, calendar, one) for one in (Tense.PAST, Tense.COMING))
        closer = sorted(filter(None, both), key=lambda one: abs(one.begins - calendar.now))
        return closer[0] if closer else None
    past = tense == Tense.PAST
    way = -1 if past else 1
    for period in possible(numbered, range(here - way, here + way * _REACH, way)):
        begun = period.begins <= calendar.now
        if begun if past else period.ends is not None and period.ends > calendar.now:
            return period
    return None


def possible(numbered: Callable[[int], Period | None], numbers: Iterable[int]) -> Iterator[Period]:
    """The periods with those numbers, without those that the calendar does not have."""
    for number in numbers:
        with suppress(ValueError, OverflowError):
            if (period := numbered(number)) is not None:
                yield period


def yearly(
    reading: Reading,
    match: re.Match[str],
    of_year: Callable[[int], Period | None],
    *,
    weak: bool = False,
) -> Meaning:
    """Something that comes once a year; bare, it is the nearest by the tense of its clause."""
    calendar = reading.calendar
    return Meaning(
        nearest(of_year, calendar.today.year, calendar, reading.tense(match)),
        frozenset({Grain.YEAR}),
        lambda outer: of_year(outer.begins.year),
        weak,
    )


def stepped(reading: Reading, word: str, of_year: Callable[[int], Period | None]) -> Meaning:
    """With "last", "this" or "next" before it: the latest that is over; the one that is on, or else
    this calendar year's; the first that has not begun."""
    now = reading.calendar.now
    around = list(possible(of_year, range(now.year - _REACH, now.year + _REACH)))
    if word == "last":
        over = [period for period in around if period.ends and period.ends <= now]
        return Meaning(over[-1] if over else None)
    if word == "next":
        return Meaning(next((period for period in around if period.begins > now), None))
    on = [period for period in around if period.ends and period.begins <= now < period.ends]
    return Meaning(on[0] if on else of_year(now.year))


def weekday_of(reading: Reading, match: re.Match[str], day: int) -> Meaning:
    """A bare weekday (Monday is 0): the nearest before or after today, by the clause's tense."""
    calendar = reading.calendar
    tense = reading.tense(match)
    ahead = (day - calendar.today.weekday() - 1) % 7 + 1
    behind = (calendar.today.weekday() - day - 1) % 7 + 1
    shift = timedelta(-behind if tense == Tense.PAST else ahead)
    bare = None if tense == Tense.HABIT else calendar.day(calendar.today + shift)
    return Meaning(
        bare,
        frozenset({Grain.WEEK}),
        lambda outer: calendar.day(outer.begins.date() + timedelta(day)),
        weekday=day,
    )


def monthly(reading: Reading, match: re.Match[str], day: int, *, weak: bool = False) -> Meaning:
    """A day of a month; bare, the nearest by the clause's tense."""
    calendar = reading.calendar

    def of_month(year: int, month: int) -> Period:
        first = calendar.month(year, month).begins.date()
        return calendar.day(first.replace(day=day))

    today = calendar.today
    return Meaning(
        nearest(
            lambda month: of_month(today.year, month), today.month, calendar, reading.tense(match)
        ),
        frozenset({Grain.MONTH}),
        lambda outer: of_month(outer.begins.year, outer.begins.month),
        weak,
    )


def holiday(reading: Reading, name: str) -> Callable[[int], Period]:
    month, day = map(int, conventions()["holidays"][name].split("-"))
    return lambda year: reading.calendar.day(date(year, month, day))


def whole_year(reading: Reading, year: int) -> Meaning | None:
    """A bare four-digit number as a year, if it is a plausible one."""
    first, last = conventions()["plausible_years"]
    return Meaning(reading.calendar.year(year)) if first <= year <= last else None


def offset(reading: Reading, unit: str, quantity: Quantity, sign: int) -> Meaning:
    """Away from now: "three days ago" is that day, "two weeks ago" that calendar week; "a few days
    ago" is the time between the least and the most that it may be."""
    calendar = reading.calendar
    if quantity.most is None:
        return Meaning(calendar.away(unit, sign * quantity.least))
    ends = sorted(calendar.moment(unit, sign * count) for count in (quantity.least, quantity.most))
    return Meaning(
        Period(ends[0], ends[1], calendar.away(unit, Fraction(sign)).grain, True, whole=False)
    )


def from_a_day(reading: Reading, unit: str, count: Fraction) -> Meaning:
    """The day so many units after the day that stands beside it, or before it."""

    def place(outer: Period) -> Period:
        calendar = Calendar(outer.begins, reading.calendar.zone)
        return calendar.day(calendar.moment(unit, count).date())

    return Meaning(None, frozenset({Grain.DAY}), place, weak=True)


def window(reading: Reading, unit: str, quantity: Quantity, sign: int) -> Meaning:
    """A stretch from or up to the moment of speaking: "the past three months"."""
    calendar = reading.calendar
    far = calendar.moment(unit, sign * (quantity.most or quantity.least))
    begins, ends = sorted((far, calendar.now))
    grain = calendar.away(unit, Fraction(sign)).grain
    direction = Direction.FUTURE if sign > 0 else Direction.PAST
    return Meaning(Period(begins, ends, grain, quantity.most is not None, direction, whole=False))


def step(reading: Reading, unit: str, shift: int) -> Meaning:
    """The calendar unit so many after the one that is on: last week is -1, this month 0."""
    calendar = reading.calendar
    if unit == Grain.WEEKEND:
        return Meaning(calendar.weekend(calendar.today + timedelta(7 * shift)))
    if unit == Grain.DECADE:
        return Meaning(calendar.decade(calendar.today.year + 10 * shift))
    period = calendar.away(unit, Fraction(shift))
    return Meaning(replace(period, direction=None if shift else Direction.NOW))


def now(match: re.Match[str], reading: Reading) -> Meaning:
    """The minute of speaking."""
    return Meaning(replace(reading.calendar.minute(), direction=Direction.NOW))


def just_now(match: re.Match[str], reading: Reading) -> Meaning:
    """刚才 is the minute of speaking too, as something that is past."""
    return Meaning(replace(reading.calendar.minute(), direction=Direction.PAST))


def nothing(match: re.Match[str], reading: Reading) -> Meaning:
    """No date, whatever shorter rules would find in it."""
    return NOTHING


def habit(match: re.Match[str], reading: Reading) -> Meaning:
    return HABIT
