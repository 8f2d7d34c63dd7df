"""Whether two texts give one verb in two tenses: what happened, what holds, what is to come."""

import re
from functools import cache, lru_cache

from ledger.merging import grammar
from ledger.merging.reading import CHANGED, HAN, READINGS_KEPT
from ledger.stems import stem

LATIN = re.compile(r"[a-z]+(?:'[a-z]+)?")
# How far behind a word for what is to come its verb begins, in characters.
REACH = 40

# What marks it, and the verb itself: ("worked", "work"), ("will", "work"), ("付", "付").
Verb = tuple[str, str]
# A word for what is done, before its verb.
DONE = re.compile("已经?")


def clash(one: str, other: str) -> bool:
    """Whether one of two folded texts has a verb as past or to come that the other has otherwise.

    >>> clash("i work at siemens", "i worked at siemens"), clash("i lost it", "it is missing")
    (True, False)
    """
    return any(_otherwise(*texts) for texts in ((one, other), (other, one)))


def _otherwise(marked: str, other: str) -> bool:
    verbs = frozenset() if _past(other) or CHANGED.search(other) else _past(marked)
    return _has_any(verbs if _ahead(other) else verbs | _ahead(marked), other)


def _has_any(verbs: frozenset[Verb], text: str) -> bool:
    """Whether a text has one of the verbs, in another form."""
    if not verbs:
        return False
    forms = set(LATIN.findall(text))
    words = set(map(_base, forms))
    return any(
        form not in forms and verb in words if verb.isascii() else verb in text
        for form, verb in verbs
    )


@lru_cache(READINGS_KEPT)
def _past(low: str) -> frozenset[Verb]:
    """The verbs of what has happened; of Chinese ones the last character."""
    found = set()
    for match in grammar.frame("events").finditer(low):
        words = LATIN.findall(match[0])
        if words:
            found.add((words[-1], _base(words[-1])))
        elif match[0] == "了":
            found |= _han_verb(low[max(match.start() - 1, 0) : match.start()])
        else:
            found |= _han_verb(DONE.sub("", match[0])[:1])
    return frozenset(found)


def _han_verb(character: str) -> set[Verb]:
    return {(character, character)} if HAN.match(character) else set()


@lru_cache(READINGS_KEPT)
def _ahead(low: str) -> frozenset[Verb]:
    """The verbs of what is to come or wished for; of Chinese ones the first character."""
    found = set()
    for name in ("future", "wishes"):
        for match in grammar.frame(name).finditer(low):
            rest = low[match.end() : match.end() + REACH].lstrip()
            words = (word for word in LATIN.findall(rest) if word not in _adverbs())
            verb = rest[:1] if HAN.match(rest) else _base(next(words, ""))
            found.add((match[0], verb))
    return frozenset(found)


@cache
def _adverbs() -> frozenset[str]:
    return frozenset(grammar.data("frames")["adverbs"].split())


def _base(word: str) -> str:
    irregular: dict[str, str] = grammar.data("frames")["irregular"]
    return irregular.get(word) or stem(word)
