"""Rules for dates and times in digits, which are the same in both languages."""

import re
from datetime import date, datetime

from ledger.dates.clocks import clock
from ledger.dates.dated import Grain
from ledger.dates.meanings import whole_year, yearly
from ledger.dates.periods import Period
from ledger.dates.rules import (
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.words import any_of, conventions, english

_FREE = r"(?<![0-9a-z_$¥€£#])(?<!\d[.:/-])"
_DONE = r"(?![0-9a-z_%])(?![.:/-]\d)"
# A month is never above this; so a first number above it is a day.
_LAST_MONTH = 12


def _moment(match: re.Match[str], reading: Reading) -> Meaning:
    """2024-07-13T15:30:00+02:00: a time on the clock with its own offset."""
    moment = datetime.fromisoformat(match[0].replace(" ", "T").upper())
    calendar = reading.calendar
    grain = Grain.SECOND if match["second"] else Grain.MINUTE
    return Meaning(calendar.clock_time(moment.astimezone(calendar.zone), grain))


def _year_first(match: re.Match[str], reading: Reading) -> Meaning | None:
    year = int(match["year"])
    first, last = conventions()["plausible_years"]
    if not first <= year <= last:
        return None
    return _day(reading, year, int(match["month"]), int(match["day"]))


def _year_last(match: re.Match[str], reading: Reading) -> Meaning | None:
    """13/07/2024, 07/13/24. With slashes and dashes the month comes first, as long as that is
    possible; with dots the day does. Only with slashes may the year be of this century's two
    digits: 3.10.12 is a version."""
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    dotted = match["mark"] == "."
    if len(match["year"]) == 2:
        if match["mark"] != "/":
            return None
        year += reading.calendar.today.year // 100 * 100
    if first > _LAST_MONTH or (dotted and second <= _LAST_MONTH):
        first, second = second, first
    return _day(reading, year, first, second)


def _month_day(match: re.Match[str], reading: Reading) -> Meaning:
    """7/13, the month first as long as that is possible. Without a word that makes it a day it may
    be a fraction or a score, and needs a neighbour."""
    month, day, calendar = int(match["first"]), int(match["second"]), reading.calendar
    if month > _LAST_MONTH:
        month, day = day, month
    weak = match["lead"] is None or match["sure"] is None
    return yearly(reading, match, lambda year: calendar.day(date(year, month, day)), weak=weak)


def _year_month(match: re.Match[str], reading: Reading) -> Meaning | None:
    if whole_year(reading, int(match["year"])) is None:
        return None
    return Meaning(reading.calendar.month(int(match["year"]), int(match["month"])))


def _day(reading: Reading, year: int, month: int, day: int) -> Meaning:
    return Meaning(reading.calendar.day(date(year, month, day)))


def _clock(match: re.Match[str], reading: Reading) -> Meaning:
    """15:30 is a time; 3:30 could also be a score or a verse, and needs support."""
    second = int(match["second"]) if match["second"] else None
    time = (int(match["hour"]), int(match["minute"]), second)
    alone = len(match["hour"]) > 1 or match["at"]
    return clock(reading, match, time, weak=not alone)


def _years(match: re.Match[str], reading: Reading) -> Meaning | None:
    """2019-2021, 2019到2021年."""
    first, last = int(match["first"]), int(match["last"])
    bare = match["mark"] in ("-", "--")
    if not (bare or match["from"] or match["nian"]) or first >= last:
        return None
    begins, ends = whole_year(reading, first), whole_year(reading, last)
    if not (begins and begins.period and ends and ends.period):
        return None
    return Meaning(Period(begins.period.begins, ends.period.ends, Grain.YEAR, whole=False))


RULES = (
    Rule(
        "moment",
        re.compile(
            _FREE + r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?P<second>:\d\d(?:\.\d{1,6})?)?"
            r"(?:z|[+-]\d\d:\d\d)(?!\w)"
        ),
        _moment,
    ),
    Rule(
        "year_first",
        re.compile(
            _FREE + r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})"
            r"(?![\d%])(?![./-]\d)"
        ),
        _year_first,
    ),
    Rule(
        "year_last",
        re.compile(
            _FREE
            + r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)"
            + _DONE
        ),
        _year_last,
    ),
    Rule(
        "month_day",
        re.compile(
            r"(?P<lead>(?:(?<![a-z])(?:on|by|since|until|till|from|before|after|due|for) )"
            r"|(?<![a-z])" + any_of(english()["weekdays"]) + r",? "
            r"|[在到于从至])?"
            + _FREE
            + r"(?P<x>(?P<first>\d{1,2})/(?P<second>\d{1,2}))"
            + _DONE
            + r"(?P<sure>(?! [a-z])|(?= "
            + any_of(english()["after_month"])
            + r"(?![a-z])))?"
        ),
        _month_day,
    ),
    Rule(
        "year_month",
        re.compile(_FREE + r"(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])" + _DONE),
        _year_month,
    ),
    Rule(
        "clock",
        re.compile(
            r"(?<![\d.:/$])(?<!(?<!\d)-)(?P<at>at )?"
            r"(?P<x>(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?)"
            r"(?![\d%])(?![.:/]\d)(?! ?[ap]\.?m\b)"
        ),
        _clock,
    ),
    Rule(
        "years",
        re.compile(
            r"(?<![\d$¥€£#])(?<!\d[.:/-])(?P<from>(?:from|between) |[从自])?(?P<first>\d{4})年? ?"
            r"(?P<mark>--?|~|to|and|until|till|through|到|至) ?(?P<last>\d{4})(?P<nian>年)?"
            r"(?![\d%a-z元块])(?![.:/-]\d)(?! " + any_of(english()["counted"]) + r")"
        ),
        _years,
    ),
)
