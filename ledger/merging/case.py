"""One comparison, as the rules and the judge see it."""

from ledger.merging.guards import difference
from ledger.merging.pairing import Pair, paired
from ledger.merging.types import Compared
from ledger.polarity import folded
from ledger.policy.merging import Merging

EVENT = "event"


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
        self.same_attribute = bool(new.attribute) and new.attribute == old.attribute
        self.guard = difference(self.pair)
        self.event = old.kind == EVENT or self.pair.old.event

    @property
    def opposite(self) -> bool:
        """One is for what the other is against, or one denies what the other says."""
        old, new = self.pair.old, self.pair.new
        both = old.stance is not None and new.stance is not None
        return old.sign != new.sign and (both or old.negated != new.negated)

    @property
    def related(self) -> bool:
        overlaps = self.pair.overlap >= self.policy.overlap_from
        return self.same_attribute or overlaps or self.similarity >= self.related_from

    @property
    def tense_differs(self) -> bool:
        """Whether one has happened and the other holds or will be."""
        old, new = self.pair.old, self.pair.new
        return old.event != new.event or old.future != new.future

    @property
    def values_differ(self) -> bool:
        old, new = self.old.value, self.new.value
        return old is not None and new is not None and folded(old).split() != folded(new).split()

    @property
    def values_side_by_side(self) -> bool:
        """Whether an attribute of many values has another one: both hold."""
        return self.same_attribute and not self.new.single_valued and self.values_differ
