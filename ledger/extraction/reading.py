"""A piece as the later steps read it: its words, its slot, its dates."""

from dataclasses import dataclass

from ledger.dates import Dated, find_dates
from ledger.drafts import Said
from ledger.extraction.language import heard
from ledger.extraction.slots import Found

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
    found: Found | None
    dates: tuple[Dated, ...]

    def hears(self, name: str) -> bool:
        """Whether the cue stands in the piece."""
        return heard(name, self.plain) is not None

    def states(self, name: str) -> bool:
        """Whether the cue stands in what the piece states, before a question at its end."""
        asked = heard("tail_question", self.plain)
        return heard(name, self.plain[: asked.start()] if asked else self.plain) is not None

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
        return read(self.said, self.text[match.end() :], self.plain[match.end() :], None)

    def is_ahead(self, date: Dated) -> bool:
        """Whether the date is still to come, or its day has begun and something is planned."""
        now = date.begins <= self.said.at and (date.ends is None or self.said.at < date.ends)
        return date.begins > self.said.at or (now and self.hears("planned"))

    def is_not_over(self, date: Dated) -> bool:
        """Whether some of the date is still to come."""
        return date.ends is None or date.ends > self.said.at


def read(said: Said, text: str, plain: str, found: Found | None) -> Reading:
    """A piece of what was said, with the dates in it; "now" is none."""
    dates = tuple(date for date in find_dates(text, said.at, said.zone) if date.rule != NOW)
    return Reading(said=said, text=text, plain=plain, found=found, dates=dates)
