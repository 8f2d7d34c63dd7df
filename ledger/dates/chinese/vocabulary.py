"""What the Chinese patterns are made of."""

import re

from ledger.dates.numbers import CHINESE, chinese_number
from ledger.dates.words import any_of, chinese, compiled, conventions

_WORDS = chinese()
_CONVENTIONS = conventions()


def _han(words: dict[str, object]) -> str:
    return any_of(word for word in words if not word.isascii())


_VOCABULARY = {
    # Where a number begins: not inside another one.
    "b": r"(?<![0-9〇零一二两俩三四五六七八九十百千万亿几第])(?<![0-9][.,:/])",
    "number": CHINESE,
    "unit": any_of(_WORDS["units"]),
    "weekday": r"[一二三四五六日天]",
    "week": r"(?:周|星期|礼拜)",
    "near": any_of(_WORDS["near"]),
    "day": any_of(_WORDS["days"]),
    "years": any_of(_WORDS["years"]),
    "part": _han(_CONVENTIONS["parts_of_day"]),
    "full_part": any_of(
        word for word in _CONVENTIONS["parts_of_day"] if not word.isascii() and len(word) > 1
    ),
    "holiday": _han(_CONVENTIONS["holidays"]),
    "not_dates": any_of(_WORDS["not_dates"]),
    "counted": any_of(_WORDS["counted"]),
    "small": r"(?:[0-9]{1,2}(?!\d)|[二三四五]?十[一二三四五六七八九]?|[〇零一二两三四五六七八九])",
    "year_number": r"(?:[12]\d{3}|[一二][〇零一二三四五六七八九]{3})",
}


def pattern(text: str) -> re.Pattern[str]:
    """A pattern with names in braces."""
    return compiled(text, _VOCABULARY)


def number(words: str) -> int:
    return int(words) if words.isdecimal() else int(chinese_number(words))
