"""English rules for months and their days: "July 13th", "in March", "last May"."""

import re
from datetime import date

from ledger.dates.dated import Grain
from ledger.dates.english.vocabulary import OF_YEAR, STEP, pattern
from ledger.dates.meanings import (
    monthly,
    stepped,
    yearly,
)
from ledger.dates.periods import Period
from ledger.dates.rules import (
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.words import english

_Match = re.Match[str]
_MODALS = ("may", "march", "mar")
_BEFORE_MONTHS = ("in", "since", "until")


def _capital(match: _Match, reading: Reading) -> bool:
    return reading.original[match.start("month")].isupper()


def _is_verb(match: _Match, reading: Reading) -> bool:
    """So are "may" and "march" in small letters, where no year makes them a month."""
    return match["month"].rstrip(".") in _MODALS and not _capital(match, reading)


def _month_number(match: _Match) -> int:
    return int(english()["months"][match["month"].rstrip(".")])


def _day_of_month(match: _Match, reading: Reading) -> Meaning | None:
    """Like "July 13th" or "13 July 2024"; without a year the nearest by the clause's tense."""
    calendar, month, day = reading.calendar, _month_number(match), int(match["day"])
    if match["year"]:
        return Meaning(calendar.day(date(int(match["year"]), month, day)))
    if _is_verb(match, reading) and not match["th"]:
        return None
    return yearly(reading, match, lambda year: calendar.day(date(year, month, day)))


def _days_of_month(match: _Match, reading: Reading) -> Meaning | None:
    """Like "July 13-15, 2024", both days included."""
    calendar, month = reading.calendar, _month_number(match)
    first, last = int(match["day"]), int(match["last"])
    if _is_verb(match, reading) or first >= last:
        return None

    def of_year(year: int) -> Period:
        after = calendar.day(date(year, month, last)).ends
        return Period(calendar.midnight(date(year, month, first)), after, Grain.DAY, whole=False)

    if match["year"]:
        return Meaning(of_year(int(match["year"])))
    return yearly(reading, match, of_year)


def _day_alone(match: _Match, reading: Reading) -> Meaning:
    return monthly(reading, match, int(match["day"]))


def _day_of_some_month(match: _Match, reading: Reading) -> Meaning:
    """Like "the 5th", before "of next month"."""
    return monthly(reading, match, int(match["day"]), weak=True)


def _month_of_year(match: _Match, reading: Reading) -> Meaning:
    return Meaning(reading.calendar.month(int(match["year"]), _month_number(match)))


def _month(match: _Match, reading: Reading) -> Meaning | None:
    """A month with a preposition, or one whose name is nothing else. In small letters "march" is
    no month before a noun: in march formation."""
    month = _month_number(match)
    sure = match["sure"] is not None and match["lead"] in _BEFORE_MONTHS
    if _is_verb(match, reading) and not sure:
        return None
    return yearly(reading, match, lambda year: reading.calendar.month(year, month))


def _bare_month(match: _Match, reading: Reading) -> Meaning | None:
    """May, April, June and the like may be verbs and people: they need a neighbour."""
    if _is_verb(match, reading):
        return None
    month, name = _month_number(match), match["month"].rstrip(".")
    weak = name not in english()["plain_months"]
    of_year = reading.calendar.month
    return yearly(reading, match, lambda year: of_year(year, month), weak=weak)


def _stepped_month(match: _Match, reading: Reading) -> Meaning | None:
    """With its step: "last March" is the latest that is over, "next March" the first to begin."""
    month = _month_number(match)
    if _is_verb(match, reading) and match["step"] == "this":
        return None
    return stepped(reading, match["step"], lambda year: reading.calendar.month(year, month))


RULES = (
    Rule(
        "month_day",
        pattern(
            r"{b}(?P<month>{month}) (?:the )?(?P<day>{day})(?!\d)(?P<th>{th}{e})?(?![a-z]|[.:/,]\d)"
            + OF_YEAR
            + "?(?! {counted}{e})"
        ),
        _day_of_month,
    ),
    Rule(
        "day_month",
        pattern(
            r"{b}(?:the )?(?P<day>{day})(?P<th>{th})?(?: of)?[ -](?P<month>{month})(?![a-z])"
            r"(?:(?:-|,? )(?P<year>{year}))?"
        ),
        _day_of_month,
    ),
    Rule(
        "month_days",
        pattern(
            r"{b}(?P<month>{month}) (?P<day>{day}){th}? ?(?:-|to|through|until) ?"
            r"(?P<last>{day}){th}?(?![\w]|[.:/-]\d)" + OF_YEAR + "?"
        ),
        _days_of_month,
    ),
    Rule(
        "day_alone",
        pattern(
            r"{b}(?:on|by|until|since|before|after|{any_weekday},?) (?P<x>the (?P<day>{day}){th})"
            r"(?![\w-])(?! (?!at |and |of |in |to |i |we )[a-z])"
        ),
        _day_alone,
    ),
    Rule(
        "day_of_some_month",
        pattern(r"{b}the (?P<day>{day}){th}(?= of (?:last|this|next) month{e})"),
        _day_of_some_month,
    ),
    Rule("month_of_year", pattern(r"{b}(?P<month>{month})" + OF_YEAR), _month_of_year),
    Rule(
        "month",
        pattern(
            r"{b}(?P<lead>in|since|by|until|till|during|from|before|after|between|for|of|around) "
            r"(?P<x>(?P<month>{month})){e}(?! {day}(?!\d))"
            r"(?P<sure>(?! ?[a-z])|(?= {after_month}{e}))?"
        ),
        _month,
    ),
    Rule("bare_month", pattern(r"{b}(?P<month>{month}){e}"), _bare_month),
    Rule(
        "stepped_month",
        pattern(r"{b}" + STEP + r"(?P<month>{month}){e}(?! (?:be|not|have|seem|take|help|mean) )"),
        _stepped_month,
    ),
)
