"""Measures how well statements are merged and superseded: `measure(path, encoder)`.

Run `python -m bench.merging FILE` for the figures.
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ledger.merging import Judgement, Relation
from ledger.merging.judge import chances
from ledger.merging.judging import judged
from ledger.merging.training import Example, case_of, examples
from ledger.polarity import negated, stance


class Encoder(Protocol):
    """Turns texts into unit vectors, (n, dimensions)."""

    def passages(self, texts: list[str]) -> Any: ...


@dataclass(frozen=True)
class Judged:
    """A labelled pair, the cosine of its two texts, and the judgement."""

    pair: Example
    similarity: float
    judgement: Judgement

    @property
    def polarity_differs(self) -> bool:
        old, new = self.pair.old, self.pair.new
        return stance(old) != stance(new) or negated(old) != negated(new)


def measure(path: Path | str, encoder: Encoder) -> dict[str, Any]:
    """The figures of a file of pairs under the default policy; accuracies are 0 to 1."""
    pairs = examples(Path(path))
    return figures(
        [
            Judged(pair, cosine, judged(case_of(pair, cosine), chances))
            for pair, cosine in zip(pairs, similarities(pairs, encoder), strict=True)
        ]
    )


def similarities(pairs: list[Example], encoder: Encoder) -> list[float]:
    """The cosine of each pair. A text is encoded alone: its neighbours must not change it."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.old, pair.new)))
    vectors = {text: np.asarray(encoder.passages([text]))[0] for text in texts}
    return [float(vectors[pair.old] @ vectors[pair.new]) for pair in pairs]


def figures(found: list[Judged]) -> dict[str, Any]:
    """Accuracies, of all pairs and of those decided (not left to a person), opposites that were
    merged, and the mistakes."""
    decided = [j for j in found if j.judgement.relation != Relation.UNCERTAIN]
    mistaken = [j for j in found if j.pair.relation != j.judgement.relation]
    counted = Counter((j.pair.relation, str(j.judgement.relation)) for j in found)
    return {
        "pairs": len(found),
        "accuracy": 1 - len(mistaken) / len(found),
        "merge_accuracy": accuracy(found, Relation.SAME),
        "supersession_accuracy": accuracy(found, Relation.REPLACES),
        "uncertain": len(found) - len(decided),
        "decided_share": len(decided) / len(found),
        "decided_merge_accuracy": accuracy(decided, Relation.SAME),
        "decided_supersession_accuracy": accuracy(decided, Relation.REPLACES),
        "opposite_polarity_merges": [
            {"old": j.pair.old, "new": j.pair.new}
            for j in mistaken
            if j.pair.relation in {Relation.REPLACES, Relation.ADDS}
            and j.polarity_differs
            and j.judgement.relation == Relation.SAME
        ],
        "confusion": {f"{told}->{given}": n for (told, given), n in sorted(counted.items())},
        "mistakes": [
            {
                "old": j.pair.old,
                "new": j.pair.new,
                "relation": j.pair.relation,
                "given": str(j.judgement.relation),
                "reason": str(j.judgement.reason),
                "similarity": round(j.similarity, 3),
            }
            for j in mistaken
        ],
    }


def accuracy(found: list[Judged], relation: str) -> float:
    """The share of pairs for which it was said rightly whether they stand so; 1 of none."""
    hits = [(j.pair.relation == relation) == (j.judgement.relation == relation) for j in found]
    return sum(hits) / len(hits) if hits else 1.0


def main() -> None:
    from recall.encoders.bundled import BundledEncoder

    print(json.dumps(measure(sys.argv[1], BundledEncoder()), ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
