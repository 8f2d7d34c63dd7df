"""What a rule is: a pattern and what its match means at the moment of speaking."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.dates.dated import Grain
from ledger.dates.periods import Calendar, Period
from ledger.dates.tense import Tense, Tenses
from ledger.dates.words import any_of, chinese, english

DAYS = frozenset({Grain.DAY, Grain.PART_OF_DAY})
# What may be narrowed by "early", "the end of", 初, 底.
THIRDS = frozenset(
    {
        Grain.WEEK,
        Grain.MONTH,
        Grain.QUARTER,
        Grain.SEASON,
        Grain.HALF_YEAR,
        Grain.YEAR,
        Grain.DECADE,
    }
)
_BESIDE = 40
# What may stand between "since" and its month: the first week of, early.
_PART = r"(?:the )?(?:(?:[a-z]+ ){1,3}of (?:the )?|(?:early|mid|late)[ -])?"
# "moved to Friday" and 定在周五 are about what is to come, whatever the tense of "moved".
_ARRANGED = re.compile(
    r"(?:(?<![a-z])"
    + any_of(english()["arranged"])
    + r"(?: [a-z]{1,9})? (?:to|for|till|until) "
    + _PART
    + "|"
    + any_of(chinese()["arranged"])
    + ")$"
)
# Where no verb decides, 从一月开始 is the nearest January to either side.
_STARTING = re.compile(r"(?:(?<![a-z])(?:starting|beginning)(?: in| on| from)? (?:the )?|自?从)$")
_STARTED = re.compile(r"开始|起(?![床来飞])")
_SINCE = re.compile(r"(?:(?<![a-z])since " + _PART + r"|自从?)$")
_UNTIL = re.compile(r"(?:(?<![a-z])(?:until|till|by|before) " + _PART + r"|直到|截至|截止到?)$")


@dataclass(frozen=True)
class Reading:
    """One text while it is read: in plain characters, with the calendar and its tenses."""

    text: str
    original: str
    calendar: Calendar
    tenses: Tenses

    def tense(self, match: re.Match[str]) -> Tense:
        """That of the match's clause, unless a word right beside it decides."""
        start, end = match.span("x" if "x" in match.re.groupindex else 0)
        if _SINCE.search(self.text[max(0, start - _BESIDE) : start]):
            return Tense.PAST
        if self.text.startswith(("以来", "至今"), end):
            return Tense.PAST
        if _UNTIL.search(self.text[max(0, start - _BESIDE) : start]):
            return Tense.COMING
        if _ARRANGED.search(self.text[max(0, start - _BESIDE) : start]):
            return Tense.COMING
        said = self.tenses.at(start)
        return said or (Tense.EITHER if self._is_beginning(start, end) else Tense.COMING)

    def _is_beginning(self, start: int, end: int) -> bool:
        lead = _STARTING.search(self.text[max(0, start - _BESIDE) : start])
        if lead is None:
            return False
        return lead[0].isascii() or _STARTED.match(self.text, end) is not None


@dataclass(frozen=True)
class Meaning:
    """What an expression means.

    `period`: by itself; None where it means nothing that can be dated, but still keeps shorter
    matches away. `inside` and `place`: the grains of the larger periods in which it can stand, and
    what it is there (March in 2023). `weak`: no date without such a neighbour. `habit`: again and
    again, which is no date, nor is what it is joined to. `weekday` (Monday is 0): it is such a
    day, and may stand beside a day to say so ("Friday, June 5"). `parts`: of how many expressions
    it is joined.
    """

    period: Period | None = None
    inside: frozenset[Grain] = frozenset()
    place: Callable[[Period], Period | None] | None = None
    weak: bool = False
    habit: bool = False
    weekday: int | None = None
    parts: int = 1


NOTHING = Meaning()
HABIT = Meaning(habit=True)


@dataclass(frozen=True)
class Rule:
    """`read` gives None where the match is no time expression after all. It may raise ValueError
    or OverflowError for what the calendar does not have. The group `x`, if there is one, is the
    expression; what stands around it in the match only supports it."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Reading], Meaning | None]


@dataclass(frozen=True)
class Atom:
    """A match with its meaning; [start, end) in characters."""

    start: int
    end: int
    meaning: Meaning
    rule: str


def atoms(rules: tuple[Rule, ...], reading: Reading) -> Iterator[Atom]:
    for rule in rules:
        for match in rule.pattern.finditer(reading.text):
            try:
                meaning = rule.read(match, reading)
            except (ValueError, OverflowError):
                meaning = NOTHING
            if meaning is not None:
                start, end = match.span("x" if "x" in rule.pattern.groupindex else 0)
                yield Atom(start, end, meaning, rule.name)
