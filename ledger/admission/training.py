"""Trains the classifier of admission on labelled texts, and cross-validates the whole judgement."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ledger.admission.classifier import Classifier, Numbers, sigmoid
from ledger.admission.judging import judge
from ledger.policy.admission import Admission

TRAIN = Path(__file__).with_name("train.jsonl")
FOLDS = 5
# Strength of the L2 penalty on standardised dimensions; chosen by cross-validation on TRAIN.
PENALTY = 100.0
# Newton's method converges in fewer steps on any data seen.
STEPS = 30


@dataclass(frozen=True)
class Example:
    """A labelled text; `language` is "zh" or "en"."""

    text: str
    admit: bool
    language: str


@dataclass(frozen=True)
class Quality:
    """How well texts were admitted: shares from 0 to 1, and the texts judged wrongly."""

    precision: float
    recall: float
    texts: int
    mistakes: tuple[str, ...]


def examples(path: Path = TRAIN) -> list[Example]:
    """The examples in a file of JSON lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Example(**json.loads(line)) for line in lines]


def train(encoder_name: str, vectors: Numbers, labels: Numbers) -> Classifier:
    """Logistic regression with an L2 penalty, by Newton's method; deterministic.

    `vectors` has the shape (texts, dimensions), `labels` (texts,) holds 0 and 1.
    """
    mean, spread = vectors.mean(0), vectors.std(0) + 1e-9
    inputs = np.c_[(vectors - mean) / spread, np.ones(len(vectors))]
    penalty = np.full(inputs.shape[1], PENALTY)
    penalty[-1] = 1e-9
    solution = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = sigmoid(inputs @ solution)
        slope = inputs.T @ (chance - labels) + penalty * solution
        curvature = (inputs.T * (chance * (1 - chance))) @ inputs + np.diag(penalty)
        solution = solution - np.linalg.solve(curvature, slope)
    weights = solution[:-1] / spread
    return Classifier(encoder_name, weights, float(solution[-1] - weights @ mean))


def cross_validated(texts: list[Example], vectors: Numbers) -> list[float]:
    """For each text the probability by a classifier that was trained without its fold."""
    labels = np.array([example.admit for example in texts], dtype=float)
    folds = np.array([_fold(example.text) for example in texts])
    chances = np.zeros(len(texts))
    for fold in range(FOLDS):
        held_out = folds == fold
        trained = train("", vectors[~held_out], labels[~held_out])
        chances[held_out] = [trained.probability(vector) for vector in vectors[held_out]]
    return [float(chance) for chance in chances]


def _fold(text: str) -> int:
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % FOLDS


def quality(texts: list[Example], chances: Iterable[float]) -> dict[str, Quality]:
    """By language, how well the rules and the classifier's probabilities together judge."""
    admitted = [
        _admitted(example.text, chance) for example, chance in zip(texts, chances, strict=True)
    ]
    pairs = list(zip(texts, admitted, strict=True))
    languages = sorted({example.language for example in texts})
    return {
        language: _quality([pair for pair in pairs if pair[0].language == language])
        for language in languages
    }


def _admitted(text: str, chance: float) -> bool:
    return judge(text, Admission(), lambda _: chance).admitted


def _quality(pairs: list[tuple[Example, bool]]) -> Quality:
    hits = sum(example.admit and admitted for example, admitted in pairs)
    return Quality(
        precision=hits / max(sum(admitted for _, admitted in pairs), 1),
        recall=hits / max(sum(example.admit for example, _ in pairs), 1),
        texts=len(pairs),
        mistakes=tuple(example.text for example, admitted in pairs if example.admit != admitted),
    )
