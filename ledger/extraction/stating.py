"""Whether a piece says that something is so, or that it is not: polarity."""

from ledger.extraction.language import cues, heard
from ledger.extraction.reading import Reading
from ledger.polarity import negated, stance
from ledger.voices import has_words


def polarity(reading: Reading, claims: bool) -> int:
    """1 or -1. Of a slot its own words tell it, for other clauses say other things; without a slot
    the stance of the words, else what the main clauses say: others deny things beside it. What is
    not said to be so denies nothing."""
    found = reading.found
    if found is not None and not claims:
        return -1
    if found is not None:
        start = reading.piece.span[0]
        own = reading.text[max(0, found.span[0] - start) : found.span[1] - start]
        return stance(own) or (-1 if negated(own) else 1)
    if not has_words(reading.asserted):
        return 1
    return stance(reading.asserted) or (-1 if _denies(reading) else 1)


def _denies(reading: Reading) -> bool:
    """Whether its main clause does, and so does the one after a "but"."""
    (contrast,) = cues("contrast")
    mains = [main for part in contrast.split(reading.asserted) if (main := _main_clause(part))]
    return bool(mains) and all(negated(main) for main in mains)


def _main_clause(words: str) -> str:
    """The first clause that has the speaker in it, else the first: the others hang on it."""
    (hung_on,) = cues("hung_on")
    clauses = [clause for clause in hung_on.split(words) if clause.strip()]
    own = (clause for clause in clauses if heard("first_person", clause))
    return next(own, clauses[0] if clauses else "")
