"""One way to write what is written in several: halves, times of day, ranges, days of the week."""

import re
from functools import cache, partial

from ledger.merging import grammar
from ledger.merging.amounts import of_han, of_words
from ledger.polarity import compiled

# In a source of quantities.json: a number in digits or words, and any unit.
NUMBER, UNIT = "<number>", "<unit>"
ARTICLES = ("a", "an")


def spelled(low: str) -> str:
    """A folded text with such phrases in the spelling that the reader of numbers knows.

    >>> spelled("half an hour"), spelled("half past nine"), spelled("身高一米八")
    ('0.5 hour', '9:30', '身高180cm')
    """
    for pattern, form in _spellings():
        low = pattern.sub(partial(_filled, form), low)
    return low


def _filled(form: str, match: re.Match[str]) -> str:
    """The form with the groups in it: {1} as it stands, {=1} in digits, {<1} one less than that,
    {%1} what is left of ten parts, in percent."""

    def part(hole: re.Match[str]) -> str:
        found = match[int(hole[2])] or ""
        if not hole[1]:
            return found
        value = _digits(found.replace(".", ""))
        if hole[1] == "<":
            return str((int(value) + 11) % 12 or 12)
        return str(100 - int(value.ljust(2, "0"))) if hole[1] == "%" else value

    return re.sub(r"\{([=<%]?)(\d)\}", part, form)


def _digits(found: str) -> str:
    """A number in digits; an article is one."""
    if found.isdecimal():
        return "".join(str(int(digit)) for digit in found)
    if found in ARTICLES:
        return "1"
    return (of_words if found.isascii() else of_han)(found)[0]


@cache
def _spellings() -> tuple[tuple[re.Pattern[str], str], ...]:
    quantities = grammar.data("quantities")
    numerals = "".join([*quantities["han_digits"], *quantities["han_powers"]])
    number = rf"(\d{{1,15}}|\b(?:{'|'.join(quantities['number_words'])})\b|[{numerals}]{{1,15}})"
    unit = rf"({grammar.phrases(grammar.units())})"
    pairs: list[list[str]] = quantities["spellings"]
    return tuple(
        (compiled(source.replace(NUMBER, number).replace(UNIT, unit)), form)
        for source, form in pairs
    )
