"""A piece as the later steps read it: its words, its slot, its dates."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ledger.dates import Dated, find_dates
from ledger.drafts import Said
from ledger.extraction.clauses import Piece, Span
from ledger.extraction.language import heard, plain
from ledger.extraction.slots import STATE, TIMELESS, WAS, Found
from ledger.voices import hearsay, merged, others, unasserted, without

# Characters before a date in which the word stands that says how it is meant ("by", "since").
CUE_LENGTH = 24
# Characters at the end of a date's own words that can be such a word: 以前, 开始.
CLOSING_LENGTH = 2
# The rule of ledger.dates that reads words for the moment of speaking.
NOW = "now"


@dataclass(frozen=True, kw_only=True)
class Reading:
    """One piece. `text` is as it was said, `plain` the same for patterns, dates lie in `text`."""

    said: Said
    text: str
    plain: str
    piece: Piece
    dates: tuple[Dated, ...]

    @property
    def found(self) -> Found | None:
        """The slot that it fills first."""
        return self.piece.found

    def value(self, found: Found | None) -> str | None:
        """The words of the text that fill a slot of the piece."""
        if found is None or found.value is None:
            return None
        start, end = found.value
        return self.text[start - self.piece.span[0] : end - self.piece.span[0]]

    @cached_property
    def own(self) -> str:
        """Plain text of the same length without words of others."""
        return self._without(others(plain(self.said.text), self.said.speaker))

    @cached_property
    def asserted(self) -> str:
        """Plain text of the same length without what the speaker does not say to be so: what
        stands under an "if", and what others say."""
        text = plain(self.said.text)
        return self._without(merged([*unasserted(text, self.said.speaker), *hearsay(text)]))

    @property
    def is_of_others(self) -> bool:
        """Whether it has words of others, and none in which the speaker tells of themselves."""
        return self.own != self.plain and heard("first_person", self.own) is None

    def _without(self, spans: Sequence[Span]) -> str:
        end = self.piece.span[1]
        return without(self.plain, spans, end - len(self.plain))

    def hears(self, name: str) -> bool:
        """Whether the cue stands in the piece, in words of its own."""
        return heard(name, self.own) is not None

    def states(self, name: str) -> bool:
        """Whether the cue stands in what the piece states, before a question at its end."""
        asked = heard("tail_question", self.own)
        return heard(name, self.own[: asked.start()] if asked else self.own) is not None

    def before(self, name: str, date: Dated) -> bool:
        """Whether the cue stands just before the date, or opens the date's own words."""
        lead = self.plain[max(0, date.start - CUE_LENGTH) : date.start]
        opening = self.plain[date.start : date.end].split(" ", 1)[0]
        return heard(name, lead) is not None or heard(name, opening) is not None

    def after(self, name: str, date: Dated) -> bool:
        """Whether the cue stands just after the date, or closes the date's own words."""
        starts = range(max(date.start, date.end - CLOSING_LENGTH), date.end + 1)
        return any(heard(name, self.plain[start : date.end + CUE_LENGTH]) for start in starts)

    def behind(self, name: str) -> "Reading | None":
        """What stands behind the cue, read anew: of "I promised to call on Sunday" the first verb
        is past, and the Sunday is not."""
        match = heard(name, self.plain)
        if match is None or match.end() == 0:
            return None
        by = match.end()
        text = self.text[by:]
        dates = find_dates(text, self.said.at, self.said.zone)
        bare = replace(self.piece, span=(self.piece.span[0] + by, self.piece.span[1]), found=None)
        return replace(
            self, text=text, plain=self.plain[by:], piece=bare, dates=tuple(_told(dates))
        )

    def is_ahead(self, date: Dated) -> bool:
        """Whether the date is still to come, or its day has begun and something is planned."""
        now = date.begins <= self.said.at and (date.ends is None or self.said.at < date.ends)
        return date.begins > self.said.at or (now and self.hears("planned"))

    def is_not_over(self, date: Dated) -> bool:
        """Whether some of the date is still to come."""
        return date.ends is None or date.ends > self.said.at


def all_dates(said: Said, span: Span) -> list[Dated]:
    """The dates of a sentence, their places in the whole text."""
    found = find_dates(said.text[slice(*span)], said.at, said.zone)
    return [replace(one, start=one.start + span[0], end=one.end + span[0]) for one in found]


def dates_of(piece: Piece, siblings: Sequence[Piece], dates: Sequence[Dated]) -> tuple[Dated, ...]:
    """The dates of one piece of a sentence, their places in the piece; "now" is none.

    One without a date has that of the piece before it: 去年我住在北京，在百度工作. Its place is
    then the beginning, without a width.
    """
    start, end = piece.span
    own = [date for date in dates if start <= date.start < end]
    if own:
        return tuple(
            replace(date, start=date.start - start, end=min(date.end, end) - start)
            for date in _told(own)
        )
    before = [date for date in dates if date.start < start]
    holders = [one for one in siblings if before and one.span[0] <= before[-1].start < one.span[1]]
    if not holders or not _carries(holders[-1], piece):
        return ()
    return tuple(replace(date, start=0, end=0) for date in _told(before[-1:]))


def _told(dates: Sequence[Dated]) -> list[Dated]:
    return [date for date in dates if date.rule != NOW]


def _carries(holder: Piece, piece: Piece) -> bool:
    """Whether a date goes on: not one that is a value, and no change's into what holds anyhow."""
    states = (STATE, WAS)
    if holder.found and holder.found.time == TIMELESS:
        return False
    if piece.found is None or piece.found.how not in states:
        return True
    return holder.found is not None and holder.found.how in states
