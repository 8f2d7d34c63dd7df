"""Whether a negation says what another text says with a word of its own: not open, closed."""

import re
from functools import cache, lru_cache

from ledger.merging import grammar
from ledger.merging.reading import HAN, READINGS_KEPT
from ledger.polarity import compiled, denied

# Characters; longer texts say too much for one word to be the opposite of another.
LONGEST = 1_000
# How far behind a negation the word begins that it bears on, in characters.
REACH = 40
REACH_HAN = 6
# What may be wanting: a word, in Chinese a character.
WORD, WORD_HAN = r"([a-z]{2,20})", r"([\u3400-\u9fff])"
HEAD = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]")

# The side of a row that says in a word of its own what denies the other side.
OWN_WORD = 1
# Which row of the opposites, and which of its two sides.
Side = tuple[int, int]
Row = tuple[re.Pattern[str], re.Pattern[str]]


def agree(one: str, other: str) -> bool:
    """Whether one of two folded texts, no long ones, denies the opposite of what the other says.

    >>> agree("the shop isn't open", "the shop is closed"), agree("it isn't closed", "it is closed")
    (True, False)
    """
    if max(len(one), len(other)) > LONGEST:
        return False
    if not denied(one) and not denied(other):
        return _end_alike(one, other)
    return _restated(one, other) or _restated(other, one)


def differ(name: str, one: str, other: str) -> bool:
    """Whether one of two folded texts, no long ones, has a word whose opposite the other has.

    `name`: "exclusive" words, of which one holds at a time (open, closed), or words that name
    things "apart" (older brother, younger brother).
    """
    if max(len(one), len(other)) > LONGEST:
        return False
    ours, theirs = _said(name, one), _said(name, other)
    return any((row, 1 - side) in theirs - ours and (row, side) not in theirs for row, side in ours)


@lru_cache(READINGS_KEPT)
def _said(name: str, text: str) -> frozenset[Side]:
    return frozenset(
        (at, side)
        for at, row in enumerate(_rows(name))
        for side, pattern in enumerate(row)
        if pattern.search(text)
    )


def _restated(denying: str, saying: str) -> bool:
    scopes, said = denied(denying), saying
    for scope in denied(saying):
        said = said.replace(scope, " ")
    named = _named(said)
    denied_sides = {side for scope in scopes for side in _bears_on(scope)}
    if any(side == OWN_WORD and (row, side) in named for row, side in denied_sides):
        return False
    opposite = {(row, 1 - side) for row, side in denied_sides}
    return not opposite.isdisjoint(named) or any(_wanting(scope, said) for scope in scopes)


def _end_alike(one: str, other: str) -> bool:
    """Whether both say by one row's own words that it is over: cancelled, grounded."""
    ends = grammar.frame("ends")
    return any(
        side == OWN_WORD and any(match and ends.search(match[0]) for match in matches)
        for (_, side), pattern in _sides().items()
        if all(matches := (pattern.search(one), pattern.search(other)))
    )


def _bears_on(scope: str) -> set[Side]:
    reach = REACH_HAN if HAN.match(scope.lstrip()) else REACH
    return {side for side, at in _named(scope).items() if at <= reach}


def _named(text: str) -> dict[Side, int]:
    """The sides that have a word in the text, and where."""
    found = {side: pattern.search(text) for side, pattern in _sides().items()}
    return {side: match.start() for side, match in found.items() if match}


def _wanting(scope: str, saying: str) -> bool:
    """Whether the thing that one does not have is wanting in the other: no paper, out of paper."""
    head = grammar.stemmed_group(_head(scope))
    return bool(head) and any(
        grammar.stemmed_group(match[1]) == head
        for form in _privatives()
        for match in form.finditer(saying)
    )


@cache
def _privatives() -> list[re.Pattern[str]]:
    """Each finds at every place the word that is wanting."""
    data = grammar.data("denials")
    latin = (rf"(?<![a-z])(?={form.replace('{}', WORD)})" for form in data["privatives"])
    han = (f"(?={form.replace('{}', WORD_HAN)})" for form in data["privatives_han"])
    return [compiled(form) for form in (*latin, *han)]


def _head(scope: str) -> str:
    """The first word of content; one character in Chinese."""
    return next((word for word in HEAD.findall(scope) if word not in _light()), "")


@cache
def _light() -> frozenset[str]:
    data = grammar.data("denials")
    return frozenset([*data["light"].split(), *data["light_han"]])


@cache
def _sides() -> dict[Side, re.Pattern[str]]:
    rows = [*_rows("exclusive"), *_rows("opposites")]
    return {(at, side): pattern for at, row in enumerate(rows) for side, pattern in enumerate(row)}


@cache
def _rows(name: str) -> list[Row]:
    rows: list[list[str]] = grammar.data("denials")[name]
    first, second = (
        [compiled(rf"(?<![a-z])(?:{row[side]})") for row in rows] for side in (0, OWN_WORD)
    )
    return list(zip(first, second, strict=True))
