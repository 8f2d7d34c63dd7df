"""One comparison, as the rules and the judge see it."""

import re
from dataclasses import replace

from ledger.merging.guards import difference, uneven
from ledger.merging.pairing import Pair, paired
from ledger.merging.tenses import clash
from ledger.merging.types import Compared, Reason
from ledger.polarity import LIKES, folded, leaning, negated
from ledger.policy.merging import Merging
from ledger.voices import Span, cited, has_words, hearsay, merged, unasserted, without

EVENT = "event"
# Who speaks in each clause of a condition, and what says that it only would be so.
SPEAKS = re.compile(r"(?<![\w'])i(?!\w)|我", re.IGNORECASE)
WOULD_BE = re.compile(r"\b(?:will|would|could|might|won't)\b|'(?:ll|d)\b|会|将", re.IGNORECASE)
# Who speaks, before a statement's words.
SPEAKER = re.compile(r"([^:\n]{1,80}): ")


class Case:
    """Two statements side by side, under a policy. `similarity` is a cosine, -1 to 1."""

    def __init__(self, new: Compared, old: Compared, similarity: float, policy: Merging) -> None:
        self.new = new
        self.old = old
        self.pair: Pair = paired(old.text, new.text)
        self.similarity = similarity
        self.policy = policy
        han = self.pair.old.han or self.pair.new.han
        self.same_from = policy.same_from_han if han else policy.same_from
        self.related_from = policy.related_from_han if han else policy.related_from
        self.shared_from = policy.shared_from_han if han else policy.shared_from
        self.doubt_similar = policy.doubt_similar_han if han else policy.doubt_similar
        self.same_attribute = bool(new.attribute) and new.attribute == old.attribute
        speaker = _speaker(new, old)
        self.supposed = _supposed(new.text, speaker)
        self.voices_differ = _cites(new.text, speaker) != _cites(old.text, speaker)
        self.guard = difference(self.pair) or (
            Reason.SUBJECTS_DIFFER if self.voices_differ else None
        )
        self.event = old.kind == EVENT or self.pair.old.event

    def asserting(self) -> "Case | None":
        """The same without what the new one only cites or supposes; None if nothing is left."""
        text = without(self.new.text, self.supposed)
        asserted = replace(self.new, text=text, passage=None)
        return Case(asserted, self.old, self.similarity, self.policy) if has_words(text) else None

    @property
    def uneven(self) -> bool:
        """Whether the guard holds only because one text has what the other lacks."""
        return uneven(self.pair) and not self.voices_differ

    @property
    def opposite(self) -> bool:
        """One is for what the other is against, or one denies what the other says."""
        old, new = self.pair.old, self.pair.new
        both = old.stance is not None and new.stance is not None
        denied = old.negated != new.negated and not self.pair.restated
        return old.sign != new.sign and (both or denied)

    @property
    def contradicts(self) -> bool:
        """Whether one denies what the other says, or takes a stance that the other does not.

        A word may say what a negation says (closed, not open), or suggest a stance.
        """
        old, new = self.pair.old, self.pair.new
        if old.stance is not None and new.stance is not None:
            return old.stance != new.stance or self.half_denied
        if old.stance != new.stance and not self.pair.restated:
            return leaning(self.old.text) != leaning(self.new.text)
        return self.opposite

    @property
    def half_denied(self) -> bool:
        """Whether both are for something, and one denies something besides: tea, not coffee.

        Where both are against it, a negation may be how one says so.
        """
        old, new = self.pair.old, self.pair.new
        return old.stance == new.stance == LIKES and old.negated != new.negated

    @property
    def both_end(self) -> bool:
        """Whether both say of themselves, or deny, that something is so any more: both hold."""
        old, new = self.pair.old, self.pair.new
        denied = negated(self.old.text) and negated(self.new.text)
        own = old.subject != "" and old.subject == new.subject
        return old.moved_on and new.moved_on and old.negated and new.negated and (denied or own)

    @property
    def related(self) -> bool:
        return self.same_attribute or self._overlaps or self.similarity >= self.related_from

    @property
    def about_one_thing(self) -> bool:
        """Whether that is plain: what is doubtful between others is not worth a person's time."""
        return self.same_attribute or self._overlaps or self.similarity >= self.doubt_similar

    @property
    def _overlaps(self) -> bool:
        """One word that a short text shares with a long one may be any word; not so if that is all
        that one of them says."""
        all_of_one = not (self.pair.gone and self.pair.come)
        enough = all_of_one or len(self.pair.shared) >= self.shared_from
        return enough and self.pair.overlap >= self.policy.overlap_from

    @property
    def tense_differs(self) -> bool:
        """Whether one has happened and the other holds or will be."""
        old, new = self.pair.old, self.pair.new
        return old.event != new.event or old.future != new.future

    @property
    def tenses_clash(self) -> bool:
        """Whether they say one thing in two tenses; other words may have their own."""
        return clash(self.pair.old.low, self.pair.new.low)

    @property
    def values_differ(self) -> bool:
        old, new = self.old.value, self.new.value
        return old is not None and new is not None and folded(old).split() != folded(new).split()

    @property
    def values_side_by_side(self) -> bool:
        """Whether an attribute of many values has another one: both hold."""
        return self.same_attribute and not self.new.single_valued and self.values_differ


def _speaker(new: Compared, old: Compared) -> str:
    """Who speaks in both statements, where they say so ("Ann: I live in Oslo"); or empty."""
    one, other = SPEAKER.match(new.text), SPEAKER.match(old.text)
    return one[1] if one and other and one[1] == other[1] else ""


def _supposed(text: str, speaker: str) -> tuple[Span, ...]:
    """What a statement only cites or supposes, or has from others."""
    return merged([*unasserted(text, speaker), *hearsay(text)])


def _cites(text: str, speaker: str) -> bool:
    """Whether it has words of others, or only supposes. "If I run I am happy" says that it is so;
    without a clause that follows, or with one that says what would be, nothing is."""
    left = without(text, unasserted(text, speaker))
    nothing_left = has_words(text) and not has_words(left)
    holds = len(SPEAKS.findall(text)) > 1 and WOULD_BE.search(text) is None
    return bool(cited(text, speaker) or hearsay(text)) or (nothing_left and not holds)
