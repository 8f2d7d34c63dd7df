"""Chinese rules for the calendar: 2024年7月13日, 三月, 夏天, 第三季度, 年底, 九十年代, 国庆."""

import re
from datetime import date

from ledger.dates.chinese.vocabulary import number, pattern
from ledger.dates.dated import Grain
from ledger.dates.meanings import (
    holiday,
    monthly,
    nothing,
    stepped,
    yearly,
)
from ledger.dates.periods import Period
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)

_Match = re.Match[str]
_PIVOT = 50
_STEPS = {"上": "last", "这": "this", "本": "this", "下": "next"}


def _full_year(words: str, reading: Reading) -> int:
    """24 is 2024 and 98 is 1998."""
    year = number(words)
    if len(words) > 2:
        return year
    return year + (1900 if year >= _PIVOT else 2000)


def _year_month_day(match: _Match, reading: Reading) -> Meaning:
    year, month = _full_year(match["year"], reading), number(match["month"])
    return Meaning(reading.calendar.day(date(year, month, number(match["day"]))))


def _year_month(match: _Match, reading: Reading) -> Meaning:
    month = number(match["month"])
    return Meaning(reading.calendar.month(_full_year(match["year"], reading), _checked(month)))


def _checked(month: int) -> int:
    return date(2000, month, 1).month


def _year(match: _Match, reading: Reading) -> Meaning | None:
    """A round thousand of years is a duration: 用了1000年."""
    year = _full_year(match["year"], reading)
    if year == 1000:
        return NOTHING
    return Meaning(reading.calendar.year(year))


def _month_day(match: _Match, reading: Reading) -> Meaning:
    month, day, calendar = number(match["month"]), number(match["day"]), reading.calendar
    return yearly(reading, match, lambda year: calendar.day(date(year, month, day)))


def _month(match: _Match, reading: Reading) -> Meaning:
    month = _checked(number(match["month"]))
    return yearly(reading, match, lambda year: reading.calendar.month(year, month))


def _day(match: _Match, reading: Reading) -> Meaning:
    """8号; 一日 needs a month before it."""
    weak = match["mark"] == "日" and not match["day"].isdecimal()
    return monthly(reading, match, number(match["day"]), weak=weak)


def _season(match: _Match, reading: Reading) -> Meaning:
    calendar, name = reading.calendar, match["season"]

    def of_year(year: int) -> Period:
        return calendar.season(year, name)

    if match["step"]:
        return stepped(reading, _STEPS[match["step"]], of_year)
    return yearly(reading, match, of_year, weak=True)


def _quarter(match: _Match, reading: Reading) -> Meaning:
    quarter = number(match["q"])

    def of_year(year: int) -> Period:
        return reading.calendar.months(year, quarter * 3 - 2, 3, Grain.QUARTER)

    return yearly(reading, match, of_year)


def _decade(match: _Match, reading: Reading) -> Meaning:
    """九十年代 is the latest decade of that name that has begun; 上世纪 is the last century."""
    tens = number(match["tens"])
    calendar = reading.calendar
    now = calendar.today.year
    if match["century"]:
        return Meaning(calendar.decade((number(match["century"]) - 1) * 100 + tens))
    if match["last"]:
        return Meaning(calendar.decade((now // 100 - 1) * 100 + tens))
    year = tens if len(match["tens"]) > 2 else now - (now - tens) % 100
    return Meaning(calendar.decade(year))


def _holiday(match: _Match, reading: Reading) -> Meaning:
    return yearly(reading, match, holiday(reading, match[0]))


_YEAR = r"(?:公元)?{b}(?P<year>{year_number}|[0-9]{2}|[〇零九八七][〇零一二三四五六七八九])年"
_MONTH = "(?P<month>{small})月"
RULES = (
    Rule("year_month_day", pattern(_YEAR + _MONTH + "(?P<day>{small})[日号]?"), _year_month_day),
    Rule("year_month", pattern(_YEAR + _MONTH + "份?"), _year_month),
    Rule("year", pattern(r"(?:公元)?{b}(?P<year>{year_number})年(?![级代龄轻])度?"), _year),
    Rule(
        "short_year",
        pattern(r"{b}(?P<year>[5-9]\d|0\d)年(?=出生|生人|毕业|入学|结婚|的时候|那年)"),
        _year,
    ),
    Rule(
        "month_day",
        pattern(r"{b}" + _MONTH + r"(?P<day>{small})[日号](?![线楼])"),
        _month_day,
    ),
    Rule("month", pattern(r"{b}" + _MONTH + "份?(?![球亮色光饼台])"), _month),
    Rule(
        "day_of_month",
        pattern(
            r"{b}(?P<day>{small})(?P<mark>日(?![本子游报])|号"
            r"(?![线楼房门机店院厅桌车铺公馆出选文电柜码称召位角棚台床]))"
        ),
        _day,
    ),
    Rule(
        "season",
        pattern(r"(?P<step>[上这本下](?=个))?个?(?P<season>[春夏秋冬])[天季](?![运装])"),
        _season,
    ),
    Rule(
        "quarter",
        pattern(r"(?:第|(?<![一二三四五六七八九十0-9个]))(?P<q>[一二三四1-4])季度"),
        _quarter,
    ),
    Rule(
        "decade",
        pattern(
            r"(?:(?P<last>上个?世纪)|{b}(?P<century>二十一|二十|十九|十八|2[01]|1[5-9])世纪)?"
            r"(?P<tens>(?<![0-9])(?:1[5-9]|20)?[0-9]0|[一二三四五六七八九]十)年代"
        ),
        _decade,
    ),
    Rule(
        "holiday",
        pattern("(?<![一二三四五六七八九十李])(?:{holiday})(?![一二三四五六七八九十])"),
        _holiday,
    ),
    # The lunar calendar is not resolved.
    Rule(
        "lunar",
        re.compile(r"(?:农历|阴历|旧历)[〇零一二三四五六七八九十正腊冬年月初日0-9]{0,14}"),
        nothing,
    ),
)
