"""Polarity of a text, pure: whether it denies something, and whether it is for or against it.

Words and grammar are in polarity.json, in simplified characters; texts are folded to them first.
"""

import json
import re
import unicodedata
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

LIKES = 1
DISLIKES = -1
# What a negation bears on stands within this many characters, and so many are looked at.
FARTHEST = 80
MOST_DENIED = 32
# Stands where a phrase was that must not be read again: no word, and no border of a clause.
READ = "\ufffc"
# The border of a Latin word, also beside Han characters, where \b sees none.
BORDER = r"(?:(?<![a-z\d_])(?=[a-z\d_])|(?<=[a-z\d_])(?![a-z\d_]))"


def folded(text: str) -> str:
    """The text in one spelling: NFKC, lower case, straight apostrophes, common simplified Han.

    >>> folded("我不喜歡ＡＰＩ")
    '我不喜欢api'
    """
    straight = text.replace("’", "'").replace("‘", "'")
    return unicodedata.normalize("NFKC", straight).casefold().translate(_simplified())


def negated(text: str) -> bool:
    """Whether an odd number of negations bear on what the text says.

    >>> [negated(t) for t in ("支持退款", "不支持退款", "我不得不去", "I never smoke")]
    [False, True, False, True]
    """
    return _negations(folded(text)) % 2 == 1


def stance(text: str) -> int | None:
    """+1 if the text is for something, -1 if it is against it, None if it says neither.

    Where clauses differ, the one about now is heard first, then the first one; what is over
    ("I used to like it") is no stance.

    >>> [stance(t) for t in ("I don't like tea", "我讨厌开会", "allergic to nuts")]
    [-1, -1, None]
    """
    return _heard(text, "against", "for")


def leaning(text: str) -> int | None:
    """Like `stance`, also by words that only suggest it: "opera is torture", "you can bring it".

    >>> [leaning(t) for t in ("opera is torture", "you can't pay by card", "滑雪最带劲", "I ski")]
    [-1, -1, 1, None]
    """
    return _heard(text, "leans_against", "leans_for")


def denied(low: str) -> list[str]:
    """What each negation of a folded text bears on: the rest of its clause.

    It may stand behind its verb (走不通, costs nothing), which then is part of it.

    >>> denied("the lift isn't working"), denied("这条路走不通")
    ([' working'], ['路走通'])
    """
    kept, found = _grammar("not_negations").sub(READ, low), []
    for match in islice(_grammar("negations").finditer(kept), MOST_DENIED):
        after = kept[match.end() : match.end() + FARTHEST]
        scope = _grammar("clause").split(after, maxsplit=1)[0]
        before = _grammar("behind").search(kept[max(match.start() - FARTHEST, 0) : match.start()])
        behind = not scope.strip() or _grammar("complements").match(scope)
        found.append(before[0] + scope if before and behind else scope)
    return found


def _heard(text: str, against: str, for_it: str) -> int | None:
    """The stance by these two lists: of the clause about now, or of the first that takes one."""
    plain = _grammar("not_stances").sub(READ, _grammar("not_negations").sub(READ, folded(text)))
    clauses = _grammar("clause").split(plain)
    signs = ((clause, _stance_of(clause, against, for_it)) for clause in clauses)
    found = [(clause, sign) for clause, sign in signs if sign is not None]
    for clause, sign in found:
        if _grammar("present").search(clause):
            return sign
    return found[0][1] if found else None


def _stance_of(clause: str, against: str, for_it: str) -> int | None:
    """The stance of one clause. The word's own "not" (can't stand) is no negation of it."""
    disliked = _grammar(against).search(clause)
    match = disliked or _grammar(for_it).search(clause)
    if match is None or _grammar("past").search(clause):
        return None
    rest = clause[: match.start()] + READ + clause[match.end() :]
    sign = DISLIKES if disliked else LIKES
    return -sign if _negations(rest) % 2 else sign


def _negations(text: str) -> int:
    """How many negations a folded text has; phrases that only look like one have none."""
    kept = _grammar("not_negations").sub(READ, text)
    return sum(1 for _ in _grammar("negations").finditer(kept))


@cache
def _words() -> dict[str, Any]:
    path = Path(__file__).with_name("polarity.json")
    words: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return words


@cache
def _simplified() -> dict[int, str]:
    pairs = _words()["traditional"]
    return {ord(old): new for old, new in zip(pairs[::2], pairs[1::2], strict=True)}


@cache
def _grammar(name: str) -> re.Pattern[str]:
    """One regular expression of polarity.json. Every part of it is bounded: time is linear."""
    words = _words()
    stances = {
        sign: [*words["stance_patterns"][sign], *_literal(words["stance"][sign])]
        for sign in ("1", "-1")
    }
    sources: dict[str, list[str]] = {
        "clause": [words["clause"]],
        "complements": [words["complements"]],
        "behind": [words["behind"]],
        "not_negations": [
            *words["not_negations_patterns"],
            *_literal(words["not_negations"] + words["double_negations"]),
        ],
        "negations": [*words["negation_patterns"], *_literal(words["negations"])],
        "for": stances["1"],
        "against": stances["-1"],
        "leans_for": stances["1"] + words["leaning_patterns"]["1"],
        "leans_against": stances["-1"] + words["leaning_patterns"]["-1"],
        "not_stances": [*words["not_stances_patterns"], *_literal(words["not_stances"])],
        "past": _literal(words["past"]),
        "present": _literal(words["present"]),
    }
    return compiled("|".join(f"(?:{source})" for source in sources[name]))


def compiled(source: str) -> re.Pattern[str]:
    """A pattern for folded texts, in which \\b is the border of a Latin word."""
    return re.compile(source.replace(r"\b", BORDER))


def _literal(phrases: list[str]) -> list[str]:
    """Phrases as patterns, the longest first; Latin ones match whole words only."""
    ordered = sorted(phrases, key=len, reverse=True)
    return [rf"\b{re.escape(p)}\b" if p.isascii() else re.escape(p) for p in ordered]
