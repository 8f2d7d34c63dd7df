"""Learns the changes with which the encoder reads two texts together (together.py); needs torch."""

from concurrent.futures import Executor
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ledger.bundled.tuning import BATCH, Body, Pace, descend, keep, of_layers, plain, small
from ledger.bundled.weights import bundle
from ledger.encodable import encodable
from ledger.merging.judge import RELATIONS
from ledger.merging.sentences import LONGEST, Numbers
from ledger.merging.together import CHANGES, MOST_PIECES
from ledger.merging.training import FOLDS, Example, folds
from ledger.merging.types import Relation

# Chosen by cross-validation on the labelled pairs, as is how far no label is wholly believed.
PACE = Pace(rounds=3, changing=5e-4, concluding=1e-3)
HIDDEN, DISBELIEF = 256, 0.05


class Reader(nn.Module):
    """The encoder with what it learns: logits of shape (pairs, 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = Body()
        self.hidden = nn.Linear(5 * self.body.kept.width, HIDDEN)
        self.outputs = nn.Linear(HIDDEN, len(RELATIONS))

    def forward(self, pairs: list[tuple[list[int], int]]) -> Tensor:
        """Each of the pairs as its pieces' ids, and where the new text begins among them."""
        states = self.body([ids for ids, _ in pairs])
        at = torch.arange(states.shape[1])
        ends = torch.tensor([len(ids) for ids, _ in pairs])[:, None]
        borders = torch.tensor([border for _, border in pairs])[:, None]
        old, new = _mean(states, at < borders), _mean(states, (at >= borders) & (at < ends))
        both = torch.cat([states[:, 0], old, new, 2 * (old - new).abs(), old * new], 1)
        hidden = functional.dropout(functional.gelu(self.hidden(both)), 0.1, self.training)
        result: Tensor = self.outputs(hidden)
        return result


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
    reader, rows = Reader(), [pieces(pair) for pair in pairs]
    labels = torch.tensor([RELATIONS.index(Relation(pair.relation)) for pair in pairs])
    concluding = [*reader.hidden.parameters(), *reader.outputs.parameters()]

    def loss(batch: list[int]) -> Tensor:
        found = reader([rows[at] for at in batch])
        return functional.cross_entropy(found, labels[batch], label_smoothing=DISBELIEF)

    reader.train()
    descend(reader.body, concluding, [len(ids) for ids, _ in rows], loss, PACE)
    return reader.eval()


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
    changes = of_layers(reader.body)
    for name in ("hidden", "outputs"):
        changes |= small(name, getattr(reader, name).weight)
        changes[f"{name}.b"] = plain(getattr(reader, name).bias)
    return keep(CHANGES, data, changes)
