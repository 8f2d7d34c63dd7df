"""Chinese rules for the clock: 下午三点半, 早上8点, 15点20分."""

import re

from ledger.dates.chinese.vocabulary import number, pattern
from ledger.dates.clocks import clock
from ledger.dates.rules import (
    NOTHING,
    Meaning,
    Reading,
    Rule,
)

_Match = re.Match[str]
_QUARTER = 15
_HALF = 30


def _minute(match: _Match) -> int | None:
    if match["half"]:
        return _HALF
    if match["quarter"]:
        return _QUARTER * number(match["quarter"])
    minute = match["minute"] or match["bare"]
    return number(minute.lstrip("零〇") or "0") if minute else None


def _clock(match: _Match, reading: Reading) -> Meaning:
    """下午三点半. A bare 三点 may also be three points: it needs a part of the day, minutes, 钟
    or a neighbour."""
    part = match["part"] or ""
    minute = _minute(match)
    alone = bool(part or match["sure"] or match["lead"] or minute is not None)
    time = (number(match["hour"]), minute, None)
    return clock(reading, match, time, part=part, twelve=True, weak=not alone)


def _colon(match: _Match, reading: Reading) -> Meaning:
    """下午3:30"""
    time = (int(match["hour"]), int(match["minute"]), None)
    return clock(reading, match, time, part=match["part"], twelve=True)


def _points(match: _Match, reading: Reading) -> Meaning:
    return NOTHING


RULES = (
    Rule(
        "clock",
        pattern(
            r"(?P<lead>[在到于从])?(?P<x>(?P<part>{full_part})?的?{b}(?P<hour>{small})(?:点|时(?![间候常代段尚刻]))"
            r"(?!{counted})"
            r"(?:(?P<half>半)|(?P<quarter>[一三])刻|过?(?:(?P<minute>[〇零]?{small})分"
            r"|(?P<bare>[〇零][一二三四五六七八九]|[二三四五]?十[一二三四五六七八九]?|[0-5]\d)"
            r"(?![\d.点个月日号年天元块万千])))?"
            r"(?P<sure>钟|整)?)"
        ),
        _clock,
    ),
    Rule(
        "colon",
        pattern(r"(?P<part>{full_part}) ?(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?![\d:])"),
        _colon,
    ),
    Rule("points", pattern(r"{b}{small}点{counted}"), _points),
)
