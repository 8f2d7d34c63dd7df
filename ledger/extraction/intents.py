"""Intents: what a text is meant for, by the nearest prototypes and by keywords."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ledger.extraction.language import compiled, is_chinese, plain, table
from ledger.policy.extraction import Extraction

Encode = Callable[[list[str]], Any]
Floats = NDArray[np.float64]

BY_PROTOTYPE = "prototype"
BY_KEYWORD = "keyword"


@dataclass(frozen=True)
class Intent:
    """A code of `data/intents.toml`, and whether prototypes or keywords alone decided it.

    `sure`: it is so near (policy `kind_from`) that other things may follow from it.
    """

    code: str
    by: str
    sure: bool

    @property
    def kind(self) -> str | None:
        """The kind of memory that such a text becomes, where there is one and it is sure."""
        kind: str | None = table("intents")[self.code].get("kind")
        return kind if self.sure else None

    @property
    def is_small_talk(self) -> bool:
        """Whether it is surely said for politeness."""
        return self.sure and bool(table("intents")[self.code].get("small_talk", False))


@dataclass(frozen=True)
class Prototypes:
    """The centroids of one language: unit rows, one for each code, after `mean` is taken away."""

    codes: tuple[str, ...]
    centroids: Floats
    mean: Floats


def intents(
    texts: Sequence[str], policy: Extraction, encode: Encode | None, encoder: str = ""
) -> list[Intent | None]:
    """The intent of each text, or None where none is near enough. `encode`: see extract."""
    keywords = [_keywords(plain(text)) for text in texts]
    if encode is None or not texts:
        return [
            Intent(next(iter(codes)), BY_KEYWORD, sure=True) if codes else None
            for codes in keywords
        ]
    vectors = _unit(np.asarray(encode(list(texts)), dtype=np.float64))
    found: list[Intent | None] = []
    for text, vector, codes in zip(texts, vectors, keywords, strict=True):
        language = "zh" if is_chinese(text) else "en"
        known = _prototypes(language, encode if not encoder else _Named(encoder, encode))
        found.append(_nearest(vector, known, codes, policy))
    return found


def _nearest(
    vector: Floats, known: Prototypes, keywords: dict[str, None], policy: Extraction
) -> Intent | None:
    scores = known.centroids @ _unit((vector - known.mean)[None, :])[0]
    scores = scores + [policy.keyword_bonus * (code in keywords) for code in known.codes]
    best = int(np.argmax(scores))
    if scores[best] < policy.intent_from:
        return None
    return Intent(known.codes[best], BY_PROTOTYPE, sure=bool(scores[best] >= policy.kind_from))


def _keywords(text: str) -> dict[str, None]:
    """The codes whose keywords stand in the text, in the order of the data file."""
    return {
        code: None
        for code in table("intents")
        if any(pattern.search(text) for pattern in _patterns(code))
    }


@cache
def _patterns(code: str) -> tuple[re.Pattern[str], ...]:
    return tuple(compiled(pattern) for pattern in table("intents")[code]["keywords"])


@dataclass(frozen=True)
class _Named:
    """An encoder that is the same as every other of its name."""

    name: str
    encode: Encode

    def __call__(self, texts: list[str]) -> Any:
        return self.encode(texts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Named) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)


# Two languages for each encoder; more than two encoders are not in use at once.
@lru_cache(maxsize=4)
def _prototypes(language: str, encode: Encode) -> Prototypes:
    entries = table("intents")
    texts = [text for entry in entries.values() for text in entry[language]]
    owner = np.array([i for i, entry in enumerate(entries.values()) for _ in entry[language]])
    vectors = _unit(np.asarray(encode(texts), dtype=np.float64))
    # Encoders put all texts of a language near one direction; what tells intents apart is the rest.
    mean = vectors.mean(axis=0)
    rest = _unit(vectors - mean)
    centroids = np.stack([rest[owner == i].mean(axis=0) for i in range(len(entries))])
    return Prototypes(tuple(entries), _unit(centroids), mean)


def _unit(rows: Floats) -> Floats:
    """Rows of length 1; rows of zeros stay."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: Floats = rows / np.where(lengths > 0, lengths, 1.0)
    return unit
