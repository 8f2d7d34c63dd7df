"""English rules for years and what comes once a year: seasons, quarters, holidays; decades."""

import re

from ledger.dates.dated import Grain
from ledger.dates.english.vocabulary import OF_YEAR, STEP, THIRDS_OF, pattern
from ledger.dates.meanings import (
    holiday,
    stepped,
    whole_year,
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
_SHORT_YEARS = 100


def _season(match: _Match, reading: Reading) -> Meaning:
    calendar, name = reading.calendar, match["season"]
    if match["year"]:
        return Meaning(calendar.season(int(match["year"]), name))
    if match["step"]:
        return stepped(reading, match["step"], lambda year: calendar.season(year, name))
    weak = match["lead"] is None
    return yearly(reading, match, lambda year: calendar.season(year, name), weak=weak)


def _quarter(match: _Match, reading: Reading) -> Meaning:
    number = int(match["q"]) if match["q"] else int(english()["ordinals"][match["ordinal"]])

    def of_year(year: int) -> Period:
        return reading.calendar.months(year, number * 3 - 2, 3, Grain.QUARTER)

    year = match["year"] or match["year_before"]
    return Meaning(of_year(int(year))) if year else yearly(reading, match, of_year)


def _year(match: _Match, reading: Reading) -> Meaning | None:
    return whole_year(reading, int(match["x"]))


def _decade(match: _Match, reading: Reading) -> Meaning:
    if match["century"]:
        return _part_of_decade(match, reading, int(match["century"] + match["tens"]))
    return _part_of_decade(match, reading, _latest(reading, int(match["tens"])))


def _decade_word(match: _Match, reading: Reading) -> Meaning:
    return _part_of_decade(match, reading, _latest(reading, english()["decades"][match["word"]]))


def _latest(reading: Reading, tens: int) -> int:
    """Bare, "the 90s" is the latest decade of that name that has begun."""
    now = reading.calendar.today.year
    return now - (now - tens) % _SHORT_YEARS


def _part_of_decade(match: _Match, reading: Reading, year: int) -> Meaning:
    period = reading.calendar.decade(year)
    if match["third"]:
        period = reading.calendar.third(period, THIRDS_OF[match["third"]])
    return Meaning(period)


def _holiday(match: _Match, reading: Reading) -> Meaning:
    of_year = holiday(reading, match["holiday"])
    if match["year"]:
        return Meaning(of_year(int(match["year"])))
    if match["step"]:
        return stepped(reading, match["step"], of_year)
    return yearly(reading, match, of_year)


RULES = (
    Rule(
        "season",
        pattern(
            r"{b}(?P<lead>(?:in|during|over|since|until|by) (?:the )?)?"
            r"(?P<x>"
            + STEP
            + "?(?P<season>{season}){e}"
            + OF_YEAR
            + r"?)(?! (?:of|in|from|to|sale)(?! {year}) )"
        ),
        _season,
    ),
    Rule(
        "quarter",
        pattern(
            r"{b}(?:(?P<year_before>{year}) )?(?:q(?P<q>[1-4])|(?:the )?(?P<ordinal>{ordinal})"
            r" quarter){e}" + OF_YEAR + "?"
        ),
        _quarter,
    ),
    Rule(
        "year",
        pattern(
            r"{b}(?:in|since|by|until|till|during|from|of|before|after|around|circa|year|mid|early"
            r"|late)[ -](?P<x>{year})(?![\w$-])(?! {counted}{e})"
        ),
        _year,
    ),
    Rule(
        "decade",
        pattern(
            r"{b}(?:(?:the )?(?P<third>early|mid|late)[ -](?:the )?|the )?"
            r"(?:(?P<century>1[5-9]|20)|(?<=the )'?|'|(?<=early )|(?<=mid.)|(?<=late ))"
            r"(?P<tens>[0-9]0)'?s{e}"
        ),
        _decade,
    ),
    Rule(
        "decade_word",
        pattern(r"{b}the (?:(?P<third>early|mid|late)[ -])?(?P<word>{decade}){e}"),
        _decade_word,
    ),
    Rule(
        "holiday", pattern(r"{b}" + STEP + "?(?P<holiday>{holiday}){e}" + OF_YEAR + "?"), _holiday
    ),
)
