"""The judge: multinomial logistic regression over a comparison's features, in two steps.

A glance at two texts tells what plainly stands side by side, as most of what lies near does. The
others are read together (together.py), which takes several times as long.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ledger.merging.case import Case
from ledger.merging.features import combined, signs
from ledger.merging.sentences import Numbers
from ledger.merging.together import leanings
from ledger.merging.types import Judgement, Relation

Chances = dict[Relation, float]

WEIGHTS = Path(__file__).with_name("weights.json")
# What it tells apart, in the order of its outputs.
RELATIONS = (Relation.SAME, Relation.REPLACES, Relation.ADDS, Relation.OTHER)
NEAR = [RELATIONS.index(relation) for relation in (Relation.SAME, Relation.REPLACES)]


@dataclass(frozen=True, eq=False)
class Weights:
    """Weights of shape (features, 4) and biases (4,)."""

    weights: Numbers
    biases: Numbers

    def chances(self, features: Numbers) -> Numbers:
        """The probability of each relation: shape (..., 4) of features (..., features)."""
        return softmax(features @ self.weights + self.biases)


@dataclass(frozen=True, eq=False)
class Judge:
    """Both steps. `data` names what it was trained on."""

    glance: Weights
    reading: Weights
    data: str

    def chances(self, seen: Numbers, lean: Callable[[], Numbers], read_from: float) -> Numbers:
        """The probability of each relation by a glance, or where that finds it as likely as
        `read_from` that one text says the same or takes the other's place, by reading them.
        """
        found = self.glance.chances(seen)
        return found if found[NEAR].sum() < read_from else self.reading.chances(read(seen, lean()))

    def save(self) -> Path:
        content = {"data": self.data} | {
            step: {
                "biases": [round(float(bias), 3) for bias in weights.biases],
                "weights": [[round(float(w), 3) for w in row] for row in weights.weights],
            }
            for step, weights in (("glance", self.glance), ("reading", self.reading))
        }
        WEIGHTS.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")
        return WEIGHTS


@cache
def judge() -> Judge:
    content = json.loads(WEIGHTS.read_text(encoding="utf-8"))

    def step(stored: dict[str, Any]) -> Weights:
        return Weights(np.array(stored["weights"]), np.array(stored["biases"]))

    return Judge(step(content["glance"]), step(content["reading"]), content["data"])


def chances(case: Case, verdict: Judgement) -> Chances:
    """How likely each relation is, 0 to 1. `verdict` is what the rules made of it."""
    found = judge().chances(
        features(case, verdict),
        lambda: leanings(case.old.text, case.new.text),
        case.policy.read_from,
    )
    return by_relation(found)


def by_relation(found: Numbers) -> Chances:
    """An array of four probabilities as chances."""
    return {relation: float(chance) for relation, chance in zip(RELATIONS, found, strict=True)}


def features(case: Case, verdict: Judgement) -> Numbers:
    """What is seen at a glance: shape (features,)."""
    return np.concatenate([signs(case, verdict), combined(case)])


def read(seen: Numbers, leaning: Numbers) -> Numbers:
    """The same with what reading both together came to, logits of shape (..., 4)."""
    return np.concatenate([leaning - leaning.mean(-1, keepdims=True), seen], axis=-1)


def softmax(values: Numbers) -> Numbers:
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    result: Numbers = raised / raised.sum(axis=-1, keepdims=True)
    return result
