"""Two texts side by side: what they share, what each has alone, and where they differ."""

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from ledger.merging import grammar
from ledger.merging.amounts import accepts, amount, offers
from ledger.merging.denials import agree, differ
from ledger.merging.reading import Reading, read

LONGEST_HAN_WORD = 4
DENYING = ("un", "dis", "in", "im", "ir", "non", "non-")


@dataclass(frozen=True)
class Pair:
    """An old and a new text. `gone` are the old one's words alone, `come` the new one's alone.

    Without their common beginning (`head`) and end (`tail`), `old_part` and `new_part` are left.
    """

    old: Reading
    new: Reading
    shared: tuple[str, ...]
    gone: tuple[str, ...]
    come: tuple[str, ...]
    head: tuple[str, ...]
    tail: tuple[str, ...]
    old_part: tuple[str, ...]
    new_part: tuple[str, ...]

    @property
    def overlap(self) -> float:
        """Share of the shorter text's content words that the other has too, 0 to 1."""
        shorter = min(len(self.old.words), len(self.new.words))
        return len(self.shared) / shorter if shorter else 0.0

    @property
    def other_subject(self) -> bool:
        return bool(self.old.subject and self.new.subject and self.old.subject != self.new.subject)

    @property
    def one_object(self) -> bool:
        """Whether the texts have one frame and differ in one stretch of it."""
        same = set(self.old_part) & set(self.new_part)
        framed = self.head or self.tail or (self.old.subject and self.new.subject)
        parts = self.old_part and self.new_part
        return bool(framed and parts and (not same or self._one_name(same)))

    def _one_name(self, same: set[str]) -> bool:
        """Whether the parts are short Chinese words that merely share characters: 小李, 李工."""
        parts = (*self.old_part, *self.new_part)
        short = max(len(self.old_part), len(self.new_part)) <= LONGEST_HAN_WORD
        return short and all(len(word) == 1 and not word.isascii() for word in (*parts, *same))

    @property
    def exchanged(self) -> bool:
        """Whether words were exchanged in one frame, in one place or more: not a paraphrase.

        Then the shared words stand in one order, and where the texts differ both have words.
        """
        if not (self.gone and self.come):
            return False
        gaps = zip(
            _gaps(self.old.words, self.shared), _gaps(self.new.words, self.shared), strict=True
        )
        return self._in_order() and all(bool(old) == bool(new) for old, new in gaps)

    def _in_order(self) -> bool:
        return _kept(self.old.words, self.shared) == _kept(self.new.words, self.shared)

    @cached_property
    def restated(self) -> bool:
        """Whether one denies the opposite of what the other says: not open, closed."""
        denied = self.old.negated or self.new.negated
        return denied and agree(self.old.low, self.new.low)

    @property
    def opposed(self) -> bool:
        """Whether one has a word whose opposite the other has; only one of them can hold."""
        if self.restated:
            return False
        prefixed = _prefixed(self.gone, self.come) or _prefixed(self.come, self.gone)
        denied = self.old.negated or self.new.negated
        stated = not denied and differ("exclusive", self.old.low, self.new.low)
        return prefixed or stated or self._has_opposites("opposites")

    @property
    def apart(self) -> bool:
        """Whether one has a word that makes it another thing than the other: son, daughter."""
        named = self._has_opposites("apart") or differ("apart", self.old.low, self.new.low)
        return named and not self.restated

    def _has_opposites(self, name: str) -> bool:
        opposites, come = grammar.opposites(name), set(self.come)
        return any(opposites.get(word, frozenset()) & come for word in self.gone)


def paired(old: str, new: str) -> Pair:
    """Puts two texts side by side, in time linear in their length."""
    one, two = read(old), read(new)
    new_words = _in_old_units(one, two)
    a, b = Counter(one.words), Counter(new_words)
    head = _common(one.words, new_words)
    rest_a, rest_b = one.words[head:], new_words[head:]
    tail = _common(rest_a[::-1], rest_b[::-1])
    return Pair(
        old=one,
        new=replace(two, words=new_words),
        shared=tuple((a & b).elements()),
        gone=tuple((a - b).elements()),
        come=tuple((b - a).elements()),
        head=one.words[:head],
        tail=rest_a[len(rest_a) - tail :],
        old_part=rest_a[: len(rest_a) - tail],
        new_part=rest_b[: len(rest_b) - tail],
    )


def _kept(words: tuple[str, ...], shared: tuple[str, ...]) -> list[str]:
    """The words that are shared, in the text's order and as often as both have them."""
    left = Counter(shared)
    kept = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept


def _gaps(words: tuple[str, ...], shared: tuple[str, ...]) -> list[int]:
    """How many words of its own the text has before, between and after the shared ones."""
    left, gaps = Counter(shared), [0]
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            gaps.append(0)
        else:
            gaps[-1] += 1
    return gaps


def _prefixed(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether a word of one is a word of the other with a prefix that denies it: unhappy."""
    denied = {
        grammar.stemmed_group(word.removeprefix(prefix))
        for word in others
        for prefix in DENYING
        if word.startswith(prefix)
    }
    return not denied.isdisjoint(some)


def _in_old_units(old: Reading, new: Reading) -> tuple[str, ...]:
    """The new words, where an amount that the old text has too is written as there."""
    amounts = {word: known for word in old.words if (known := amount(word))}
    written = {mark: word for word, known in amounts.items() for mark in offers(known)}

    def like_old(word: str) -> str:
        found = None if word in amounts else amount(word)
        return next((written[m] for m in accepts(found) if m in written), word) if found else word

    return tuple(map(like_old, new.words))


def _common(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    """How many words two texts have in common at the beginning."""
    return sum(1 for _ in takewhile(lambda both: both[0] == both[1], zip(a, b, strict=False)))
