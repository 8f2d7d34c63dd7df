"""How well turns were found: questions with their evidence, recall at a depth, MRR. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

TOPS = (1, 5, 10, 20)
DEEPEST = max(TOPS)


@dataclass(frozen=True)
class Question:
    """A question about a conversation and the ids of the turns that answer it."""

    text: str
    evidence: frozenset[str]


def recall_at(ranked: Sequence[str], evidence: frozenset[str], top: int) -> float:
    """The share of the evidence among the first `top`."""
    return len(evidence & set(ranked[:top])) / len(evidence)


def reciprocal_rank(ranked: Sequence[str], evidence: frozenset[str]) -> float:
    """1 / the place of the first evidence among the first 20; 0 without any."""
    places = (place for place, turn in enumerate(ranked[:DEEPEST], start=1) if turn in evidence)
    return 1 / next(places, float("inf"))


def mean_recall(ranked: Sequence[Sequence[str]], asked: Sequence[Question], top: int) -> float:
    """Recall at a depth, averaged over the questions."""
    pairs = zip(ranked, asked, strict=True)
    return sum(recall_at(found, question.evidence, top) for found, question in pairs) / len(asked)


def figures(ranked: Sequence[Sequence[str]], asked: Sequence[Question]) -> dict[str, float]:
    """recall@1, @5, @10, @20 and MRR, averaged over the questions, of what was found for each."""
    found = {f"recall@{top}": round(mean_recall(ranked, asked, top), 4) for top in TOPS}
    pairs = zip(ranked, asked, strict=True)
    ranks = [reciprocal_rank(turns, question.evidence) for turns, question in pairs]
    return found | {"MRR": round(sum(ranks) / len(asked), 4)}
