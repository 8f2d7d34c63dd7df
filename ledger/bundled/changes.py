"""The bundled encoder with low-rank changes to its upper layers (Hu et al. 2021, "LoRA").

What reads texts for a purpose of its own is the encoder of the wheel with such changes, which are
learned (tuning.py) and kept, matrices in eight bits, in a file of some megabyte.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ledger.bundled.network import Layer, Network, Part, wheel_layer
from ledger.bundled.weights import Bundle, Numbers, bundle

# How much the changes count; Hu et al.'s alpha by the rank.
SCALE = 2.0


def kept_changes(path: Path) -> dict[str, Numbers]:
    """What `tuning.keep` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def changed_network(changes: Mapping[str, Numbers]) -> Network:
    """The encoder with the changes, by the names under which `tuning.of_layers` keeps them."""
    kept = bundle()
    return Network(kept, [_layer(kept, changes, at) for at in range(kept.layers)])


def full(changes: Mapping[str, Numbers], name: str) -> Numbers:
    """A matrix that is stored in eight bits, with a scale per row."""
    result: Numbers = changes[f"{name}.q"].astype(np.float32) * changes[f"{name}.s"][:, None]
    return result


def _layer(kept: Bundle, changes: Mapping[str, Numbers], at: int) -> Layer:
    layer = wheel_layer(kept, at)
    if f"{at}.qkv.b" not in changes:
        return layer
    parts = {name: _part(part, changes, f"{at}.{name}") for name, part in layer.parts.items()}
    first, second = (
        (changes[f"{at}.{name}.w"], changes[f"{at}.{name}.b"]) for name in ("aln", "oln")
    )
    return Layer(parts, first, second)


def _part(part: Part, changes: Mapping[str, Numbers], name: str) -> Part:
    up, down = (full(changes, f"{name}.{side}") for side in ("up", "down"))
    return Part(part.blocks, changes[f"{name}.b"], (SCALE * up, down))
