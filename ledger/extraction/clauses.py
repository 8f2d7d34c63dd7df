"""Pieces: a sentence cut where it holds separate facts, and without greetings at its ends."""

import re
from dataclasses import dataclass
from itertools import pairwise

from ledger.extraction.language import heard
from ledger.extraction.slots import Found, find_slots

# Where one fact may end and the next begin.
_JOINT = re.compile(r"[,;、]\s*|\s+(?:and|but|so|also|where)\s+", re.IGNORECASE)
_EDGE = " \t\r\n,，、;；:："


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What becomes one draft: a span of the text, and the slot that it fills, if any."""

    span: tuple[int, int]
    found: Found | None


def pieces(plain: str, start: int, end: int) -> list[Piece]:
    """The sentence plain[start:end) as pieces that do not overlap; at least one.

    Each clause that fills a slot begins a piece, and the clauses after it belong to it, so that
    nothing is stored twice. Left out are greetings, courtesies and questions at the ends, and the
    "and" between two pieces.
    """
    found = _separate(plain, find_slots(plain, start, end))
    cuts = [start, *(_begin(plain, one, before) for before, one in pairwise(found)), end]
    spans = pairwise(cuts)
    fills: list[Found | None] = [*found] or [None]
    made = [
        Piece(span=_trimmed(plain, span, one), found=one)
        for span, one in zip(spans, fills, strict=True)
    ]
    whole = Piece(span=(start, end), found=None)
    return [piece for piece in made if piece.span[0] < piece.span[1]] or [whole]


def _separate(plain: str, found: list[Found]) -> list[Found]:
    """Without those that stand in one clause with the one before and cannot be cut from it."""
    kept: list[Found] = []
    for one in found:
        if not kept or _begin(plain, one, kept[-1]) > 0:
            kept.append(one)
    return kept


def _begin(plain: str, one: Found, before: Found) -> int:
    """Where the piece of `one` begins, after the slot `before` it; -1 if there is no such place."""
    joints = list(_JOINT.finditer(plain, before.span[1] - 1, one.span[0] + 1))
    if joints:
        return joints[-1].end() if joints[-1].end() <= one.span[0] else joints[-1].start()
    glued = plain[before.span[1] : one.span[0]].strip() == ""
    return one.span[0] if glued and _is_han(plain, one.span[0]) else -1


def _is_han(plain: str, at: int) -> bool:
    return "\u4e00" <= plain[at : at + 1] <= "\u9fff"


def _trimmed(plain: str, span: tuple[int, int], found: Found | None) -> tuple[int, int]:
    """The span without what says nothing at its ends; never into the slot, never all of it."""
    start, end = span
    first = found.span[0] if found else end
    last = found.span[1] if found else end
    for name in ("greeting", "connector") if found else ("greeting",):
        match = heard(name, plain[start:end])
        if match and match.start() == 0 and start + match.end() < min(end, first + 1):
            start += match.end()
    # A question alone is what was said; after a fact it is no part of the fact.
    for name in ("joined", "courtesy", "tail_question") if found else ("joined", "courtesy"):
        match = heard(name, plain[start:end])
        if match and match.start() > 0 and (found is None or start + match.start() >= last):
            end = start + match.start()
    return _without_edge(plain, start, end)


def _without_edge(plain: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (plain[start] in _EDGE or plain[start].isspace()):
        start += 1
    while start < end and (plain[end - 1] in _EDGE or plain[end - 1].isspace()):
        end -= 1
    return start, end
