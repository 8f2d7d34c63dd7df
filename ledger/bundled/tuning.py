"""How changes to the encoder (changes.py) are learned and written down; needs torch."""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ledger.bundled.changes import SCALE
from ledger.bundled.network import Part, wheel_layer
from ledger.bundled.weights import Bundle, Numbers, bundle, unpacked

# Chosen by cross-validation on the labelled pairs of merging: how many lower layers stay as they
# are, and the rank of a change.
FROZEN, RANK = 4, 16
BATCH = 64
WARM_UP, DECAY, LONGEST_STEP = 0.06, 0.01, 1.0
# Batches within which texts are sorted by their length, so that little is filled up.
SORTED = 32
FILLER = 1
UNSEEN = -1e4


@dataclass(frozen=True)
class Pace:
    """How often each text is seen, and how fast the changes and the conclusion learn."""

    rounds: int
    changing: float
    concluding: float


class Changed(nn.Module):
    """A matrix as it is, and a low-rank change that is learned."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        matrix = torch.from_numpy(unpacked(part.blocks))
        self.matrix = nn.Parameter(matrix.bfloat16(), requires_grad=False)
        self.bias = nn.Parameter(torch.from_numpy(part.bias.copy()))
        rows, columns = matrix.shape
        self.down = nn.Parameter(torch.randn(RANK, columns) / math.sqrt(columns))
        self.up = nn.Parameter(torch.zeros(rows, RANK))

    def forward(self, states: Tensor) -> Tensor:
        given = states.bfloat16()
        change = functional.linear(
            functional.linear(given, self.down.bfloat16()), self.up.bfloat16()
        )
        return functional.linear(given, self.matrix, self.bias.bfloat16()) + change * SCALE


class Layer(nn.Module):
    """One of the encoder's layers; the lower ones stay as they are."""

    def __init__(self, kept: Bundle, at: int) -> None:
        super().__init__()
        parts = wheel_layer(kept, at).parts
        self.parts = nn.ModuleDict({name: Changed(part) for name, part in parts.items()})
        self.aln, self.oln = (_normal(kept, f"l{at}.{name}") for name in ("aln", "oln"))
        self.heads = kept.heads
        self.requires_grad_(at >= FROZEN)
        for part in self.parts.values():
            part.matrix.requires_grad_(False)

    def forward(self, states: Tensor, unseen: Tensor) -> Tensor:
        texts, pieces, width = states.shape

        def by_head(part: Tensor) -> Tensor:
            return part.view(texts, pieces, self.heads, -1).transpose(1, 2)

        query, key, value = map(by_head, self.parts["qkv"](states).split(width, -1))
        near = (query @ key.transpose(-1, -2)).float() / math.sqrt(width / self.heads) + unseen
        seen = (near.softmax(-1).bfloat16() @ value).transpose(1, 2).reshape(states.shape)
        states = self.aln(states + self.parts["o"](seen).float())
        wide = functional.gelu(self.parts["fi"](states))
        result: Tensor = self.oln(states + self.parts["fo"](wide).float())
        return result


class Body(nn.Module):
    """The encoder with its changes: states of shape (texts, pieces of the longest, width)."""

    def __init__(self) -> None:
        super().__init__()
        kept = bundle()
        self.kept = kept
        self.places = torch.from_numpy(kept.numbers("emb.pos").reshape(-1, kept.width).copy())
        self.same = torch.from_numpy(kept.numbers("emb.type")[: kept.width].copy())
        self.first = _normal(kept, "emb.ln").requires_grad_(False)
        self.layers = nn.ModuleList(Layer(kept, at) for at in range(kept.layers))

    def forward(self, texts: list[list[int]]) -> Tensor:
        """Each text as its pieces' ids, with the marks of its ends."""
        longest = max(map(len, texts))
        filled = [[*ids, *[FILLER] * (longest - len(ids))] for ids in texts]
        words = np.stack([self.kept.words(ids) for ids in filled])
        states = self.first(torch.from_numpy(words) + self.places[:longest] + self.same)
        ends = torch.tensor([len(ids) for ids in texts])[:, None]
        unseen = ((torch.arange(longest) >= ends) * UNSEEN)[:, None, None, :]
        for number, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= FROZEN):
                states = layer(states, unseen)
        result: Tensor = states
        return result

    def learning(self) -> list[nn.Parameter]:
        """What of it is learned."""
        return [p for layer in self.layers for p in layer.parameters() if p.requires_grad]


def _normal(kept: Bundle, name: str) -> nn.LayerNorm:
    found = nn.LayerNorm(kept.width, eps=1e-12)
    for parameter, side in ((found.weight, "w"), (found.bias, "b")):
        parameter.data = torch.from_numpy(kept.numbers(f"{name}.{side}").copy())
    return found


def descend(
    body: Body,
    conclusion: list[nn.Parameter],
    lengths: list[int],
    loss: Callable[[list[int]], Tensor],
    pace: Pace,
) -> None:
    """Learns until each text, given by its number of pieces, was seen `pace.rounds` times.

    `loss` is that of the texts at these places. The same from the same on one machine.
    """
    chance = np.random.default_rng(0)
    changes = body.learning()
    groups = [
        {"params": changes, "lr": pace.changing},
        {"params": conclusion, "lr": pace.concluding},
    ]
    descent = torch.optim.AdamW(groups, weight_decay=DECAY)
    steps = pace.rounds * math.ceil(len(lengths) / BATCH)
    speed = torch.optim.lr_scheduler.LambdaLR(descent, lambda step: _speed(step / steps))
    for _ in range(pace.rounds):
        for batch in _batches(lengths, chance):
            descent.zero_grad()
            loss(batch).backward()
            nn.utils.clip_grad_norm_([*changes, *conclusion], LONGEST_STEP)
            descent.step()
            speed.step()


def _speed(done: float) -> float:
    """From nothing to full speed, and evenly down to nothing. `done` is a share of the way."""
    return min(done / WARM_UP, max(0.0, (1 - done) / (1 - WARM_UP)))


def _batches(lengths: list[int], chance: np.random.Generator) -> Iterator[list[int]]:
    """All places in batches of about one length, in a random order."""
    order = chance.permutation(len(lengths)).tolist()
    found = []
    for start in range(0, len(order), BATCH * SORTED):
        near = sorted(order[start : start + BATCH * SORTED], key=lengths.__getitem__)
        found += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    yield from (found[at] for at in chance.permutation(len(found)))


def side_by_side() -> ProcessPoolExecutor:
    """Lets one learner for each core learn, each as it would alone."""
    return ProcessPoolExecutor(
        mp_context=get_context("spawn"), initializer=torch.set_num_threads, initargs=(1,)
    )


def keep(path: Path, data: str, changes: dict[str, Numbers]) -> Path:
    """Writes what was learned; `data` names what it was learned from."""
    np.savez_compressed(path, data=np.array(data), **changes)  # type: ignore[arg-type]
    return path


def of_layers(body: Body) -> dict[str, Numbers]:
    """What was learned of the layers, as changes.py reads it."""
    found: dict[str, Numbers] = {}
    for at, layer in enumerate(body.layers):
        if at >= FROZEN:
            found |= _of_layer(layer, str(at))
    return found


def _of_layer(layer: nn.Module, at: str) -> dict[str, Numbers]:
    found: dict[str, Numbers] = {}
    for name, part in layer.parts.items():  # type: ignore[operator, union-attr]
        found |= small(f"{at}.{name}.up", part.up) | small(f"{at}.{name}.down", part.down)
        found[f"{at}.{name}.b"] = plain(part.bias)
    for name in ("aln", "oln"):
        normal = getattr(layer, name)
        found |= {f"{at}.{name}.w": plain(normal.weight), f"{at}.{name}.b": plain(normal.bias)}
    return found


def small(name: str, matrix: Tensor) -> dict[str, Numbers]:
    """A matrix in eight bits, with a scale per row."""
    whole = plain(matrix)
    scale = np.maximum(np.abs(whole).max(1), 1e-9) / 127
    return {f"{name}.q": np.rint(whole / scale[:, None]).astype(np.int8), f"{name}.s": scale}


def plain(tensor: Tensor) -> Numbers:
    """A tensor's numbers."""
    result: Numbers = tensor.detach().float().numpy()
    return result
