"""Chinese rules for what is near: 今天, 上周三, 下个月, 今晚, 每天."""

import re
from datetime import timedelta

from ledger.dates.chinese.vocabulary import pattern
from ledger.dates.clocks import part_of_day
from ledger.dates.dated import Grain
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
from ledger.dates.words import chinese, conventions

_Match = re.Match[str]


def _day(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "day", chinese()["days"][match[0]])


def _parted_day(match: _Match, reading: Reading) -> Meaning:
    first, after = conventions()["parts_of_day"][match["part"]]
    calendar = reading.calendar
    day = calendar.today + timedelta(chinese()["parted_days"][match["day"]])
    return Meaning(calendar.hours(day, first, after))


def _part(match: _Match, reading: Reading) -> Meaning:
    return part_of_day(reading, match[0])


def _week(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "week", chinese()["near"][match["near"]])


def _week_day(match: _Match, reading: Reading) -> Meaning:
    """上周三 is a day of last week, Monday first."""
    calendar, shift = reading.calendar, chinese()["near"][match["near"]]
    monday = calendar.week(calendar.today).begins.date()
    day = chinese()["weekdays"][match["weekday"]]
    return Meaning(calendar.day(monday + timedelta(7 * shift + day)))


def _week_end(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "weekend", chinese()["near"][match["near"]])


def _weekend(match: _Match, reading: Reading) -> Meaning:
    """A bare 周末: the last one for the past tense, otherwise this week's."""
    tense = reading.tense(match)
    if tense == Tense.HABIT:
        return NOTHING
    period = step(reading, "weekend", -1 if tense == Tense.PAST else 0).period
    calendar = reading.calendar
    return Meaning(
        period,
        frozenset({Grain.WEEK}),
        lambda outer: calendar.weekend(outer.begins.date()),
    )


def _weekday(match: _Match, reading: Reading) -> Meaning:
    return weekday_of(reading, match, chinese()["weekdays"][match["weekday"]])


def _month(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "month", chinese()["near"][match["near"]])


def _quarter(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "quarter", chinese()["near"][match["near"]])


def _year(match: _Match, reading: Reading) -> Meaning:
    return step(reading, "year", chinese()["years"][match[0]])


RULES = (
    Rule("not_dates", pattern("{not_dates}"), nothing),
    Rule("day", pattern("(?<![以之目])(?:{day})(?![气然赋])"), _day),
    Rule(
        "parted_day",
        pattern("(?P<day>[昨今明前])(?P<part>[晚早晨夜])(?![期年点安餐饭报])"),
        _parted_day,
    ),
    Rule("part_of_day", pattern("(?:{full_part})(?!好)"), _part),
    Rule("now", pattern("(?:现在|目前|眼下|如今|此刻|当下|当前|现今)"), now),
    Rule("just_now", pattern("刚才|方才"), just_now),
    Rule(
        "week",
        pattern("(?P<near>{near})一?个?{week}(?!{weekday}|末)"),
        _week,
    ),
    Rule("week_day", pattern("(?P<near>{near})个?{week}(?P<weekday>{weekday})"), _week_day),
    Rule("week_end", pattern("(?P<near>{near})个?周末"), _week_end),
    Rule("weekend", pattern("周末(?![班愉快])"), _weekend),
    Rule(
        "weekday",
        pattern(
            "(?<![一二两三四五六七八九十百0-9几半上下])(?:周|星期|礼拜)(?P<weekday>{weekday})(?![年岁次样报共])"
        ),
        _weekday,
    ),
    Rule("month", pattern("(?P<near>{near})个?月(?![球亮色光饼台亮])"), _month),
    Rule("quarter", pattern("(?P<near>{near})个?季度"), _quarter),
    Rule(
        "year",
        pattern("(?<![以之过几数0-9一二三四五六七八九十百千万])(?:{years})(?![轻龄代纪迈])"),
        _year,
    ),
    Rule(
        "habit",
        pattern(
            "每(?:一|个|逢|到|隔)?(?:{number})?(?:{unit}|日|月|晚|早|{full_part}|{week}{weekday}|周末|{holiday})"
        ),
        habit,
    ),
)
