"""Made-up memories by the million: texts from a pool, vectors in clusters, the same for one seed.

Pure. A vector is not its text's: around the real vectors of some sentences (the centres) lie seeded
normal deviations, of unit length again, in half precision as they are stored. So questions that are
really encoded meet vectors of the same region, and millions need no encoder.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall import speakers
from recall.terms import terms_of
from recall.traits import Traits, traits_of

Array = NDArray[Any]

CENTRES = 256
# The length of a deviation beside a centre's 1: the cosine of the two is then 0.93. Much smaller,
# and a cluster of a few is an island that the approximate index may not reach.
DEVIATION = 0.4
# The moment at which all texts were said, for what their words say of time.
SAID = datetime(2026, 1, 1, tzinfo=UTC)
# Memories of one session: each but its first has a vector in context.
SESSION = 20


@dataclass(frozen=True, eq=False)
class Indexed:
    """Of one text the places of its terms in the vocabulary, how often each, and its traits."""

    terms: Array
    counts: Array
    traits: Traits


@dataclass(frozen=True, eq=False)
class Memories:
    """Some memories of one subject: places in the pool, vectors alone and in context, (n, d)."""

    places: Array
    alone: Array
    together: Array


@dataclass(frozen=True, eq=False)
class Pool:
    """The texts that memories say, and the centres of their vectors, (k, d)."""

    texts: list[str]
    centres: Array
    seed: int

    def memories(self, subject: int, batch: int, count: int) -> Memories:
        """A batch of the subject with that number: the same whenever it is asked for."""
        chance = np.random.default_rng([self.seed, subject, batch])
        places = chance.choice(len(self.texts), count, replace=count > len(self.texts))
        return Memories(places, self._near(chance, places), self._near(chance, places))

    def _near(self, chance: np.random.Generator, places: Array) -> Array:
        centres = self.centres[places % len(self.centres)]
        away = chance.standard_normal(centres.shape, np.float32)
        away *= DEVIATION / np.sqrt(centres.shape[1])
        return unit(centres + away).astype(np.float16)

    @cached_property
    def vocabulary(self) -> list[str]:
        """Every term and mark of the texts."""
        return sorted({term for counts in self._counted for term in counts})

    @cached_property
    def indexed(self) -> list[Indexed]:
        """What the index keeps of each text."""
        place = {term: number for number, term in enumerate(self.vocabulary)}
        return [
            Indexed(
                np.array([place[term] for term in counts], np.int64),
                np.array(list(counts.values()), np.int64),
                traits_of(text, SAID, UTC),
            )
            for text, counts in zip(self.texts, self._counted, strict=True)
        ]

    @cached_property
    def _counted(self) -> list[Counter[str]]:
        """The terms as recall.index counts them, and one for who says it, which is no word."""
        return [Counter([*terms_of(text), *speakers.marks_of(text)]) for text in self.texts]


def unit(vectors: Array) -> Array:
    """The same directions at length 1."""
    lengths: Array = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return vectors / lengths


def nearest(vectors: Array, question: Array, top: int) -> set[int]:
    """The places of the vectors with the highest cosine: all of unit length, compared exactly."""
    return set(map(int, np.argsort(-(vectors.astype(np.float32) @ question))[:top]))
