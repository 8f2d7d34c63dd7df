"""A text as the tagger sees it: pieces of the bundled encoder, in windows."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from ledger.bundled.weights import bundle
from ledger.privacy.reading import HAN, HIDDEN, PICTURES, any_of, has_han

# Pieces that are read at once, and by how many of them windows overlap.
WINDOW, OVERLAP = 254, 64
# What is read by itself: Chinese characters, what is typed without a blank, or a single sign that
# divides what is typed; also the option before a value that is glued to it, as in "-pS3cret".
_UNBROKEN = rf"[^\s,;:/=@'\"`()<>\[\]{{}}«»“”‘’「」『』【】《》。、？！{HIDDEN}{PICTURES}{HAN}]"
_OPTION = r"(?<!\S)-p(?=[^\s-]{4})"
_RUN = re.compile(rf"[{HAN}]++|{_OPTION}|{_UNBROKEN}++|[^\s{HIDDEN}]")
_ENDS = ".?!"  # of a sentence, and no part of what is typed before them


@dataclass(frozen=True)
class Piece:
    """An id of the encoder's, and the characters [begin, end) of the text that it stands for.

    The pieces of what is typed without a blank belong together: `run` is one number for all of
    them, and another one for each piece of Chinese.
    """

    id: int
    begin: int
    end: int
    run: int


def pieces(reading: str) -> list[Piece]:
    """The pieces of a text in half-width forms."""
    runs = list(_runs(reading))
    begun = [start == 0 or reading[start - 1].isspace() for start, _ in runs]
    texts = [f" {run}" if new else run for (_, run), new in zip(runs, begun, strict=True)]
    found: list[Piece] = []
    number = 0
    for (start, run), new, read in zip(runs, begun, bundle().pieces(texts), strict=True):
        number += 1
        chinese = has_han(run)
        for id_, begin, end in read:
            number += chinese
            if end > new:  # more than the blank
                at = start - new
                found.append(Piece(id_, max(start, at + begin), at + end, number))
    return found


def _runs(reading: str) -> Iterator[tuple[int, str]]:
    """Where each run begins, and what it is."""
    for match in _RUN.finditer(reading):
        typed = match[0].rstrip(_ENDS)
        if typed:
            yield match.start(), typed
        yield from enumerate(match[0][len(typed) :], match.start() + len(typed))


def windows(reading: str, found: list[Piece]) -> Iterator[list[Piece]]:
    """The stretches of the pieces in which something stands that a private thing may stand by."""
    cues = [match.start() for match in any_of("tells_of_private.txt").finditer(reading)]
    for at in range(0, max(1, len(found) - OVERLAP), WINDOW - OVERLAP):
        window = found[at : at + WINDOW]
        if window and bisect_left(cues, window[0].begin) < bisect_left(cues, window[-1].end):
            yield window
