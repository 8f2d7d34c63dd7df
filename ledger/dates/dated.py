"""What is found: one time expression with the period that it means."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Grain(StrEnum):
    """How fine an expression is: the calendar unit that it names."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    HALF_YEAR = "half_year"
    YEAR = "year"
    DECADE = "decade"


class Direction(StrEnum):
    """Where the period lies, seen from the moment of speaking.

    NOW is what the words say ("now", "this week", "since 2019"). NONE is a period that contains
    the moment though its words do not say so ("in 2023", said in 2023).
    """

    PAST = "past"
    NOW = "now"
    FUTURE = "future"
    NONE = "none"


@dataclass(frozen=True, kw_only=True)
class Dated:
    """One time expression: `text` is what stands at [start, end), in characters.

    It means [begins, ends), both aware and in UTC, half-open; `ends` is None where the period is
    open ("since 2019"). `approximate` marks a guessed width ("a few days ago"). `rule` names the
    rules that read it, in order.
    """

    start: int
    end: int
    text: str
    begins: datetime
    ends: datetime | None
    grain: Grain
    direction: Direction
    rule: str
    approximate: bool = False
