"""What the judge looks at in a comparison: numbers about the pair, and its two vectors."""

import numpy as np

from ledger.merging.case import Case
from ledger.merging.pairing import Pair
from ledger.merging.sentences import Numbers, passage, pieces, vector, vectors
from ledger.merging.types import Compared, Judgement, Reason, Relation

# What the weights were trained with; the ledger's own reason is none of the rules'.
REASONS = tuple(reason for reason in Reason if reason != Reason.OTHER_AGENT)

# Counts are cut off here: one word more hardly matters in a long text.
MOST = 8


def signs(case: Case, verdict: Judgement) -> Numbers:
    """Numbers about the pair, what the rules found among them: shape (signs,)."""
    found = [*_words(case.pair), *_polarity(case), *_frames(case), *_alignment(case)]
    found += [verdict.relation == relation for relation in Relation]
    found += [verdict.reason == reason for reason in REASONS]
    found += [case.guard == reason for reason in REASONS]
    return np.array(found, dtype=float)


def combined(case: Case) -> Numbers:
    """How the texts' vectors differ, agree and move, and the new one, by each encoder: (3584,)."""
    old, new = case.old, case.new
    by_encoder = (vector(old.text), vector(new.text)), (_passage(old), _passage(new))
    return np.concatenate([part for both in by_encoder for part in _side_by_side(*both)])


def _passage(side: Compared) -> Numbers:
    found: Numbers = passage(side.text) if side.passage is None else side.passage
    return found


def _side_by_side(old: Numbers, new: Numbers) -> tuple[Numbers, ...]:
    return np.abs(old - new), old * new * 8, new - old, new


def _words(pair: Pair) -> list[float]:
    """What the texts share, in words and in pairs of characters; some apart for Han texts."""
    old, new = max(len(pair.old.words), 1), max(len(pair.new.words), 1)
    alike = len(_pairs(pair.old.plain) & _pairs(pair.new.plain))
    all_pairs = len(_pairs(pair.old.plain) | _pairs(pair.new.plain))
    shares = [
        pair.overlap,
        len(pair.shared) / old,
        len(pair.shared) / new,
        min(len(pair.gone), MOST) / MOST,
        min(len(pair.come), MOST) / MOST,
        alike / max(all_pairs, 1),
    ]
    han = pair.old.han or pair.new.han
    numbers_gone, numbers_come = (any("|" in w for w in ws) for ws in (pair.gone, pair.come))
    return [
        *shares,
        *(share * han for share in shares),
        han,
        np.log(old),
        np.log(new),
        not pair.gone,
        not pair.come,
        not (pair.gone or pair.come),
        pair.one_object,
        pair.exchanged,
        pair.opposed,
        numbers_gone and numbers_come,
        numbers_come and not numbers_gone,
    ]


def _pairs(plain: str) -> set[str]:
    return {plain[at : at + 2] for at in range(len(plain) - 1)}


def _polarity(case: Case) -> list[float]:
    old, new = case.pair.old, case.pair.new
    both = old.stance is not None and new.stance is not None
    return [
        case.opposite,
        old.negated,
        new.negated,
        old.negated != new.negated,
        both and old.stance == new.stance,
        both and old.stance != new.stance,
        new.stance == -1,
        new.stance == 1,
    ]


def _frames(case: Case) -> list[float]:
    """Words for a change, tenses, and the frames of what holds one value at a time."""
    old, new, pair = case.pair.old, case.pair.new, case.pair
    return [
        new.moved_on,
        new.perhaps_moved_on,
        new.changed,
        old.moved_on or old.perhaps_moved_on or old.changed,
        new.many or old.many,
        new.event,
        old.event,
        new.event != old.event,
        new.future != old.future,
        old.slot and new.slot,
        old.front_value and new.front_value,
        pair.other_subject,
        bool(old.subject) and old.subject == new.subject,
    ]


def _alignment(case: Case) -> list[float]:
    """How close the sentences are, and each piece of one to the nearest of the other."""
    old, new = pieces(case.old.text), pieces(case.new.text)
    cosine = float(vector(case.old.text) @ vector(case.new.text))
    searched = float(_passage(case.old) @ _passage(case.new))
    cosines = vectors(old) @ vectors(new).T
    backward, forward = np.sort(cosines.max(1)), np.sort(cosines.max(0))
    nearest = [f(side) for side in (backward, forward) for f in (np.mean, np.min, _second)]
    gone = [at for at, piece in enumerate(old) if piece not in new]
    come = [at for at, piece in enumerate(new) if piece not in old]
    counts = [min(len(gone), MOST) / MOST, min(len(come), MOST) / MOST]
    both = [cosine, cosine**2, searched, searched**2]
    return [*both, *map(float, nearest), *counts, *_exchange(cosines, gone, come)]


def _second(ascending: Numbers) -> float:
    return float(ascending[min(1, len(ascending) - 1)])


def _exchange(cosines: Numbers, gone: list[int], come: list[int]) -> list[float]:
    """How close the pieces are that each text has alone; in the middle where one has none."""
    if not (gone and come):
        return [0.5, 0.5, 0.5, 1.0]
    between = cosines[np.ix_(gone, come)]
    means = between.max(1).mean(), between.max(0).mean()
    return [float(between.max()), *map(float, means), 0.0]
