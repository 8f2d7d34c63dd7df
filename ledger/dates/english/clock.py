"""English rules for the clock: 3pm, half past three, noon, 3 to 5pm."""

import re
from datetime import timedelta

from ledger.dates.clocks import clock
from ledger.dates.english.vocabulary import pattern
from ledger.dates.periods import Period
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.words import english

_Match = re.Match[str]
_NOON = 12
_PARTS_OF_HOUR = {"half": 30, "quarter": 15, "a quarter": 15}


def _number(word: str) -> int:
    return int(word) if word.isdigit() else int(english()["numbers"][word])


def _half_day(hour: int, letter: str) -> int:
    """The hour of 24; 12 am is 0."""
    return hour % _NOON + (_NOON if letter == "p" else 0)


def _twelve(match: _Match, reading: Reading) -> Meaning:
    """3pm, 3:30 p.m., 3 o'clock in the afternoon."""
    hour = _number(match["hour"])
    if match["half_day"]:
        hour = _half_day(hour, match["half_day"])
    minute = int(match["minute"]) if match["minute"] else None
    return clock(
        reading,
        match,
        (hour, minute, None),
        part=match["part"] or "",
        twelve=not match["half_day"],
    )


def _at_hour(match: _Match, reading: Reading) -> Meaning:
    """Like "at 8", which is a time only beside a day."""
    return clock(reading, match, (int(match["hour"]), None, None), twelve=True, weak=True)


def _past_or_to(match: _Match, reading: Reading) -> Meaning:
    """half past three, quarter to five, ten past six"""
    hour, part = _number(match["hour"]), match["part_of_hour"]
    minute = _PARTS_OF_HOUR[part] if part in _PARTS_OF_HOUR else _number(part)
    if match["way"] == "to":
        hour, minute = (hour - 1) or _NOON, 60 - minute
    return clock(reading, match, (hour, minute, None), twelve=True)


def _named(match: _Match, reading: Reading) -> Meaning:
    """noon is the hour from 12:00, midnight the hour from 0:00; an evening ends with it."""
    return clock(reading, match, (12 if match["x"] == "noon" else 0, None, None))


def _bare_hours(match: _Match, reading: Reading) -> Meaning:
    """from 9 to 5, which are hours only beside a day; the second may be of the afternoon."""
    begins, ends = (
        clock(reading, match, (int(match[name]), None, None), twelve=True)
        for name in ("first", "last")
    )

    def place(outer: Period) -> Period | None:
        if not (begins.place and ends.place):
            return None
        begun, over = begins.place(outer), ends.place(outer)
        if begun is None or over is None:
            return None
        later = timedelta(hours=0 if over.begins > begun.begins else _NOON)
        return Period(begun.begins, over.begins + later, begun.grain, whole=False)

    return Meaning(None, begins.inside, place, weak=True)


def _hours(match: _Match, reading: Reading) -> Meaning:
    """3-5pm, 11am to 1pm"""
    first, last = int(match["first"]), _half_day(int(match["last"]), match["half_day"])
    first = _half_day(first, match["half_day"])
    if first >= last:
        first -= _NOON
    if first < 0:
        return NOTHING
    begins = clock(reading, match, (first, None, None))
    ends = clock(reading, match, (last, None, None))

    def place(outer: Period) -> Period | None:
        if not (begins.place and ends.place):
            return None
        begun, over = begins.place(outer), ends.place(outer)
        return begun and over and Period(begun.begins, over.begins, begun.grain, whole=False)

    day = begins.period and reading.calendar.day(begins.period.begins.date())
    return Meaning(place(day) if day else None, begins.inside, place)


RULES = (
    Rule(
        "twelve",
        pattern(
            r"{b}(?:at )?(?P<x>(?P<hour>{hour})(?:[:.](?P<minute>[0-5]\d))?"
            r"(?: ?(?P<half_day>[ap])(?:\.m\.?|m)(?![a-z0-9_])| o'clock{e})"
            r"(?: (?:in the |at )(?P<part>morning|afternoon|evening|night){e})?)"
        ),
        _twelve,
    ),
    Rule(
        "at_hour",
        pattern(r"{b}at (?P<x>(?P<hour>1[0-2]|[1-9]))(?![\d.:%/a-z])(?! {counted}{e})(?![-] ?\d)"),
        _at_hour,
    ),
    Rule(
        "past_or_to",
        pattern(
            r"{b}(?P<part_of_hour>half|a quarter|quarter|ten|twenty|five) (?P<way>past|to) "
            r"(?P<hour>{hour}){e}(?![:.]\d)"
        ),
        _past_or_to,
    ),
    Rule("named_clock", pattern(r"{b}(?:at )?(?P<x>noon|midnight){e}"), _named),
    Rule(
        "bare_hours",
        pattern(
            r"{b}(?:from|between) (?P<first>1[0-2]|[1-9]) (?:to|and|until|till) "
            r"(?P<last>1[0-2]|[1-9])(?![\d.:%/a-z])(?! {counted}{e})"
        ),
        _bare_hours,
    ),
    Rule(
        "hours",
        pattern(
            r"{b}(?:from |between )?(?P<first>1[0-2]|[1-9]) ?(?:-|to|and) ?"
            r"(?P<last>1[0-2]|[1-9]) ?(?P<half_day>[ap])\.?m(?![a-z0-9_])"
        ),
        _hours,
    ),
)
