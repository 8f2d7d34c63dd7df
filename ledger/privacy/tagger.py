"""Finds what is private by what is said around it, where its shape alone does not tell.

The bundled multilingual encoder (Wang et al. 2024, "Multilingual E5 Text Embeddings") with changes
and a conclusion for each piece that are learned from labelled sentences (training.py).
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from ledger.bundled.changes import changed_network, full, kept_changes
from ledger.bundled.network import Network
from ledger.bundled.weights import Numbers, bundle
from ledger.once import Once
from ledger.policy.privacy import Action, Privacy, PrivateKind
from ledger.privacy.findings import GUESSED, Finding
from ledger.privacy.pieces import Piece, pieces, windows
from ledger.privacy.reading import HAN, HIDDEN, KEY_BLOCK, alternatives, words

CHANGES = Path(__file__).with_name("tagger.npz")
# In the order of what the network concludes.
KINDS = (
    PrivateKind.PASSWORD,
    PrivateKind.ADDRESS,
    PrivateKind.PASSPORT,
    PrivateKind.PHONE,
    PrivateKind.SECRET,
)
READ = "read in its sentence"
# What may lie between two parts of one thing, and what any such thing has.
_JOINTS = dict.fromkeys(KINDS, re.compile(" ?")) | {
    PrivateKind.ADDRESS: re.compile(rf"\s{{0,4}}|[{HAN}]{{1,2}}"),
    PrivateKind.SECRET: re.compile(""),
}
_SHAPES = {
    PrivateKind.PASSWORD: re.compile(r"(?!.*[*•●]{3}).*[^\W_]", re.DOTALL),
    PrivateKind.ADDRESS: re.compile(r".{5}", re.DOTALL),
    PrivateKind.PASSPORT: re.compile(r"(?:\D*\d){5}"),
    PrivateKind.PHONE: re.compile(r"(?:\D*\d){7}"),
    PrivateKind.SECRET: re.compile(r"\S{8}"),
}
# Of these, what is glued to a word may belong to it: the rest of a Chinese phrase or building.
_GROWING = (PrivateKind.PASSWORD, PrivateKind.ADDRESS)
_EDGES = " \t\n,.;:。、\"'`“”"


@dataclass(frozen=True, eq=False)
class Tagger:
    """The changed encoder, and what it concludes with: shape (kinds, width), (kinds,)."""

    network: Network
    output: tuple[Numbers, Numbers]

    def logits(self, window: list[Piece]) -> Numbers:
        """How each piece speaks for each of KINDS: shape (pieces, kinds)."""
        kept = bundle()
        states = self.network.states([kept.start, *(p.id for p in window), kept.end])[1:-1]
        result: Numbers = states @ self.output[0].T + self.output[1]
        return result


@Once
def tagger() -> Tagger:
    """The encoder with its changes, once per process."""
    changes = kept_changes(CHANGES)
    output = (full(changes, "output"), changes["output.b"])
    return Tagger(changed_network(changes), output)


Span = tuple[int, int]  # the characters [begin, end)
Chances = dict[PrivateKind, dict[Span, float]]  # how likely (0 to 1) the likeliest word of each is


def find(reading: str, privacy: Privacy) -> list[Finding]:
    """What is read in a text in half-width forms, of the kinds that are not kept."""
    kinds = [kind for kind in KINDS if privacy.actions[kind] is not Action.KEEP]
    if privacy.least_score > GUESSED or not kinds:
        return []
    told = read_private(reading, privacy)
    return [
        Finding(kind, *span, READ, GUESSED, chance)
        for kind in kinds
        for span, chance in told[kind].items()
    ]


def read_private(reading: str, privacy: Privacy) -> Chances:
    """What is private in a text in half-width forms, in order."""
    reading = _told_otherwise().sub(lambda match: HIDDEN * len(match[0]), reading)
    read = pieces(reading)
    said: dict[int, Numbers] = {}
    for window in windows(reading, read):
        for run, logits in by_run(window, tagger().logits(window)):
            said[run] = np.maximum(said.get(run, logits), logits)
    return spans(reading, read, said, privacy)


@cache
def _told_otherwise() -> re.Pattern[str]:
    """What is no matter of reading: keys in blocks, and figures of speech."""
    return re.compile(f"{KEY_BLOCK.pattern}|{alternatives(words('figures_of_speech.txt'))}")


def by_run(window: list[Piece], logits: Numbers) -> Iterator[tuple[int, Numbers]]:
    """The runs of a window, each with what its pieces say on average: shape (kinds,)."""
    runs = np.array([piece.run for piece in window])
    borders = np.flatnonzero(np.diff(runs, prepend=-1, append=-1))
    means = np.add.reduceat(logits, borders[:-1]) / np.diff(borders)[:, None]
    for start, mean in zip(borders, means, strict=False):
        yield window[start].run, mean


def spans(reading: str, read: list[Piece], said: dict[int, Numbers], privacy: Privacy) -> Chances:
    """The runs that are likely enough private, those that belong together as one."""
    heard = _by_span(read, said)
    return {
        kind: {
            span: chance
            for (begin, end), chance in _joined(reading, _likely(heard, kind, privacy), kind)
            if _SHAPES[kind].match(reading, *(span := _trimmed(reading, begin, end)))
        }
        for kind in KINDS
    }


def _by_span(read: list[Piece], said: dict[int, Numbers]) -> dict[Span, Numbers]:
    """What is said of runs, by where they begin and end: a window may have cut one."""
    extents: dict[int, Span] = {}
    for piece in read:
        begin, _ = extents.get(piece.run, (piece.begin, piece.end))
        extents[piece.run] = (begin, piece.end)
    return {extents[run]: logits for run, logits in said.items()}


def _likely(heard: dict[Span, Numbers], kind: PrivateKind, privacy: Privacy) -> dict[Span, float]:
    """How likely the runs are that are likely of the kind; glued to one of them, less will do."""
    order, at = sorted(heard), KINDS.index(kind)
    least = privacy.password_from if kind == PrivateKind.PASSWORD else privacy.read_from
    chances = {span: 1 / (1 + math.exp(-heard[span][at])) for span in order}
    likely = {span for span in order if chances[span] >= least}
    if kind in _GROWING:
        for runs in (pairwise(order), pairwise(reversed(order))):
            for one, other in runs:
                glued = one[1] == other[0] or other[1] == one[0]
                if one in likely and glued and chances[other] >= privacy.glued_from:
                    likely.add(other)
    return {span: chances[span] for span in order if span in likely}


def _joined(reading: str, runs: dict[Span, float], kind: PrivateKind) -> list[tuple[Span, float]]:
    whole: list[tuple[Span, float]] = []
    for (begin, end), chance in runs.items():
        if whole and _JOINTS[kind].fullmatch(reading, whole[-1][0][1], begin):
            (begin, _), before = whole.pop()
            chance = max(chance, before)
        whole.append(((begin, end), chance))
    return whole


def _trimmed(reading: str, begin: int, end: int) -> Span:
    said = reading[begin:end]
    return end - len(said.lstrip(_EDGES + "!?")), begin + len(said.rstrip(_EDGES))
