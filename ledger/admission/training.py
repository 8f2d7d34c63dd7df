"""Trains the classifier of admission on labelled texts, and cross-validates the whole judgement."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ledger.admission.classifier import Classifier, Numbers
from ledger.admission.judging import judge
from ledger.policy.admission import Admission

TRAIN = Path(__file__).with_name("train.jsonl")
FOLDS = 5
# Chosen by cross-validation on TRAIN: how fast an example's say fades with the distance (in mean
# squared distances from the middle), and how far an example may be overruled by its neighbours.
WIDTH = 1.0
RIDGE = 0.3
# From the regression's -1 to 1 to log odds.
STEEPNESS = 3.0


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
    """Kernel ridge regression with a Gaussian kernel, in closed form; deterministic.

    `vectors` has the shape (texts, dimensions), `labels` (texts,) holds 0 and 1. A linear
    classifier on the same vectors is wrong twice as often.
    """
    center = vectors.mean(0)
    spread = float(np.sqrt(((vectors - center) ** 2).sum(1).mean())) + 1e-9
    scale = WIDTH**0.5 / spread
    points = (vectors - center) * scale
    unit = float(np.abs(points).max()) / 127 + 1e-12
    codes = np.round(points / unit).astype(np.int8)
    weights = np.linalg.solve(_kernel(codes * unit), (2 * labels - 1) * STEEPNESS)
    return Classifier(encoder_name, center, scale, codes, unit, weights)


def _kernel(points: Numbers) -> Numbers:
    """How alike each two points are, and the ridge on the diagonal."""
    lengths = (points**2).sum(1)
    alike: Numbers = np.exp(2 * points @ points.T - lengths - lengths[:, None])
    alike[np.diag_indices_from(alike)] += RIDGE
    return alike


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
