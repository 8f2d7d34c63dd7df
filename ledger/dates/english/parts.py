"""English rules for parts of a period: early March, the first week of June, later this year."""

import re
from dataclasses import replace

from ledger.dates.dated import Grain
from ledger.dates.english.vocabulary import THIRDS_OF, pattern
from ledger.dates.meanings import step
from ledger.dates.numbers import english_quantity
from ledger.dates.parts import LAST, nth, nth_weekday, so_far, some_days, third
from ledger.dates.periods import Period
from ledger.dates.rules import (
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.words import english

_Match = re.Match[str]


def _third(match: _Match, reading: Reading) -> Meaning:
    return third(reading, THIRDS_OF[match["third"]])


def _ordinal(word: str) -> int:
    return LAST if word == "last" else int(english()["ordinals"][word])


def _nth(match: _Match, reading: Reading) -> Meaning:
    """Like "the first week" or "the last Friday", before "of June"."""
    number, unit = _ordinal(match["ordinal"]), match["unit"]
    if unit in english()["weekdays"]:
        return nth_weekday(reading, number, english()["weekdays"][unit])
    return nth(reading, unit, number)


def _half(match: _Match, reading: Reading) -> Meaning:
    """Like "the first half", before "of 2023"."""
    first = 1 if match["which"] == "first" else 7

    def place(outer: Period) -> Period:
        return reading.calendar.months(outer.begins.year, first, 6, Grain.HALF_YEAR)

    return Meaning(inside=frozenset({Grain.YEAR}), place=place, weak=True)


def _some_days(match: _Match, reading: Reading) -> Meaning | None:
    """Like "the first three days", before "of June"."""
    quantity = english_quantity(match["n"])
    if quantity.most is not None:
        return None
    unit = english()["units"][match["unit"]]
    return some_days(reading, unit, int(quantity.least), last=match["edge"] == "last")


def _the_unit(match: _Match, reading: Reading) -> Meaning:
    """That which is on, but only behind a part of it: "the end of the month"."""
    return replace(step(reading, match["unit"], 0), weak=True)


def _so_far(match: _Match, reading: Reading) -> Meaning:
    return so_far(reading, earlier=match[0] == "earlier")


RULES = (
    Rule(
        "third",
        pattern(r"{b}(?:in )?(?P<x>(?P<third>early|mid|late)(?! (?:to|for|at) ))(?=[ -])"),
        _third,
    ),
    Rule(
        "third_of",
        pattern(r"{b}(?:the )?(?P<third>end|beginning|start|middle)(?= of )"),
        _third,
    ),
    Rule(
        "nth",
        pattern(
            r"{b}(?:the )?(?P<ordinal>{ordinal}|last) (?P<unit>day|week|weekend|{any_weekday})"
            r"(?= (?:of|in) )"
        ),
        _nth,
    ),
    Rule("half", pattern(r"{b}the (?P<which>first|second) half(?= of )"), _half),
    Rule(
        "some_days",
        pattern(
            r"{b}(?:the )?(?P<edge>first|last) (?P<n>{number}) (?P<unit>days|weeks)(?= (?:of|in) )"
        ),
        _some_days,
    ),
    Rule(
        "the_unit",
        pattern(r"(?<=(?:of|in) )the (?P<unit>week|month|quarter|year|decade){e}"),
        _the_unit,
    ),
    Rule("so_far", pattern(r"{b}(?:earlier|later)(?= (?:on )?(?:this|in|today))"), _so_far),
)
