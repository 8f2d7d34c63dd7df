"""What MemoryHub's recall is measured beside: plain dense search, BM25, and both fused. Pure."""

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from bench.room import Talk

K1, B = 1.2, 0.75
RRF_K = 60


class Remembering:
    """An encoder that encodes each text once, alone: its neighbours must not change it."""

    def __init__(self, encoder: Any) -> None:
        self.name, self.dimensions = encoder.name, encoder.dimensions
        self._encoder = encoder
        self._known: dict[tuple[str, bool], Any] = {}

    def query(self, text: str) -> Any:
        if (text, True) not in self._known:
            self._known[text, True] = self._encoder.query(text)
        return self._known[text, True]

    def passages(self, texts: list[str]) -> Any:
        for text in texts:
            if (text, False) not in self._known:
                self._known[text, False] = self._encoder.passages([text])[0]
        return np.stack([self._known[text, False] for text in texts])


def dense(talk: Talk, encoder: Any) -> list[list[str]]:
    """For each question all turns by the cosine of their vectors, one vector a turn."""
    vectors = encoder.passages([turn.text for turn in talk.turns])
    return [
        [talk.turns[place].ref for place in np.argsort(-(vectors @ encoder.query(q.text)))]
        for q in talk.questions
    ]


def bm25(talk: Talk) -> list[list[str]]:
    """For each question the turns that hold a word of it, by BM25 (Robertson & Zaragoza 2009)."""
    from recall.terms import terms_of

    counts = [Counter(terms_of(turn.text)) for turn in talk.turns]
    lengths = np.array([count.total() for count in counts], float)
    held = Counter(term for count in counts for term in count)
    found = []
    for question in talk.questions:
        scores = np.zeros(len(counts))
        for term in set(terms_of(question.text)) & held.keys():
            rarity = np.log1p((len(counts) - held[term] + 0.5) / (held[term] + 0.5))
            often = np.array([count[term] for count in counts], float)
            longer = 1 - B + B * lengths / lengths.mean()
            scores += rarity * often * (K1 + 1) / (often + K1 * longer)
        order = np.argsort(-scores, kind="stable")
        found.append([talk.turns[place].ref for place in order if scores[place] > 0])
    return found


def fused(*rankings: list[list[str]]) -> list[list[str]]:
    """For each question the rankings as one, by reciprocal rank (Cormack et al. 2009)."""
    found = []
    for lists in zip(*rankings, strict=True):
        scores: dict[str, float] = defaultdict(float)
        for ranked in lists:
            for rank, turn in enumerate(ranked, start=1):
                scores[turn] += 1 / (RRF_K + rank)
        found.append(sorted(scores, key=lambda turn: -scores[turn]))
    return found
