"""What keeps two texts from ever being the same: other numbers, names, times, or another order."""

from ledger.merging.pairing import Pair
from ledger.merging.reading import Reading
from ledger.merging.types import Reason


def difference(pair: Pair) -> Reason | None:
    """The first guard that holds, or None. One that says more than the other differs as well."""
    if _numbers_differ(pair.old.numbers, pair.new.numbers) or _reordered(pair, _numbers(pair)):
        return Reason.NUMBERS_DIFFER
    if _names_differ(pair) or _reordered(pair, pair.old.names | pair.new.names):
        return Reason.NAMES_DIFFER
    if pair.old.times != pair.new.times or _reordered(pair, pair.old.times):
        return Reason.DATES_DIFFER
    if pair.other_subject and not _about_the_same(pair):
        return Reason.SUBJECTS_DIFFER
    if pair.apart:
        return Reason.OTHER_OBJECT
    if pair.opposed:
        return Reason.INCOMPATIBLE_VALUES
    return Reason.NEGATION_DIFFERS if _negates_another(pair) else None


def _numbers_differ(old: frozenset[tuple[str, str]], new: frozenset[tuple[str, str]]) -> bool:
    """Whether one has a number without its like. A unit that is left out may be any unit."""

    def known(number: tuple[str, str], others: frozenset[tuple[str, str]]) -> bool:
        value, unit = number
        return any(v == value and (u == unit or not u or not unit) for v, u in others)

    return not (all(known(n, new) for n in old) and all(known(n, old) for n in new))


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


def _about_the_same(pair: Pair) -> bool:
    return not pair.gone and not pair.come


def _negates_another(pair: Pair) -> bool:
    """Whether the same words are denied in another place: "likes A, not B", "likes B, not A"."""
    old = pair.old.words
    repeats = len(set(old)) < len(old)
    mixed = pair.old.negated or pair.old.stance == -1
    return repeats and mixed and _about_the_same(pair) and old != pair.new.words
