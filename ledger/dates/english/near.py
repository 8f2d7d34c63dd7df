"""English rules for what is near: today, last week, weekdays, weekends, parts of the day."""

import re
from datetime import timedelta

from ledger.dates.clocks import part_of_day
from ledger.dates.english.vocabulary import STEPS, pattern
from ledger.dates.meanings import (
    habit,
    just_now,
    nothing,
    now,
    step,
    weekday_of,
)
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.tense import Tense
from ledger.dates.words import conventions, english

_Match = re.Match[str]
_DAYS = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "today": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}
_PARTED = {"tonight": (0, "night"), "last night": (-1, "night"), "last evening": (-1, "evening")}


def _day(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "day", _DAYS[match[0]])


def _parted_day(match: _Match, reading: Reading) -> Meaning:
    shift, part = _PARTED.get(match[0], (0, match["part"]))
    first, after = conventions()["parts_of_day"][part]
    calendar = reading.calendar
    return Meaning(calendar.hours(calendar.today + timedelta(shift), first, after))


def _part(match: _Match, reading: Reading) -> Meaning:
    return part_of_day(reading, match["part"])


def _unit(match: _Match, reading: Reading) -> Meaning:
    """A stepped unit: "last week" is the calendar's last week, Monday first."""
    return step(reading, match["unit"], STEPS[match["step"]])


def _unit_beyond(match: _Match, reading: Reading) -> Meaning:
    return step(reading, match["unit"], -2 if match["way"] == "before last" else 2)


def _stepped_weekday(match: _Match, reading: Reading) -> Meaning:
    """A stepped weekday: "last Friday" is the latest one before the day of speaking, "this
    Friday" that of this week, "next Friday" that of next week, "coming Friday" the first one after
    that day."""
    calendar, day = reading.calendar, english()["weekdays"][match["day"]]
    today, word = calendar.today, match["step"]
    if word in ("this", "next"):
        monday = today - timedelta(today.weekday())
        return Meaning(calendar.day(monday + timedelta(day + 7 * STEPS[word])))
    if word in ("coming", "this coming", "following", "upcoming"):
        return Meaning(calendar.day(today + timedelta((day - today.weekday() - 1) % 7 + 1)))
    return Meaning(calendar.day(today - timedelta((today.weekday() - day - 1) % 7 + 1)))


def _weekday(match: _Match, reading: Reading) -> Meaning | None:
    """Abbreviations need a preposition, and those that are words also their capital."""
    word = match["x"]
    if word in ("sat", "sun", "wed") and reading.original[match.start("x")].islower():
        return None
    return weekday_of(reading, match, english()["weekdays"][word])


def _weekend(match: _Match, reading: Reading) -> Meaning:
    """Bare, "on the weekend": the last one for the past tense, otherwise this week's."""
    tense = reading.tense(match)
    if tense == Tense.HABIT:
        return NOTHING
    return step(reading, "weekend", -1 if tense == Tense.PAST else 0)


RULES = (
    Rule("not_dates", pattern(r"{b}{not_dates}{e}"), nothing),
    Rule(
        "day",
        pattern(r"{b}(?:the day (?:before yesterday|after tomorrow)|yesterday|today|tomorrow){e}"),
        _day,
    ),
    Rule(
        "parted_day",
        pattern(
            r"{b}(?:tonight|last (?:night|evening)"
            r"|this (?:early )?(?P<part>morning|afternoon|evening)){e}"
        ),
        _parted_day,
    ),
    Rule("part_of_day", pattern(r"{b}(?:in the |at )?(?P<part>{part}){e}"), _part),
    Rule(
        "now",
        pattern(r"{b}(?:right now|now|currently|at the moment|at present|nowadays|these days){e}"),
        now,
    ),
    Rule("just_now", pattern(r"{b}(?:just now|a moment ago){e}"), just_now),
    Rule(
        "unit",
        pattern(r"{b}(?P<step>{step}) (?P<unit>week|weekend|month|quarter|year|decade){e}(?! of )"),
        _unit,
    ),
    Rule(
        "unit_beyond",
        pattern(
            r"{b}the (?P<unit>week|weekend|month|quarter|year) "
            r"(?P<way>before last|after next){e}"
        ),
        _unit_beyond,
    ),
    Rule(
        "stepped_weekday",
        pattern(
            r"{b}(?P<step>last|this past|past|previous|this coming|coming|upcoming|following|this"
            r"|next) (?P<day>{any_weekday}){e}"
        ),
        _stepped_weekday,
    ),
    Rule(
        "weekday",
        pattern(r"{b}(?:on|by|until|till|since|before|after|from|for) (?P<x>{any_weekday}){e}"),
        _weekday,
    ),
    Rule("bare_weekday", pattern(r"{b}(?P<x>{weekday}){e}"), _weekday),
    Rule("weekend", pattern(r"{b}(?:on|over|at|during) (?P<x>the weekend){e}"), _weekend),
    Rule(
        "habit",
        pattern(
            r"{b}(?:(?:every|each) (?:other |single |second )?"
            r"(?:{unit}|{part}|{any_weekday}|weekend|weekday|{month}|{season}|{holiday})"
            r"|{weekday}s|(?:on |at )?(?:the )?week(?:end|day)s|daily|weekly|monthly|yearly){e}"
        ),
        habit,
    ),
)
