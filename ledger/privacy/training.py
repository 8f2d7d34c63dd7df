"""Learns to read what is private in sentences (tagger.py) from labelled ones; needs torch."""

import hashlib
import json
import string
from collections import defaultdict
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ledger.bundled.tuning import Body, Pace, descend, keep, of_layers, plain, small
from ledger.bundled.weights import Numbers, bundle
from ledger.policy.privacy import Privacy, PrivateKind
from ledger.privacy.pieces import WINDOW, Piece, pieces
from ledger.privacy.reading import has_han, read
from ledger.privacy.tagger import CHANGES, KINDS, Chances, by_run, spans

DATA = Path(__file__).with_name("train.jsonl")
# The shares of the values that are swapped for another sentence's, and scrambled, each time that a
# sentence is seen were chosen by cross-validation.
PACE = Pace(rounds=7, changing=1e-3, concluding=2e-3)
SWAPPED, SCRAMBLED, DROPPED = 0.4, 0.4, 0.1
FOLDS, NEIGHBOURS = 5, 20


@dataclass(frozen=True)
class Quality:
    """Of so many texts: things told, those whose every letter and digit was found, and findings
    that touch none."""

    texts: int
    told: int
    covered: int
    false: int


@dataclass(frozen=True)
class Told:
    """The characters [begin, end) of a private thing."""

    begin: int
    end: int
    kind: str


@dataclass(frozen=True)
class Example:
    """A text, what is private in it, and which kinds were looked for."""

    text: str
    told: tuple[Told, ...]
    kinds: tuple[str, ...]

    def values(self) -> list[tuple[str, str]]:
        """The private things, each with its kind."""
        return [(self.text[told.begin : told.end], told.kind) for told in self.told]

    def saying(self, values: Iterable[str]) -> "Example":
        """The same sentence with other values."""
        text, told, at = "", [], 0
        for old, value in zip(self.told, values, strict=True):
            text += self.text[at : old.begin]
            told.append(Told(len(text), len(text) + len(value), old.kind))
            text, at = text + value, old.end
        return Example(text + self.text[at:], tuple(told), self.kinds)


def examples(path: Path = DATA) -> list[Example]:
    """The sentences in a file of JSON lines {"text", "spans": [[begin, end, kind], …], "kinds"}."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Example(read(line["text"]), tuple(Told(*s) for s in line["spans"]), tuple(line["kinds"]))
        for line in lines
    ]


def data_name() -> str:
    """Names the training data: what is learned belongs to it."""
    return hashlib.sha256(DATA.read_bytes()).hexdigest()


class Varied:
    """Makes others of the examples: what is learned is the sentence, not the value in it."""

    def __init__(self, texts: list[Example]) -> None:
        self._chance = np.random.default_rng(0)
        self._alike: dict[tuple[str, str], list[str]] = defaultdict(list)
        for value, kind in (value for text in texts for value in text.values()):
            self._alike[kind, _sort(value)].append(value)

    def one(self, text: Example) -> Example:
        """The example with some values swapped for others of their sort, or scrambled."""
        return text.saying(self._value(value, kind) for value, kind in text.values())

    def _value(self, value: str, kind: str) -> str:
        if self._chance.random() < SWAPPED:
            alike = self._alike[kind, _sort(value)]
            value = alike[self._chance.integers(len(alike))]
        if self._chance.random() < SCRAMBLED and _sort(value) in ("digits", "mixed"):
            letters = kind != PrivateKind.ADDRESS
            value = "".join(self._character(character, letters) for character in value)
        return value

    def _character(self, character: str, letters: bool) -> str:
        for alike in (string.digits, string.ascii_lowercase, string.ascii_uppercase):
            if character in alike and (letters or alike is string.digits):
                return alike[self._chance.integers(len(alike))]
        return character


def _sort(value: str) -> str:
    """What a value is made of; one is swapped for another of its sort."""
    if has_han(value):
        return "chinese"
    if value.isdigit():
        return "digits"
    if value.isalpha():
        return "word"
    return "words" if " " in value else "mixed"


class Reader(nn.Module):
    """The encoder with what it learns: logits of shape (texts, pieces of the longest, kinds)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = Body()
        self.output = nn.Linear(self.body.kept.width, len(KINDS))

    def forward(self, texts: list[list[Piece]]) -> Tensor:
        kept = bundle()
        ids = [[kept.start, *(piece.id for piece in text), kept.end] for text in texts]
        states = functional.dropout(self.body(ids), DROPPED, self.training)
        result: Tensor = self.output(states)[:, 1:-1]
        return result


def learned(texts: list[Example]) -> Reader:
    """A reader that learned from the texts; the same for the same texts on one machine."""
    torch.manual_seed(0)
    reader, varied = Reader(), Varied(texts)

    def loss(batch: list[int]) -> Tensor:
        made = [varied.one(texts[at]) for at in batch]
        rows = [pieces(text.text)[:WINDOW] for text in made]
        found = reader(rows)
        each = [
            functional.binary_cross_entropy_with_logits(
                found[at, : len(row)], _wanted(text, row), _asked(text), reduction="sum"
            )
            for at, (text, row) in enumerate(zip(made, rows, strict=True))
        ]
        return torch.stack(each).sum() / sum(map(len, rows))

    reader.train()
    lengths = [len(pieces(text.text)) for text in texts]
    descend(reader.body, list(reader.output.parameters()), lengths, loss, PACE)
    return reader.eval()


def learn(texts: list[Example], data: str) -> Path:
    """Learns from all texts, and writes it down; see save."""
    return save(learned(texts), data)


def held_out(texts: list[Example], pool: Executor) -> list[Chances]:
    """What is found in each text by a reader that learned without its fold."""
    of_folds = [iter(found) for found in pool.map(partial(_of_fold, texts), range(FOLDS))]
    return [next(of_folds[_fold(at)]) for at in range(len(texts))]


def _of_fold(texts: list[Example], fold: int) -> list[Chances]:
    reader = learned([text for at, text in enumerate(texts) if _fold(at) != fold])
    return [tagged(reader, text) for at, text in enumerate(texts) if _fold(at) == fold]


def _fold(at: int) -> int:
    """Lines that stand together may be alike: they are in one fold."""
    return at // NEIGHBOURS % FOLDS


def quality(texts: list[Example], found: list[Chances]) -> dict[PrivateKind, Quality]:
    """How well each kind was found in the texts in which it was looked for."""
    return {kind: _quality(kind, texts, found) for kind in KINDS}


def _quality(kind: PrivateKind, texts: list[Example], found: list[Chances]) -> Quality:
    asked = [(t, spans[kind]) for t, spans in zip(texts, found, strict=True) if kind in t.kinds]
    told = covered = false = 0
    for text, said in asked:
        wanted = [(thing.begin, thing.end) for thing in text.told if thing.kind == kind]
        inside = {at for span in said for at in range(*span)}
        told += len(wanted)
        covered += sum(
            all(at in inside for at in range(*span) if text.text[at].isalnum()) for span in wanted
        )
        false += sum(not any(a < d and c < b for c, d in wanted) for a, b in said)
    return Quality(len(asked), told, covered, false)


def _wanted(text: Example, row: list[Piece]) -> Tensor:
    """1 where a piece lies in a private thing of a kind: shape (pieces, kinds)."""
    wanted = torch.zeros(len(row), len(KINDS))
    for told in text.told:
        if told.kind in KINDS:
            inside = [piece.begin < told.end and told.begin < piece.end for piece in row]
            wanted[torch.tensor(inside, dtype=torch.bool), KINDS.index(told.kind)] = 1
    return wanted


def _asked(text: Example) -> Tensor:
    """1 for the kinds that were looked for in the text: shape (kinds,)."""
    return torch.tensor([float(kind in text.kinds) for kind in KINDS])


@torch.no_grad()
def tagged(reader: Reader, text: Example) -> Chances:
    """What the reader finds in a text."""
    row = pieces(text.text)[:WINDOW]
    logits: Numbers = reader([row])[0].numpy() if row else np.zeros((0, len(KINDS)), np.float32)
    said = dict(by_run(row, logits)) if row else {}
    return spans(text.text, row, said, Privacy())


def save(reader: Reader, data: str) -> Path:
    """Writes what was learned, matrices in eight bits. `data` names what it learned from."""
    changes = of_layers(reader.body) | small("output", reader.output.weight)
    changes["output.b"] = plain(reader.output.bias)
    return keep(CHANGES, data, changes)
