"""Scoring, pure: fuse the arms, add recency and importance, order.

Score = relevance, recency and importance, each times its weight in the policy, the sum times the
memory's own weight (after Park et al. 2023, "Generative Agents"). Relevance is the weighted sum of
each arm's standardised scores (z-scores over this recall's candidates) put through a logistic, so
that it lies between 0 and 1; recency halves with every half-life of valid time gone by.
"""

import math
import statistics
from collections.abc import Iterable
from datetime import datetime

from ledger.policy.recall import Ranking
from recall.candidates import ArmScore, Candidate

NEUTRAL_IMPORTANCE = 10
DAY_SECONDS = 86_400
# A spread smaller than this is rounding, not a difference.
LEAST_SPREAD = 1e-9


def keep_arm(candidates: Iterable[Candidate], name: str, scores: dict) -> None:
    """Write one arm's raw scores and ranks into the candidates it found."""
    found = [(scores[c.version_id], c) for c in candidates if c.version_id in scores]
    found.sort(key=lambda pair: (-pair[0], str(pair[1].version_id)))
    for rank, (score, candidate) in enumerate(found, start=1):
        candidate.arms[name] = ArmScore(score, rank)


def fuse(candidates: list[Candidate], ranking: Ranking) -> None:
    """Set every candidate's relevance (0–1)."""
    shares = {"lexical": ranking.lexical_share, "vector": ranking.vector_share}
    standard = {name: _z_scores(candidates, name) for name in shares}
    for number, candidate in enumerate(candidates):
        z = sum(share * standard[name][number] for name, share in shares.items())
        candidate.breakdown["relevance"] = 1 / (1 + math.exp(-z))


def _z_scores(candidates: list[Candidate], arm: str) -> list[float]:
    """One arm's scores, standardised; what the arm did not find counts as the lowest."""
    found = [c.arms[arm].score for c in candidates if arm in c.arms]
    lowest = min(found, default=0.0)
    lowest = min(lowest, 0.0) if arm == "lexical" else lowest
    scores = [c.arms[arm].score if arm in c.arms else lowest for c in candidates]
    spread = statistics.pstdev(scores) if len(scores) > 1 else 0.0
    if spread < LEAST_SPREAD:
        return [0.0] * len(scores)
    mean = statistics.fmean(scores)
    return [(score - mean) / spread for score in scores]


def score(candidates: list[Candidate], ranking: Ranking, valid_at: datetime) -> None:
    """Set every candidate's score and order the list, best first."""
    for candidate in candidates:
        age = max(0.0, (valid_at - candidate.valid_from).total_seconds() / DAY_SECONDS)
        candidate.breakdown["recency"] = 0.5 ** (age / ranking.recency_half_life_days)
        candidate.breakdown["importance"] = candidate.importance / NEUTRAL_IMPORTANCE
        candidate.score = candidate.weight * (
            ranking.relevance * candidate.breakdown["relevance"]
            + ranking.recency * candidate.breakdown["recency"]
            + ranking.importance * candidate.breakdown["importance"]
        )
    candidates.sort(key=lambda c: (-c.score, str(c.version_id)))
