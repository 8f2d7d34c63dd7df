"""Chinese rules for parts of a period: 年底, 六月第一周, 上半年, 今年早些时候."""

import re

from ledger.dates.chinese.vocabulary import number, pattern
from ledger.dates.dated import Grain
from ledger.dates.meanings import from_a_day, step, yearly
from ledger.dates.numbers import chinese_quantity
from ledger.dates.parts import LAST, nth, nth_weekday, so_far, some_days, third
from ledger.dates.periods import Period
from ledger.dates.rules import Meaning, Reading, Rule
from ledger.dates.words import chinese

_Match = re.Match[str]
_THIRDS = {"初": 0, "上旬": 0, "中旬": 1, "中": 1, "下旬": 2, "底": 2, "末": 2}
_UNITS = {"天": "day", "周末": "weekend", "周": "week", "星期": "week", "礼拜": "week"}
_HALVES = {"上": 1, "下": 7}


def _third(match: _Match, reading: Reading) -> Meaning:
    return third(reading, _THIRDS[match[0]])


def _third_of_this(match: _Match, reading: Reading) -> Meaning:
    """A bare 月底 or 年初: this month's, this year's; after 去年 it is that year's."""
    unit, which = ("month" if match["unit"] == "月" else "year"), _THIRDS[match["third"]]
    period = step(reading, unit, 0).period
    assert period is not None
    return Meaning(
        reading.calendar.third(period, which),
        frozenset({Grain(unit)}),
        lambda outer: reading.calendar.third(outer, which),
    )


def _half(match: _Match, reading: Reading) -> Meaning:
    first = _HALVES[match["half"]]

    def of_year(year: int) -> Period:
        return reading.calendar.months(year, first, 6, Grain.HALF_YEAR)

    return yearly(reading, match, of_year)


def _nth(match: _Match, reading: Reading) -> Meaning:
    """第一周, 最后一天, 第二个周五"""
    nth_one = number(match["n"]) if match["n"] else LAST
    if match["weekday"]:
        return nth_weekday(reading, nth_one, chinese()["weekdays"][match["weekday"]])
    return nth(reading, _UNITS[match["unit"]], nth_one)


def _some_days(match: _Match, reading: Reading) -> Meaning:
    """六月头三天, 最后两周"""
    unit = str(chinese()["units"][match["unit"]])
    return some_days(reading, unit, number(match["n"]), last=match["edge"] == "最后")


def _from_a_day(match: _Match, reading: Reading) -> Meaning | None:
    """国庆前三天, 周五的前一天: the day that is so far from it."""
    quantity = chinese_quantity(match["n"])
    if quantity.most is not None:
        return None
    sign = -1 if match["way"] == "前" else 1
    unit = str(chinese()["units"][match["unit"]])
    return from_a_day(reading, unit, sign * quantity.least)


def _so_far(match: _Match, reading: Reading) -> Meaning:
    return so_far(reading, earlier=match[0] in ("早些时候", "稍早"))


RULES = (
    Rule(
        "third_of_this",
        pattern(
            r"(?P<unit>[年月])(?P<third>[初底末](?![中级步次一二恋下层部])|中(?=[,.。、!?\s前后去要会]|$))"
        ),
        _third_of_this,
    ),
    Rule(
        "third",
        pattern(r"(?<=[年月份代天])(?:初(?![中级步次一二恋])|底(?![下层部])|末|[上中下]旬)"),
        _third,
    ),
    Rule("half_year", pattern(r"(?P<half>[上下])半年"), _half),
    Rule(
        "nth",
        pattern(
            "(?:第(?P<n>{small})|最后一)个?"
            "(?:(?P<unit>天|周末|{week})(?!{weekday})|{week}(?P<weekday>{weekday}))"
        ),
        _nth,
    ),
    Rule(
        "some_days",
        pattern("(?<=[年月份度季])的?(?P<edge>[前头]|最后)(?P<n>{small})个?(?P<unit>天|周|星期)"),
        _some_days,
    ),
    # Only right behind a day: 周五到，前两天在家 is another thing.
    Rule(
        "from_a_day",
        pattern(
            "(?<=[日号天节庆旦诞夜一二三四五六末的])(?P<way>[前后])(?P<n>{number})(?P<unit>天|个?星期|周)"
        ),
        _from_a_day,
    ),
    Rule("so_far", pattern("早些时候|稍早|晚些时候|稍晚"), _so_far),
)
