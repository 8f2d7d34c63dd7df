"""Trains the judge of comparisons on labelled pairs, and cross-validates it."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from ledger.merging.case import Case
from ledger.merging.judge import (
    RELATIONS,
    Chances,
    Judge,
    Weights,
    by_relation,
    features,
    read,
    softmax,
)
from ledger.merging.rules import by_rules
from ledger.merging.sentences import Numbers, vector
from ledger.merging.types import Compared, Relation
from ledger.policy.merging import Merging
from ledger.policy.storage import Attributes

# Pairs as they occur, from which the judge learns how likely each relation is; and pairs in wholly
# other words, which occur less often: from these only the reader of both texts learns.
TRAIN = Path(__file__).with_name("train.jsonl")
REWORDED = Path(__file__).with_name("reworded.jsonl")
FOLDS = 5
# Strength of the L2 penalty per pair, how much less the vectors' dimensions weigh than the signs,
# and the steps of the descent; chosen by cross-validation on TRAIN.
PENALTY = 50.0
VECTOR_SCALE = 0.3
STEPS = 300
# Of the power iteration; more change nothing.
ROUNDS = 30
# Dimensions of features.combined, by encoder.
COMBINED = (2_048, 1_536)
# How many texts of other families each text is told apart from, and the cosine from which on two
# might say the same by chance.
STRANGERS = 2
# Of these every so many teach: some are changes by chance, and would teach the opposite.
FEW = 4
TOO_CLOSE = 0.5
# The new text was said thirty days after the old one.
THEN = datetime(2025, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)


@dataclass(frozen=True)
class Example:
    """A labelled pair; `language` is "zh", "en" or "mixed"."""

    old: str
    new: str
    relation: str
    language: str
    attribute: str = ""


def examples(path: Path = TRAIN) -> list[Example]:
    """The pairs in a file of JSON lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Example(**json.loads(line)) for line in lines]


def data_name() -> str:
    """Names the training data: weights belong to it."""
    return hashlib.sha256(TRAIN.read_bytes() + REWORDED.read_bytes()).hexdigest()


def expanded(pairs: Iterable[Example]) -> list[Example]:
    """What follows from the pairs: a paraphrase may stand for what it says in other words."""
    by_old: dict[str, list[Example]] = defaultdict(list)
    for pair in pairs:
        by_old[pair.old].append(pair)
    found = []
    for family in by_old.values():
        for same in (pair for pair in family if pair.relation == Relation.SAME):
            found.append(replace(same, old=same.new, new=same.old))
            follow = [p for p in family if p.relation in {Relation.REPLACES, Relation.ADDS}]
            found += [replace(pair, old=same.new) for pair in follow]
        adds = [pair for pair in family if pair.relation == Relation.ADDS]
        found += [replace(pair, old=pair.new, new=pair.old) for pair in adds]
    return found


def strangers(pairs: list[Example]) -> list[Example]:
    """Each old text and the nearest new ones that are tied to it by no pair: about something else.

    Among the candidates of a real statement most are such, and some lie close.
    """
    family = _families(pairs)
    found = []
    for language in sorted({pair.language for pair in pairs}):
        spoken = [p for p in pairs if p.language == language and p.relation != Relation.OTHER]
        olds, news = (list(dict.fromkeys(getattr(p, s) for p in spoken)) for s in ("old", "new"))
        cosines = np.stack([vector(t) for t in olds]) @ np.stack([vector(t) for t in news]).T
        for old, row in zip(olds, cosines, strict=True):
            others = (
                news[at]
                for at in np.argsort(-row, kind="stable")
                if row[at] < TOO_CLOSE and family[news[at]] != family[old]
            )
            nearest = islice(others, STRANGERS)
            found += [Example(old, new, Relation.OTHER, language) for new in nearest]
    return found[::FEW]


def _families(pairs: list[Example]) -> dict[str, str]:
    """Text -> the text that stands for all that pairs tie to it; unrelated ones tie nothing."""
    leader: dict[str, str] = {}

    def find(text: str) -> str:
        while leader.setdefault(text, text) != text:
            text = leader[text]
        return text

    for pair in pairs:
        if pair.relation != Relation.OTHER:
            leader[find(pair.old)] = find(pair.new)
    return {text: find(text) for pair in pairs for text in (pair.old, pair.new)}


def folds(pairs: list[Example]) -> Numbers:
    """The fold of each pair, 0 to 4. Pairs that are tied by a text are in one fold."""
    family = _families(pairs)
    digests = (hashlib.sha256(family[pair.old].encode()).hexdigest() for pair in pairs)
    return np.array([int(digest, 16) % FOLDS for digest in digests])


def case_of(pair: Example, similarity: float) -> Case:
    """A pair as a comparison under the default policy."""
    single = pair.attribute in Attributes().single_valued

    def side(text: str, at: datetime) -> Compared:
        attribute = pair.attribute
        return Compared(
            text=text, kind="fact", attribute=attribute, valid_from=at, single_valued=single
        )

    return Case(side(pair.new, LATER), side(pair.old, THEN), similarity, Merging())


def features_of(cases: Iterable[Case]) -> Numbers:
    """What the judge sees of each comparison at a glance: shape (cases, features)."""
    return np.stack([features(case, by_rules(case)) for case in cases])


def cross_validated(
    pairs: list[Example], seen: Numbers, leanings: Numbers, spoken_for: int
) -> list[Chances]:
    """For each of the first `spoken_for` pairs the chances by a judge trained without its fold.

    `seen` and `leanings` are those of `train`; the pairs from there on only train.
    """
    fold_of = folds(pairs)
    labels = [pair.relation for pair in pairs]
    found: list[Chances] = [{} for _ in range(spoken_for)]
    for fold in range(FOLDS):
        kept = np.flatnonzero(fold_of != fold)
        judge = train(seen[kept], leanings[kept], [labels[at] for at in kept], "")
        for at in np.flatnonzero(fold_of[:spoken_for] == fold):
            told = partial(leanings.__getitem__, at)
            found[at] = by_relation(judge.chances(seen[at], told, Merging().read_from))
    return found


def quality(pairs: list[Example], given: list[Relation]) -> dict[str, float]:
    """Shares from 0 to 1: of pairs judged rightly, as the same, as superseded; of pairs not left
    to a person, and of these again."""
    both = [(pair.relation, str(relation)) for pair, relation in zip(pairs, given, strict=True)]
    decided = [(told, relation) for told, relation in both if relation != Relation.UNCERTAIN]
    return {
        "accuracy": sum(a == b for a, b in both) / len(both),
        "merge_accuracy": _right(both, Relation.SAME),
        "supersession_accuracy": _right(both, Relation.REPLACES),
        "decided_share": len(decided) / len(both),
        "decided_merge_accuracy": _right(decided, Relation.SAME),
        "decided_supersession_accuracy": _right(decided, Relation.REPLACES),
    }


def _right(both: list[tuple[str, str]], relation: Relation) -> float:
    return sum((a == relation) == (b == relation) for a, b in both) / max(len(both), 1)


def train(seen: Numbers, leanings: Numbers, labels: list[str], data: str) -> Judge:
    """Both steps of the judge: `seen` has the shape (pairs, features), `leanings` (pairs, 4).

    Each leaning must come from a reader that did not learn from its pair, or the judge learns to
    believe what it will not hear again.
    """
    return Judge(_fitted(seen, labels), _fitted(read(seen, leanings), labels), data)


def _fitted(features: Numbers, labels: list[str]) -> Weights:
    """Multinomial logistic regression with an L2 penalty, by accelerated descent; deterministic.

    `features` has the shape (pairs, features), the vectors' dimensions last, encoder by encoder.
    """
    mean, spread = features.mean(0), features.std(0)
    end = features.shape[1]
    for size in reversed(COMBINED):
        spread[end - size : end] = features[:, end - size : end].std() / VECTOR_SCALE
        end -= size
    spread[spread < 1e-6] = 1.0
    inputs = (features - mean) / spread
    wanted = np.array([[label == relation for relation in RELATIONS] for label in labels], float)
    solution = _descent(np.c_[inputs, np.ones(len(inputs))], wanted)
    weights = solution[:-1] / spread[:, None]
    return Weights(weights, solution[-1] - mean @ weights)


def _descent(inputs: Numbers, wanted: Numbers) -> Numbers:
    """Nesterov's method, with the step that the curvature's bound allows."""
    steepest = 0.5 * _curvature(inputs) + PENALTY
    solution = ahead = np.zeros((inputs.shape[1], wanted.shape[1]))
    penalties = np.full((inputs.shape[1], 1), PENALTY)
    penalties[-1] = 0
    for step in range(STEPS):
        slope = inputs.T @ (softmax(inputs @ ahead) - wanted) + penalties * ahead
        previous, solution = solution, ahead - slope / steepest
        ahead = solution + (solution - previous) * step / (step + 3)
    result: Numbers = solution
    return result


def _curvature(inputs: Numbers) -> float:
    """The largest eigenvalue of the inputs' products, by power iteration, and a little more."""
    direction, length = np.ones(inputs.shape[1]), 0.0
    for _ in range(ROUNDS):
        ahead = inputs.T @ (inputs @ direction)
        length = float(np.linalg.norm(ahead))
        direction = ahead / length
    return length * 1.1
