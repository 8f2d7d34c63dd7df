"""English rules that count: "three days ago", "in 2 hours", "for the past three months"."""

import re
from fractions import Fraction

from ledger.dates.english.vocabulary import pattern
from ledger.dates.meanings import (
    from_a_day,
    offset,
    window,
)
from ledger.dates.numbers import Quantity, english_quantity
from ledger.dates.periods import Calendar
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.tense import Tense
from ledger.dates.words import conventions, english

_Match = re.Match[str]
_COUNT = r"(?P<n>{number})(?P<half> and a half)?[- ](?P<unit>{unit})(?P<half_after> and a half)?"


def _amount(match: _Match) -> tuple[str, Quantity]:
    half = bool(match["half"] or match["half_after"])
    return english()["units"][match["unit"]], english_quantity(match["n"], half)


def _ago(match: _Match, reading: Reading) -> Meaning:
    unit, quantity = _amount(match)
    if not match["n_more"]:
        return offset(reading, unit, quantity, -1)
    # "1 year and 3 months ago": the second unit is the grain.
    calendar = reading.calendar
    first = Calendar(calendar.moment(unit, -quantity.least), calendar.zone)
    more = english_quantity(match["n_more"]).least
    return Meaning(first.away(english()["units"][match["unit_more"]], -more))


def _ahead(match: _Match, reading: Reading) -> Meaning:
    """Ahead: "in 2 hours" is when; "I did it in 2 hours" is how long, which is no date."""
    if reading.tense(match) == Tense.PAST:
        return NOTHING
    return offset(reading, *_amount(match), 1)


def _within(match: _Match, reading: Reading) -> Meaning:
    if reading.tense(match) == Tense.PAST:
        return NOTHING
    return window(reading, *_amount(match), 1)


def _window(match: _Match, reading: Reading) -> Meaning:
    return window(reading, *_amount(match), _sign(match))


def _window_of_one(match: _Match, reading: Reading) -> Meaning:
    unit = english()["units"][match["unit"]]
    return window(reading, unit, Quantity(Fraction(1)), _sign(match))


def _sign(match: _Match) -> int:
    return -1 if match["way"] in ("past", "last", "previous") else 1


def _recently(match: _Match, reading: Reading) -> Meaning:
    days = Fraction(conventions()["recent_days"])
    return window(reading, "day", Quantity(Fraction(1), days), -1)


def _the_other_day(match: _Match, reading: Reading) -> Meaning:
    return offset(reading, "day", english_quantity("a few"), -1)


def _from_a_day(match: _Match, reading: Reading) -> Meaning:
    """Like "two days before Christmas" or "a week from Friday": a day, counted
    from the day that stands behind it."""
    unit, quantity = ("day", Quantity(Fraction(1))) if match["the_day"] else _amount(match)
    return from_a_day(reading, unit, quantity.least * (-1 if match["way"] == "before" else 1))


RULES = (
    Rule(
        "from_a_day",
        pattern("{b}(?:(?P<the_day>the day)|" + _COUNT + ") (?P<way>before|after|from)(?= )"),
        _from_a_day,
    ),
    Rule(
        "ago",
        pattern(
            "{b}" + _COUNT + r"(?:,? (?:and )?(?P<n_more>{number}) (?P<unit_more>{unit}))?"
            r" (?:ago|back|earlier){e}"
        ),
        _ago,
    ),
    Rule(
        "in_time", pattern(r"{b}in (?:about |around )?" + _COUNT + r"(?:'s?)?(?: time)?{e}"), _ahead
    ),
    Rule("from_now", pattern("{b}" + _COUNT + r" (?:from now|from today|later|hence){e}"), _ahead),
    Rule("within", pattern(r"{b}within (?:the next )?" + _COUNT + "{e}"), _within),
    Rule(
        "window",
        pattern(
            r"{b}(?:the |these |my |our )?(?P<way>past|last|previous|next|coming|following) "
            + _COUNT
            + "{e}"
        ),
        _window,
    ),
    Rule(
        "window_of_one",
        pattern(
            r"{b}(?:the )?(?P<way>past|(?<=the )(?:last|next|coming)) "
            r"(?P<unit>second|minute|hour|day|week|month|quarter|year|decade|century){e}"
            r"(?! of)"
        ),
        _window_of_one,
    ),
    Rule("recently", pattern(r"{b}(?:recently|lately){e}"), _recently),
    Rule("the_other_day", pattern(r"{b}the other day{e}"), _the_other_day),
)
