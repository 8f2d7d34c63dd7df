"""What recall considers: candidates with the score and rank of every arm kept. Pure data."""

from dataclasses import dataclass, field
from uuid import UUID


@dataclass(frozen=True)
class ArmScore:
    """What one arm says of a candidate: its raw score, and its place (1 is first)."""

    score: float
    rank: int


@dataclass
class Candidate:
    """One memory version that was considered, with all that was found of it."""

    version_id: UUID
    memory_id: UUID
    weight: float
    arms: dict[str, ArmScore] = field(default_factory=dict)
    breakdown: dict[str, float] = field(default_factory=dict)
    score: float = 0.0
    withheld_by: str | None = None
