"""What reflection reads: one memory as it is believed now."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from ledger.models import Kind

# What reflection itself makes is no evidence for more of it.
DERIVED = frozenset({Kind.INSIGHT.value, Kind.SUMMARY.value})


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """One memory of a subject. `content` is masked text, `valid_from` is aware.

    `importance` is 1 to 10, `confidence` 0 to 1, `weight` what the subject gave it (1 is ordinary).
    `details` has the keys of `ledger.drafts.Draft.details`; what was stored verbatim has none.
    """

    memory: UUID
    content: str
    kind: str
    valid_from: datetime
    attribute: str = ""
    value: str | None = None
    importance: int = 5
    confidence: float = 1.0
    weight: float = 1.0
    session: str = ""
    details: dict[str, Any] = field(default_factory=dict)

    def detail(self, name: str) -> str:
        """A detail that is a text; empty where there is none."""
        found = self.details.get(name)
        return found if isinstance(found, str) else ""


def in_order(facts: Iterable[Remembered]) -> list[Remembered]:
    """Each memory once, oldest first, in an order that does not depend on how they were given."""
    newest = {fact.memory: fact for fact in sorted(facts, key=_when)}
    return sorted(newest.values(), key=_when)


def _when(fact: Remembered) -> tuple[datetime, int, str]:
    return fact.valid_from, fact.memory.int, fact.content
