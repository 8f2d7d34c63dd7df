"""What keeps two texts from ever being the same: other numbers, names, times, or another order."""

from collections.abc import Iterable, Iterator

from ledger.merging import grammar
from ledger.merging.amounts import Amount, accepts, amount, offers
from ledger.merging.pairing import Pair
from ledger.merging.reading import Reading
from ledger.merging.types import Reason
from ledger.polarity import compiled

# The speaker to whom something is done.
TO_SPEAKER = compiled(r"\b(?:me|us)\b|(?<=[\u3400-\u9fff])(?<!是)我")
FIRST_WORD = compiled(r"\W*([a-z]+(?:'[a-z]+)?)")
# The subject of a text in which the speaker speaks of themselves.
SPEAKER = "speaker"


def difference(pair: Pair) -> Reason | None:
    """The first guard that holds, or None. One that says more than the other differs as well."""
    return next((reason for reason, _ in _differences(pair)), None)


def uneven(pair: Pair) -> bool:
    """Whether guards hold only because one of two texts in other words has a number, a name, a
    time or a person where the other has none: it may say more, or the same."""
    found = [only_more for _, only_more in _differences(pair)]
    return bool(found and pair.gone and pair.come) and all(found)


def _differences(pair: Pair) -> Iterator[tuple[Reason, bool]]:
    """The guards that hold, in order, each with whether one text only has more than the other."""
    old, new = pair.old, pair.new
    if _reordered(pair, _numbers(pair)):
        yield Reason.NUMBERS_DIFFER, False
    elif any(numbered := _numbers_alone(old, new)):
        yield Reason.NUMBERS_DIFFER, not all(numbered)
    if _other_roles(pair):
        yield Reason.NAMES_DIFFER, False
    elif any(named := _names_alone(pair)):
        other = new if named[0] else old
        yield Reason.NAMES_DIFFER, not all(named) and not _may_begin_with_name(other, pair)
    if _reordered(pair, old.times):
        yield Reason.DATES_DIFFER, False
    elif old.times != new.times:
        yield Reason.DATES_DIFFER, old.times < new.times or old.times > new.times
    yield from _persons(pair)
    if pair.apart or _compares_otherwise(pair):
        yield Reason.OTHER_OBJECT, False
    if pair.opposed:
        yield Reason.INCOMPATIBLE_VALUES, False
    if _negates_another(pair):
        yield Reason.NEGATION_DIFFERS, False


def _persons(pair: Pair) -> Iterator[tuple[Reason, bool]]:
    """Whether they are about two people, as _differences tells it."""
    if pair.other_subject and not (_alike(pair) or _converse(pair)):
        speaks = SPEAKER in {pair.old.subject, pair.new.subject}
        yield Reason.SUBJECTS_DIFFER, speaks and not _swapped(pair)


def _numbers_alone(old: Reading, new: Reading) -> tuple[bool, bool]:
    """Whether the old text has a number without its like, and the new one; if one has, whatever
    may stand for another in the other ("a year") counts as one."""
    alone = (not _all_known(old, new), not _all_known(new, old))
    return (alone[0] or _counts(old), alone[1] or _counts(new)) if any(alone) else alone


def _all_known(reading: Reading, other: Reading) -> bool:
    amounts = (*other.numbers, *_amounts(other))
    offered = {mark for known in amounts for mark in offers(known)}
    return all(accepts(number) & offered for number in reading.numbers)


def _counts(reading: Reading) -> bool:
    return bool(reading.numbers or _amounts(reading))


def _amounts(reading: Reading) -> list[Amount]:
    """What words stand for: a unit alone, "both"."""
    return [known for word in reading.words if (known := amount(word))]


def _numbers(pair: Pair) -> frozenset[str]:
    return frozenset(f"{value}|{unit}" for value, unit in pair.old.numbers)


def _names_alone(pair: Pair) -> tuple[set[str], set[str]]:
    """The names that only the old text has, and only the new one. Spelling decides nothing here: a
    name may be written small in the other text, and German is of Germany."""
    old, new = (_named(side.words) for side in (pair.old, pair.new))
    return _named(pair.old.names) - new, _named(pair.new.names) - old


def _may_begin_with_name(side: Reading, pair: Pair) -> bool:
    """Whether its first word is its own and no function word: all begin with a capital."""
    found = FIRST_WORD.match(side.low)
    own = {*pair.gone, *pair.come}
    return bool(
        found and found[1] not in grammar.stop_words() and side.words[:1] and side.words[0] in own
    )


def _named(words: Iterable[str]) -> set[str]:
    belonging = grammar.belonging()
    return {belonging.get(word, word) for word in words}


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
    return _about_the_same(pair) and not _swapped(pair)


def _swapped(pair: Pair) -> bool:
    """Whether something is done to the speaker, and the shared words stand in another order."""
    to_speaker = any(TO_SPEAKER.search(side.low) for side in (pair.old, pair.new))
    return to_speaker and _reordered(pair, frozenset(pair.shared))


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
