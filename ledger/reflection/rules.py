"""The rules by which insights are drawn, one row each.

None of them sees a memory in which health, religion, politics, sexuality or ethnicity is spoken
of: see `ledger.reflection.insights`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ledger.policy.reflection import Reflection
from ledger.reflection.reading import Reading
from ledger.reflection.signs import (
    Sign,
    avoids_signs,
    habit_signs,
    interest_signs,
    language_signs,
    mood_signs,
    price_signs,
    problem_signs,
    routine_signs,
)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One row of the table. The functions say which field of the policy rules it."""

    name: str
    attribute: str
    signs: Callable[[Reading, Reflection], Iterator[Sign]]
    minimum: Callable[[Reflection], int]
    window_days: Callable[[Reflection], int] = lambda policy: policy.insight_window_days
    confidence: Callable[[Reflection], float] = lambda policy: policy.insight_confidence
    importance: Callable[[Reflection], int] = lambda policy: policy.insight_importance
    agreement: Callable[[Reflection], float] = lambda policy: policy.agreement
    # How many of the signs must be more than mentions.
    clear: Callable[[Reflection], int] = lambda policy: 0
    # Whether several signs of one day are one occasion.
    by_day: bool = False


RULES = (
    Rule(
        name="price_sensitive",
        attribute="shopping_style",
        signs=price_signs,
        minimum=lambda policy: policy.price_comparisons,
    ),
    Rule(
        name="struggles_with",
        attribute="struggles_with",
        signs=problem_signs,
        minimum=lambda policy: policy.repeated_problems,
    ),
    Rule(
        name="habit",
        attribute="habit",
        signs=habit_signs,
        minimum=lambda policy: policy.habit_days,
        by_day=True,
    ),
    Rule(
        name="interest",
        attribute="interest",
        signs=interest_signs,
        minimum=lambda policy: policy.topic_mentions,
        clear=lambda policy: policy.clear_mentions,
    ),
    Rule(
        name="avoids",
        attribute="avoids",
        signs=avoids_signs,
        minimum=lambda policy: policy.refusals,
    ),
    Rule(
        name="routine",
        attribute="routine",
        signs=routine_signs,
        minimum=lambda policy: policy.routine_entries,
        by_day=True,
    ),
    Rule(
        name="mood",
        attribute="mood",
        signs=mood_signs,
        minimum=lambda policy: policy.mood_mentions,
        window_days=lambda policy: policy.mood_window_days,
        confidence=lambda policy: policy.mood_confidence,
        importance=lambda policy: policy.mood_importance,
    ),
    Rule(
        name="language",
        attribute="language_preference",
        signs=language_signs,
        minimum=lambda policy: policy.language_memories,
        agreement=lambda policy: policy.language_share,
    ),
)
