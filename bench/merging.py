"""Measures how well statements are merged and superseded: `measure(path, encoder)`.

Run `python -m bench.merging [FILE]` for the figures; without a file it reads the dev split and
also cross-validates the thresholds: chosen on half of it, reported on the other half.
"""

import itertools
import json
import random
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ledger.merging import Compared, Judgement, Relation, compare
from ledger.polarity import negated, stance
from ledger.policy import Attributes, Merging

DEV = Path(__file__).with_name("data") / "merging" / "dev.jsonl"
THEN = datetime(2025, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)
# The candidates of each threshold around its default, for calibration.
STEPS = (-0.03, -0.02, -0.01, -0.005, 0.0, 0.005, 0.01)
THRESHOLDS = (
    "same_from",
    "same_from_han",
    "related_from",
    "related_from_han",
)


class Encoder(Protocol):
    """Turns texts into unit vectors, (n, dimensions)."""

    def passages(self, texts: list[str]) -> Any: ...


@dataclass(frozen=True)
class Example:
    """One line of a split, with the cosine of its two texts."""

    old: str
    new: str
    relation: str
    language: str
    attribute: str
    similarity: float

    @property
    def polarity_differs(self) -> bool:
        opposite = stance(self.old) != stance(self.new)
        return opposite or negated(self.old) != negated(self.new)


def measure(path: Path | str, encoder: Encoder) -> dict[str, Any]:
    """The figures of a file of pairs under the default policy; accuracies are 0 to 1."""
    return figures(examples(Path(path), encoder), Merging())


def examples(path: Path, encoder: Encoder) -> list[Example]:
    """The pairs of a JSON Lines file; each text is encoded once."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    old = np.asarray(encoder.passages([row["old"] for row in rows]))
    new = np.asarray(encoder.passages([row["new"] for row in rows]))
    cosines = (old * new).sum(axis=1)
    return [
        Example(
            old=row["old"],
            new=row["new"],
            relation=row["relation"],
            language=row.get("language", ""),
            attribute=row.get("attribute") or "",
            similarity=float(cosine),
        )
        for row, cosine in zip(rows, cosines, strict=True)
    ]


def figures(pairs: list[Example], policy: Merging) -> dict[str, Any]:
    """Accuracies, what was left to a person, opposites that were merged, and the mistakes."""
    judged = [(pair, judged_by(pair, policy)) for pair in pairs]

    def accuracy(relation: str) -> float:
        right = sum((p.relation == relation) == (j.relation == relation) for p, j in judged)
        return right / len(judged)

    return {
        "pairs": len(judged),
        "accuracy": sum(p.relation == j.relation for p, j in judged) / len(judged),
        "merge_accuracy": accuracy(Relation.SAME),
        "supersession_accuracy": accuracy(Relation.REPLACES),
        "uncertain": sum(j.relation == Relation.UNCERTAIN for _, j in judged),
        "opposite_polarity_merges": [
            {"old": p.old, "new": p.new}
            for p, j in judged
            if p.relation in {Relation.REPLACES, Relation.ADDS}
            and p.polarity_differs
            and j.relation == Relation.SAME
        ],
        "confusion": {
            f"{relation}->{given}": count
            for (relation, given), count in sorted(
                Counter((p.relation, str(j.relation)) for p, j in judged).items()
            )
        },
        "mistakes": [
            {
                "old": p.old,
                "new": p.new,
                "relation": p.relation,
                "given": str(j.relation),
                "reason": str(j.reason),
                "similarity": round(p.similarity, 3),
            }
            for p, j in judged
            if p.relation != j.relation
        ],
    }


def judged_by(pair: Example, policy: Merging) -> Judgement:
    """The judgement of one pair, the new text thirty days after the old one."""
    single = pair.attribute in Attributes().single_valued

    def side(text: str, at: datetime) -> Compared:
        return Compared(
            text=text,
            kind="fact",
            attribute=pair.attribute,
            valid_from=at,
            single_valued=single,
        )

    return compare(side(pair.new, LATER), side(pair.old, THEN), pair.similarity, policy)


def calibrated(pairs: list[Example]) -> Merging:
    """The default policy with each threshold in turn set to the best of its candidates."""
    policy = Merging()
    for name in THRESHOLDS:
        at = getattr(policy, name)
        candidates = [policy.model_copy(update={name: round(at + step, 4)}) for step in STEPS]
        # Of equals the one in the middle, which has most room on both sides.
        scores = [sum(p.relation == judged_by(p, c).relation for p in pairs) for c in candidates]
        best = [c for c, score in zip(candidates, scores, strict=True) if score == max(scores)]
        policy = best[len(best) // 2]
    return policy


def cross_validated(pairs: list[Example], seed: int = 1) -> list[dict[str, float]]:
    """The figures of each half under thresholds that were chosen on the other half."""
    shuffled = random.Random(seed).sample(pairs, len(pairs))
    halves = shuffled[::2], shuffled[1::2]
    names = ("accuracy", "merge_accuracy", "supersession_accuracy")
    found = [figures(b, calibrated(a)) for a, b in itertools.permutations(halves)]
    return [{name: round(half[name], 3) for name in names} for half in found]


def main() -> None:
    from recall.encoders.bundled import BundledEncoder

    encoder = BundledEncoder()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEV
    print(json.dumps(measure(path, encoder), ensure_ascii=False, indent=1))
    if path == DEV:
        print("cross-validated:", cross_validated(examples(path, encoder)))


if __name__ == "__main__":
    main()
