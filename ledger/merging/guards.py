"""What keeps two texts from ever being the same: other numbers, names, times, or another order."""

from ledger.merging import grammar
from ledger.merging.amounts import accepts, amount, offers
from ledger.merging.pairing import Pair
from ledger.merging.reading import Reading
from ledger.merging.types import Reason
from ledger.polarity import compiled

# The speaker to whom something is done.
TO_SPEAKER = compiled(r"\b(?:me|us)\b|(?<=[\u3400-\u9fff])(?<!是)我")
# The subject of a text in which the speaker speaks of themselves.
SPEAKER = "speaker"


def difference(pair: Pair) -> Reason | None:
    """The first guard that holds, or None. One that says more than the other differs as well."""
    if _numbers_differ(pair.old, pair.new) or _reordered(pair, _numbers(pair)):
        return Reason.NUMBERS_DIFFER
    if _names_differ(pair) or _other_roles(pair):
        return Reason.NAMES_DIFFER
    if pair.old.times != pair.new.times or _reordered(pair, pair.old.times):
        return Reason.DATES_DIFFER
    if pair.other_subject and not (_alike(pair) or _converse(pair)):
        return Reason.SUBJECTS_DIFFER
    if pair.apart or _compares_otherwise(pair):
        return Reason.OTHER_OBJECT
    if pair.opposed:
        return Reason.INCOMPATIBLE_VALUES
    return Reason.NEGATION_DIFFERS if _negates_another(pair) else None


def _numbers_differ(old: Reading, new: Reading) -> bool:
    """Whether one has a number without its like."""
    return not (_all_known(old, new) and _all_known(new, old))


def _all_known(reading: Reading, other: Reading) -> bool:
    amounts = (*other.numbers, *filter(None, map(amount, other.words)))
    offered = {mark for known in amounts for mark in offers(known)}
    return all(accepts(number) & offered for number in reading.numbers)


def _numbers(pair: Pair) -> frozenset[str]:
    return frozenset(f"{value}|{unit}" for value, unit in pair.old.numbers)


def _names_differ(pair: Pair) -> bool:
    """Spelling decides nothing here: a name may be written small in the other text."""
    old, new = set(pair.old.words), set(pair.new.words)
    return bool(pair.old.names - new or pair.new.names - old)


def _reordered(pair: Pair, watched: frozenset[str]) -> bool:
    """Whether the watched words stand in another order: "from A to B", "from B to A"."""

    def order(reading: Reading) -> list[str]:
        return [word for word in reading.words if word in watched]

    old, new = order(pair.old), order(pair.new)
    return len(set(old)) > 1 and old != new and sorted(old) == sorted(new)


def _other_roles(pair: Pair) -> bool:
    """Whether names stand in another order, unless one puts the sentence into the passive."""
    turned = _both_or_one("passive", pair) == 1
    return not turned and _reordered(pair, pair.old.names | pair.new.names)


def _compares_otherwise(pair: Pair) -> bool:
    """Whether the same words are compared the other way round: tea to coffee, coffee to tea."""
    return _both_or_one("comparing", pair) == 2 and _reordered(pair, frozenset(pair.shared))


def _both_or_one(frame: str, pair: Pair) -> int:
    """How many of the two texts have one of these frames."""
    return sum(grammar.frame(frame).search(side.low) is not None for side in (pair.old, pair.new))


def _about_the_same(pair: Pair) -> bool:
    return not pair.gone and not pair.come


def _alike(pair: Pair) -> bool:
    """Whether the words are the same, and who does it to whom: not so in "I owe my brother money"
    and "my brother owes me money"."""
    to_speaker = any(TO_SPEAKER.search(side.low) for side in (pair.old, pair.new))
    swapped = to_speaker and _reordered(pair, frozenset(pair.shared))
    return _about_the_same(pair) and not swapped


def _converse(pair: Pair) -> bool:
    """Whether one says of a relative what the other says of the speaker, in other words: I look
    up to my brother, my brother is my hero."""
    who = {pair.old.subject, pair.new.subject} - {SPEAKER}
    return len(who) == 1 and who <= set(pair.shared) and bool(pair.gone and pair.come)


def _negates_another(pair: Pair) -> bool:
    """Whether the same words are denied in another place: "likes A, not B", "likes B, not A"."""
    old = pair.old.words
    repeats = len(set(old)) < len(old)
    mixed = pair.old.negated or pair.old.stance == -1
    return repeats and mixed and _about_the_same(pair) and old != pair.new.words
