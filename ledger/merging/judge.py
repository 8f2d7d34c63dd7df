"""The judge: multinomial logistic regression over a comparison's features."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from ledger.merging.case import Case
from ledger.merging.features import combined, signs
from ledger.merging.sentences import Numbers
from ledger.merging.types import Judgement, Relation

Chances = dict[Relation, float]

WEIGHTS = Path(__file__).with_name("weights.json")
# What it tells apart, in the order of its outputs.
RELATIONS = (Relation.SAME, Relation.REPLACES, Relation.ADDS, Relation.OTHER)


@dataclass(frozen=True, eq=False)
class Judge:
    """Weights of shape (features, 4) and biases (4,). `data` names what it was trained on."""

    weights: Numbers
    biases: Numbers
    data: str

    def chances(self, features: Numbers) -> Numbers:
        """The probability of each relation: shape (..., 4) of features (..., features)."""
        return softmax(features @ self.weights + self.biases)

    def save(self) -> Path:
        content = {
            "data": self.data,
            "biases": [round(float(bias), 3) for bias in self.biases],
            "weights": [[round(float(weight), 3) for weight in row] for row in self.weights],
        }
        WEIGHTS.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")
        return WEIGHTS


@cache
def judge() -> Judge:
    content = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Judge(np.array(content["weights"]), np.array(content["biases"]), content["data"])


def chances(case: Case, verdict: Judgement) -> Chances:
    """How likely each relation is, 0 to 1. `verdict` is what the rules made of it."""
    found = judge().chances(features(case, verdict))
    return {relation: float(chance) for relation, chance in zip(RELATIONS, found, strict=True)}


def features(case: Case, verdict: Judgement) -> Numbers:
    return np.concatenate([signs(case, verdict), combined(case)])


def softmax(values: Numbers) -> Numbers:
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    result: Numbers = raised / raised.sum(axis=-1, keepdims=True)
    return result
