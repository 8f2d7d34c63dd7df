"""Scoring, pure: relevance, recency and importance, each times its weight in the policy, the sum
times the memory's own weight (after Park et al. 2023, "Generative Agents").
"""

from datetime import datetime

import numpy as np

from ledger.policy.recall import Decay, Ranking
from recall.arrays import Array
from recall.snapshot import moment

# The parts of a score: each has its weight in the policy, by the same name.
PARTS = ("relevance", "recency", "importance")
HIGHEST_IMPORTANCE = 10
MICROSECONDS = 1_000_000
HOUR, DAY = 3_600 * MICROSECONDS, 86_400 * MICROSECONDS


def parts(
    versions: Array, relevance: Array, ranking: Ranking, valid_at: datetime
) -> dict[str, Array]:
    """The parts of every version's score by name, each from 0 to 1: shapes (n)."""
    return {
        "relevance": relevance,
        "recency": recency(versions["valid_from"].astype(np.int64), ranking, valid_at),
        "importance": versions["importance"] / HIGHEST_IMPORTANCE,
    }


def score(versions: Array, found: dict[str, Array], ranking: Ranking) -> Array:
    """The whole score of every version: shape (n)."""
    total = sum(getattr(ranking, name) * part for name, part in found.items())
    result: Array = versions["weight"].astype(float) * total
    return result


def recency(valid_from: Array, ranking: Ranking, valid_at: datetime) -> Array:
    """How recent each moment is, 1 (or still to come) to 0, by the policy's decay: shape (n)."""
    age = np.maximum(0, moment(valid_at) - valid_from).astype(float)
    if ranking.decay == Decay.NONE:
        return np.ones(len(age))
    if ranking.decay == Decay.HALF_LIFE:
        return _halved(age, ranking.recency_half_life_days)
    fresh, settled = ranking.fresh_hours * HOUR, ranking.plateau_hours * HOUR
    falling = 1 - (1 - ranking.plateau) * np.clip((age - fresh) / max(settled - fresh, 1), 0, 1)
    later = np.maximum(0, age - max(settled, fresh))
    result: Array = falling * _halved(later, _half_life_of(age, ranking))
    return result


def _halved(age: Array, days: float) -> Array:
    result: Array = 0.5 ** (age / (days * DAY))
    return result


def _half_life_of(age: Array, ranking: Ranking) -> float:
    """Days: of whom nothing is heard, memories last twice as long; who says something every day
    has new ones to be asked about, and the old ones fade by two thirds of the half-life.
    """
    days = np.unique(age[age < ranking.activity_days * DAY] // DAY)
    activity = len(days) / ranking.activity_days
    return ranking.recency_half_life_days / (0.5 + activity)
