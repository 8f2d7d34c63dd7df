"""What recall considers: candidates with the score and rank of every arm kept. Pure data."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class ArmScore:
    """What one arm says of a candidate: its raw score, and its place (1 is first)."""

    score: float
    rank: int


@dataclass(frozen=True)
class Candidate:
    """One memory version that was considered, with all that was found of it.

    `breakdown` has the parts of the score by name; `withheld_by` is the rule against it, or None.
    Scores are rounded: they are for telling of, the order is made.
    """

    version_id: UUID
    memory_id: UUID
    weight: float
    arms: dict[str, ArmScore]
    breakdown: dict[str, float]
    score: float
    withheld_by: str | None
