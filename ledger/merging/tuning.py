"""Learns the changes with which the encoder reads two texts together (together.py); needs torch."""

import math
from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ledger.bundled.network import Part, wheel_layer
from ledger.bundled.weights import Bundle, bundle, unpacked
from ledger.encodable import encodable
from ledger.merging.judge import RELATIONS
from ledger.merging.sentences import LONGEST, Numbers
from ledger.merging.together import CHANGES, MOST_PIECES, SCALE
from ledger.merging.training import FOLDS, Example, folds
from ledger.merging.types import Relation

# Chosen by cross-validation on the labelled pairs: how many lower layers stay as they are, the rank
# of a change, how often each pair is seen, how many at once, how fast the changes and the
# conclusion learn, and how far no label is wholly believed.
FROZEN, RANK, HIDDEN = 4, 16, 256
ROUNDS, BATCH = 3, 64
RATE, CONCLUDING_RATE = 5e-4, 1e-3
WARM_UP, DECAY, LONGEST_STEP, DISBELIEF = 0.06, 0.01, 1.0, 0.05
# Batches within which pairs are sorted by their length, so that little is filled up.
SORTED = 32
FILLER = 1
UNSEEN = -1e4


class Changed(nn.Module):
    """A matrix as it is, and a low-rank change that is learned."""

    def __init__(self, part: Part, rank: int) -> None:
        super().__init__()
        matrix = torch.from_numpy(unpacked(part.blocks))
        self.matrix = nn.Parameter(matrix.bfloat16(), requires_grad=False)
        self.bias = nn.Parameter(torch.from_numpy(part.bias.copy()))
        rows, columns = matrix.shape
        self.down = nn.Parameter(torch.randn(rank, columns) / math.sqrt(columns))
        self.up = nn.Parameter(torch.zeros(rows, rank))

    def forward(self, states: Tensor) -> Tensor:
        given = states.bfloat16()
        change = functional.linear(
            functional.linear(given, self.down.bfloat16()), self.up.bfloat16()
        )
        return functional.linear(given, self.matrix, self.bias.bfloat16()) + change * SCALE


class Layer(nn.Module):
    def __init__(self, kept: Bundle, at: int) -> None:
        super().__init__()
        parts = wheel_layer(kept, at).parts
        self.parts = nn.ModuleDict({name: Changed(part, RANK) for name, part in parts.items()})
        self.aln, self.oln = (_normal(kept, f"l{at}.{name}") for name in ("aln", "oln"))
        self.heads = kept.heads
        self.requires_grad_(at >= FROZEN)
        for part in self.parts.values():
            part.matrix.requires_grad_(False)

    def forward(self, states: Tensor, unseen: Tensor) -> Tensor:
        pairs, pieces, width = states.shape

        def by_head(part: Tensor) -> Tensor:
            return part.view(pairs, pieces, self.heads, -1).transpose(1, 2)

        query, key, value = map(by_head, self.parts["qkv"](states).split(width, -1))
        near = (query @ key.transpose(-1, -2)).float() / math.sqrt(width / self.heads) + unseen
        seen = (near.softmax(-1).bfloat16() @ value).transpose(1, 2).reshape(states.shape)
        states = self.aln(states + self.parts["o"](seen).float())
        wide = functional.gelu(self.parts["fi"](states))
        result: Tensor = self.oln(states + self.parts["fo"](wide).float())
        return result


class Reader(nn.Module):
    """The encoder with what it learns: logits of shape (pairs, 4)."""

    def __init__(self) -> None:
        super().__init__()
        kept = bundle()
        self.kept = kept
        self.places = torch.from_numpy(kept.numbers("emb.pos").reshape(-1, kept.width).copy())
        self.same = torch.from_numpy(kept.numbers("emb.type")[: kept.width].copy())
        self.first = _normal(kept, "emb.ln").requires_grad_(False)
        self.layers = nn.ModuleList(Layer(kept, at) for at in range(kept.layers))
        self.hidden = nn.Linear(5 * kept.width, HIDDEN)
        self.outputs = nn.Linear(HIDDEN, len(RELATIONS))

    def forward(self, pairs: list[tuple[list[int], int]]) -> Tensor:
        """Each of the pairs as its pieces' ids, and where the new text begins among them."""
        longest = max(len(ids) for ids, _ in pairs)
        filled = [[*ids, *[FILLER] * (longest - len(ids))] for ids, _ in pairs]
        words = np.stack([self.kept.words(ids) for ids in filled])
        states = self.first(torch.from_numpy(words) + self.places[:longest] + self.same)
        at = torch.arange(longest)
        ends = torch.tensor([len(ids) for ids, _ in pairs])[:, None]
        borders = torch.tensor([border for _, border in pairs])[:, None]
        unseen = ((at >= ends) * UNSEEN)[:, None, None, :]
        for number, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and number >= FROZEN):
                states = layer(states, unseen)
        old, new = _mean(states, at < borders), _mean(states, (at >= borders) & (at < ends))
        both = torch.cat([states[:, 0], old, new, 2 * (old - new).abs(), old * new], 1)
        hidden = functional.dropout(functional.gelu(self.hidden(both)), 0.1, self.training)
        result: Tensor = self.outputs(hidden)
        return result


def _normal(kept: Bundle, name: str) -> nn.LayerNorm:
    found = nn.LayerNorm(kept.width, eps=1e-12)
    for parameter, side in ((found.weight, "w"), (found.bias, "b")):
        parameter.data = torch.from_numpy(kept.numbers(f"{name}.{side}").copy())
    return found


def _mean(states: Tensor, chosen: Tensor) -> Tensor:
    weights = chosen.float()[:, :, None]
    return (states * weights).sum(1) / weights.sum(1)


def pieces(pair: Example) -> tuple[list[int], int]:
    """The pair as its pieces' ids, and where the new text begins among them."""
    kept = bundle()
    old, new = (kept.ids(encodable(t[:LONGEST]))[:MOST_PIECES] for t in (pair.old, pair.new))
    return [kept.start, *old, kept.end, kept.end, *new, kept.end], len(old) + 2


def held_out(pairs: list[Example], pool: Executor) -> Numbers:
    """Logits of each pair by a reader that learned without its fold: shape (pairs, 4)."""
    fold_of, found = folds(pairs), np.zeros((len(pairs), len(RELATIONS)))
    for fold, said in enumerate(pool.map(partial(_of_fold, pairs), range(FOLDS))):
        found[fold_of == fold] = said
    return found


def _of_fold(pairs: list[Example], fold: int) -> Numbers:
    """Logits of one fold's pairs by a reader that learned from the others."""
    fold_of = folds(pairs)
    others = [pair for pair, at in zip(pairs, fold_of, strict=True) if at != fold]
    own = [pair for pair, at in zip(pairs, fold_of, strict=True) if at == fold]
    return logits(learned(others), own)


def learned(pairs: list[Example]) -> Reader:
    """A reader that learned from the pairs; the same for the same pairs on one machine."""
    torch.manual_seed(0)
    chance = np.random.default_rng(0)
    reader, rows = Reader(), [pieces(pair) for pair in pairs]
    labels = torch.tensor([RELATIONS.index(Relation(pair.relation)) for pair in pairs])
    concluding = [*reader.hidden.parameters(), *reader.outputs.parameters()]
    changes = [p for layer in reader.layers for p in layer.parameters() if p.requires_grad]
    groups = [{"params": changes, "lr": RATE}, {"params": concluding, "lr": CONCLUDING_RATE}]
    descent = torch.optim.AdamW(groups, weight_decay=DECAY)
    steps = ROUNDS * math.ceil(len(rows) / BATCH)
    pace = torch.optim.lr_scheduler.LambdaLR(descent, lambda step: _pace(step / steps))
    reader.train()
    for _ in range(ROUNDS):
        for batch in _batches(rows, chance):
            found = reader([rows[at] for at in batch])
            loss = functional.cross_entropy(found, labels[batch], label_smoothing=DISBELIEF)
            descent.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*changes, *concluding], LONGEST_STEP)
            descent.step()
            pace.step()
    return reader.eval()


def _pace(done: float) -> float:
    """From nothing to full speed, and evenly down to nothing. `done` is a share of the way."""
    return min(done / WARM_UP, max(0.0, (1 - done) / (1 - WARM_UP)))


def _batches(rows: list[tuple[list[int], int]], chance: np.random.Generator) -> Iterator[list[int]]:
    """All rows in batches of about one length, in a random order."""
    order = chance.permutation(len(rows)).tolist()
    found = []
    for start in range(0, len(order), BATCH * SORTED):
        near = sorted(order[start : start + BATCH * SORTED], key=lambda at: len(rows[at][0]))
        found += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    yield from (found[at] for at in chance.permutation(len(found)))


@torch.no_grad()
def logits(reader: Reader, pairs: list[Example]) -> Numbers:
    """What the reader makes of each pair: shape (pairs, 4)."""
    rows = [pieces(pair) for pair in pairs]
    order = sorted(range(len(rows)), key=lambda at: len(rows[at][0]))
    found = np.zeros((len(rows), len(RELATIONS)))
    for start in range(0, len(order), BATCH):
        batch = order[start : start + BATCH]
        found[batch] = reader([rows[at] for at in batch]).numpy()
    return found


def learn(pairs: list[Example], data: str) -> Path:
    """Learns from all pairs, and writes it down; see save."""
    return save(learned(pairs), data)


def save(reader: Reader, data: str) -> Path:
    """Writes what was learned, matrices in eight bits. `data` names what it learned from."""
    changes: dict[str, Numbers] = {}
    for at, layer in enumerate(reader.layers):
        if at >= FROZEN:
            changes |= _of_layer(layer, str(at))
    for name in ("hidden", "outputs"):
        changes |= _small(name, getattr(reader, name).weight)
        changes[f"{name}.b"] = _plain(getattr(reader, name).bias)
    np.savez_compressed(CHANGES, data=np.array(data), **changes)  # type: ignore[arg-type]
    return CHANGES


def _of_layer(layer: nn.Module, at: str) -> dict[str, Numbers]:
    found: dict[str, Numbers] = {}
    for name, part in layer.parts.items():  # type: ignore[operator, union-attr]
        found |= _small(f"{at}.{name}.up", part.up) | _small(f"{at}.{name}.down", part.down)
        found[f"{at}.{name}.b"] = _plain(part.bias)
    for name in ("aln", "oln"):
        normal = getattr(layer, name)
        found |= {f"{at}.{name}.w": _plain(normal.weight), f"{at}.{name}.b": _plain(normal.bias)}
    return found


def _small(name: str, matrix: Tensor) -> dict[str, Numbers]:
    """A matrix in eight bits, with a scale per row."""
    full = _plain(matrix)
    scale = np.maximum(np.abs(full).max(1), 1e-9) / 127
    return {f"{name}.q": np.rint(full / scale[:, None]).astype(np.int8), f"{name}.s": scale}


def _plain(tensor: Tensor) -> Numbers:
    result: Numbers = tensor.detach().float().numpy()
    return result
