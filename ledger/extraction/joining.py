"""Sentences that cannot be understood alone go with the piece before them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ledger.extraction.clauses import Piece, Span


@dataclass(frozen=True)
class Part:
    """What becomes one draft: a piece that tells what it is, and the span of all its words."""

    piece: Piece
    span: Span


def joined(plain: str, pieces: Iterable[Piece], longest: int) -> list[Part]:
    """The pieces, in order; one that leans on the piece just before it goes with that.

    No part is longer than `longest` characters for it.
    """
    parts: list[Part] = []
    for piece in pieces:
        if parts and piece.leans and not piece.act and _follows(plain, parts[-1], piece, longest):
            parts[-1] = replace(parts[-1], span=(parts[-1].span[0], piece.span[1]))
        else:
            parts.append(Part(piece, piece.span))
    return parts


def _follows(plain: str, part: Part, piece: Piece, longest: int) -> bool:
    gap = plain[part.span[1] : piece.sentence[0]]
    return not any(map(str.isalnum, gap)) and piece.span[1] - part.span[0] <= longest
