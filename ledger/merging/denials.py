"""Whether a negation says what another text says with a word of its own: not open, closed."""

import re
from functools import cache

from ledger.merging import grammar
from ledger.polarity import compiled, denied

# How far behind a negation the word begins that it bears on, in characters.
REACH = 40
REACH_HAN = 6
HAN = re.compile(r"[\u3400-\u9fff]")
HEAD = re.compile(r"[a-z]+(?:'[a-z]+)?|[\u3400-\u9fff]")

# The side of a row that says in a word of its own what denies the other side.
OWN_WORD = 1
# Which row of the opposites, and which of its two sides.
Side = tuple[int, int]


def agree(one: str, other: str) -> bool:
    """Whether one of two folded texts denies the opposite of what the other says.

    >>> agree("the shop isn't open", "the shop is closed"), agree("it isn't closed", "it is closed")
    (True, False)
    """
    return _restated(one, other) or _restated(other, one)


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


def _bears_on(scope: str) -> set[Side]:
    reach = REACH_HAN if HAN.match(scope.lstrip()) else REACH
    return {side for side, at in _named(scope).items() if at <= reach}


def _named(text: str) -> dict[Side, int]:
    """The sides that have a word in the text, and where."""
    found = {side: pattern.search(text) for side, pattern in _sides().items()}
    return {side: match.start() for side, match in found.items() if match}


def _wanting(scope: str, saying: str) -> bool:
    """Whether the thing that one does not have is wanting in the other: no paper, out of paper."""
    head = _head(scope)
    data = grammar.data("denials")
    forms = data["privatives"] if head.isascii() else data["privatives_han"]
    patterns = (form.replace("{}", head) for form in forms if head)
    return any(compiled(rf"(?<![a-z])(?:{pattern})").search(saying) for pattern in patterns)


def _head(scope: str) -> str:
    """The first word of content; one character in Chinese."""
    data = grammar.data("denials")
    light = frozenset([*data["light"].split(), *data["light_han"]])
    return next((word for word in HEAD.findall(scope) if word not in light), "")


@cache
def _sides() -> dict[Side, re.Pattern[str]]:
    rows: list[list[str]] = grammar.data("denials")["opposites"]
    return {
        (number, side): compiled(rf"(?<![a-z])(?:{source})")
        for number, row in enumerate(rows)
        for side, source in enumerate(row)
    }
