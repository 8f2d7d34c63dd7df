"""What a memory's words show of themselves, pure; stored with the index, since the words are not.

And the second text of a memory that is encoded: what was said before it, and it.
"""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from ledger.dates import find_dates
from recall.chunks import SENTENCE, WINDOW, cost
from recall.terms import terms_of

# The second is the full-width one.
QUESTION_MARKS = ("?", "\uff1f")


@dataclass(frozen=True)
class Traits:
    """`asking` is the share (0 to 1) of the text that is in questions; `length` counts terms."""

    asking: float
    holds_time: bool
    length: int


def traits_of(text: str, at: datetime, zone: tzinfo) -> Traits:
    """The traits of a memory that was said at the moment `at` in that zone."""
    sentences = [sentence.strip() for sentence in SENTENCE.findall(text)]
    asked = sum(len(s) for s in sentences if s.endswith(QUESTION_MARKS))
    return Traits(
        asking=asked / max(1, sum(map(len, sentences))),
        holds_time=bool(find_dates(text, at, zone)),
        length=len(terms_of(text)),
    )


def in_context(previous: str, text: str) -> str:
    """The end of the previous memory of the session, a newline, and this one.

    As many of the previous one's last sentences as fit the encoder's window beside the text. Empty
    where none does: then the text's own vector says as much.
    """
    left = WINDOW - cost(text)
    kept: list[str] = []
    for sentence in reversed(SENTENCE.findall(previous)):
        left -= cost(sentence)
        if left < 0:
            break
        kept.append(sentence)
    before = "".join(reversed(kept)).strip()
    return f"{before}\n{text}" if before else ""
