"""What the English patterns are made of."""

import re

from ledger.dates.numbers import ENGLISH
from ledger.dates.words import any_of, compiled, conventions, english

STEPS = {
    "last": -1,
    "previous": -1,
    "this": 0,
    "current": 0,
    "next": 1,
    "coming": 1,
    "following": 1,
}
# Behind what comes once a year, and before it.
OF_YEAR = r"(?:,? (?:of |in )?(?P<year>{year}))"
STEP = r"(?:(?P<step>last|this|next) )"
# Which third of a period each word is.
THIRDS_OF = {"early": 0, "beginning": 0, "start": 0, "mid": 1, "middle": 1, "late": 2, "end": 2}
_WORDS = english()
_CONVENTIONS = conventions()
_LAST_HOUR = 12
# The names of months that are not shortened.
_FULL = {name for name in _WORDS["months"] if len(name) > 4} | {"may", "june", "july"}


def _ascii(words: dict[str, object]) -> str:
    return any_of(word for word in words if word.isascii())


_VOCABULARY = {
    "b": r"(?<![a-z0-9_$])(?<![a-z]')(?<!\d[.,:/-])",
    "e": r"(?![a-z0-9_])",
    "number": ENGLISH,
    "unit": any_of(_WORDS["units"]),
    # Only an abbreviation takes a full stop along.
    "month": "(?:"
    + any_of(word for word in _WORDS["months"] if word in _FULL)
    + "|"
    + any_of(word for word in _WORDS["months"] if word not in _FULL)
    + r"(?![a-z])\.?)",
    "plain_month": any_of(_WORDS["plain_months"]),
    "weekday": any_of(word for word in _WORDS["weekdays"] if word.endswith("day")),
    "any_weekday": any_of(_WORDS["weekdays"]),
    "season": _ascii(_CONVENTIONS["seasons"]),
    "part": _ascii(_CONVENTIONS["parts_of_day"]),
    "holiday": _ascii(_CONVENTIONS["holidays"]),
    "counted": any_of(_WORDS["counted"]),
    "after_month": any_of(_WORDS["after_month"]),
    "not_dates": any_of(_WORDS["not_dates"]),
    "decade": any_of(_WORDS["decades"]),
    "ordinal": any_of(_WORDS["ordinals"]),
    "step": any_of(STEPS),
    "hour": r"(?:1[0-2]|0?[1-9]|"
    + any_of(word for word, number in _WORDS["numbers"].items() if number <= _LAST_HOUR)
    + ")",
    "year": r"(?:1[5-9]|20|21)\d\d(?![\d%])(?![.,:/-]\d)",
    "day": r"(?:3[01]|[12]\d|0?[1-9])",
    "th": r"(?:st|nd|rd|th)",
}


def pattern(text: str) -> re.Pattern[str]:
    """A pattern with names in braces; {b} and {e} are the edges of words, also beside Han."""
    return compiled(text, _VOCABULARY)
