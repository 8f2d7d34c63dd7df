"""Reads two texts together, so that each word of one sees every word of the other.

A cross-encoder: the bundled multilingual encoder (Wang et al. 2024, "Multilingual E5 Text
Embeddings") with changes that are learned from the labelled pairs and kept in together.npz.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ledger.bundled.changes import changed_network, full, kept_changes
from ledger.bundled.network import Network
from ledger.bundled.weights import bundle
from ledger.encodable import encodable
from ledger.merging.sentences import KEPT, LONGEST, Numbers
from ledger.once import Once

CHANGES = Path(__file__).with_name("together.npz")
# Pieces of each text that are read.
MOST_PIECES = 126


@dataclass(frozen=True, eq=False)
class Together:
    """The changed encoder and what it concludes with: shape (hidden, 5 * width), (4, hidden)."""

    network: Network
    hidden: tuple[Numbers, Numbers]
    outputs: tuple[Numbers, Numbers]
    data: str


@lru_cache(KEPT)
def leanings(old: str, new: str) -> Numbers:
    """Logits of the judge's relations, in its order: shape (4,)."""
    kept = bundle()
    one, other = (kept.ids(encodable(text[:LONGEST]))[:MOST_PIECES] for text in (old, new))
    ids = [kept.start, *one, kept.end, kept.end, *other, kept.end]
    return _concluded(together().network.states(ids), len(one) + 2)


def _concluded(states: Numbers, border: int) -> Numbers:
    """What the states of the old text's pieces and the new one's, from `border` on, come to."""
    old, new = states[:border].mean(0), states[border:].mean(0)
    both = np.concatenate([states[0], old, new, 2 * np.abs(old - new), old * new])
    return _times(_gelu(_times(both, together().hidden)), together().outputs)


def _times(states: Numbers, part: tuple[Numbers, Numbers]) -> Numbers:
    result: Numbers = states @ part[0].T + part[1]
    return result


def _gelu(values: Numbers) -> Numbers:
    """With the error function by Abramowitz and Stegun, 7.1.26, right to six digits."""
    size = np.abs(values) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * size)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    result: Numbers = values * (1 + np.sign(values) * (1 - series * np.exp(-(size**2)))) / 2
    return result


@Once
def together() -> Together:
    """The encoder with its changes, once per process."""
    changes = kept_changes(CHANGES)
    hidden, outputs = ((full(changes, n), changes[f"{n}.b"]) for n in ("hidden", "outputs"))
    return Together(changed_network(changes), hidden, outputs, str(changes["data"]))
