"""Chinese rules that count: 两周前, 半个月后, 过去三个月, 最近."""

import re
from fractions import Fraction

from ledger.dates.chinese.vocabulary import pattern
from ledger.dates.meanings import (
    offset,
    whole_year,
    window,
)
from ledger.dates.numbers import Quantity, chinese_quantity
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)
from ledger.dates.tense import Tense
from ledger.dates.words import chinese, conventions

_Match = re.Match[str]


def _unit(word: str) -> str:
    # 半月 and 三日 need no measure word.
    return {"月": "month", "日": "day"}.get(word) or str(chinese()["units"][word])


def _amount(match: _Match) -> tuple[str, Quantity]:
    quantity = chinese_quantity(match["n"])
    if match["half"] or match["half_after"]:
        quantity = Quantity(quantity.least + Fraction(1, 2))
    return _unit(match["unit"]), quantity


def _before(match: _Match, reading: Reading) -> Meaning | None:
    """两年前. With a plausible year it is another thing: 2019年前 is before 2019."""
    if _is_year(match, reading):
        return None
    return offset(reading, *_amount(match), -1)


def _after(match: _Match, reading: Reading) -> Meaning | None:
    """三天后; in a story of the past (三天后我走了) it counts from an unknown day."""
    if _is_year(match, reading):
        return None
    if reading.tense(match) == Tense.PAST:
        return NOTHING
    return offset(reading, *_amount(match), 1)


def _is_year(match: _Match, reading: Reading) -> bool:
    digits = match["n"]
    if match["unit"] != "年" or len(digits) != 4 or not digits.isdecimal():
        return False
    return whole_year(reading, int(digits)) is not None


def _within(match: _Match, reading: Reading) -> Meaning:
    """三天内; with the past tense it is how long something took."""
    if reading.tense(match) == Tense.PAST:
        return NOTHING
    return window(reading, *_amount(match), 1)


def _past_window(match: _Match, reading: Reading) -> Meaning:
    return window(reading, *_amount(match), -1)


def _coming_window(match: _Match, reading: Reading) -> Meaning:
    return window(reading, *_amount(match), 1)


def _a_few_before(match: _Match, reading: Reading) -> Meaning:
    """前几天, 前两天: a few days ago."""
    return offset(reading, _unit(match["unit"] or match["two"]), chinese_quantity("几"), -1)


def _a_few_after(match: _Match, reading: Reading) -> Meaning:
    return offset(reading, _unit(match["unit"] or match["two"]), chinese_quantity("几"), 1)


def _recently(match: _Match, reading: Reading) -> Meaning:
    days = Fraction(conventions()["recent_days"])
    return window(reading, "day", Quantity(Fraction(1), days), -1)


_COUNT = (
    "(?P<n>{number})(?P<half>个半(?=月|小时|星期|礼拜|钟头))?"
    "(?P<unit>{unit}|(?<=半)月|(?<=[一二两三四五六七八九十])日)(?P<half_after>半)?"
)
_FEW = "(?:几(?P<unit>天|年|个月|周|个星期|个礼拜)|两(?P<two>天|年))"

RULES = (
    Rule("before", pattern("{b}" + _COUNT + "(?:之前|以前|前)(?![面后任列往])"), _before),
    Rule("after", pattern("{b}" + _COUNT + "(?:之后|以后|过后|后)(?!面)"), _after),
    Rule("within", pattern("{b}" + _COUNT + "(?:之内|以内|内)"), _within),
    Rule(
        "past_window",
        pattern("(?:在)?(?P<x>(?:过去|最近|近|这|以往)的?{b}" + _COUNT + "(?:以来|里|内|间|中)?)"),
        _past_window,
    ),
    Rule(
        "coming_window",
        pattern("(?:未来|接下来|今后|往后|此后)的?" + _COUNT + "(?:里|内|间|中)?"),
        _coming_window,
    ),
    Rule("a_few_before", pattern("[前头]" + _FEW), _a_few_before),
    Rule("passing", pattern("再过" + _COUNT), _after),
    Rule("a_few_after", pattern("(?<![经不超])过" + _FEW), _a_few_after),
    Rule("recently", pattern("最近|近来|近期|近日|近些日子|不久前"), _recently),
)
