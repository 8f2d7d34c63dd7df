"""Words of a text, pure: folded, stemmed, cut into clauses; and the language of a text."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from ledger.stems import stem

DATA = Path(__file__).parent / "data"
HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
KANA_HANGUL = "\u3040-\u30ff\uac00-\ud7af"
TOKEN = re.compile(
    rf"(?P<han>[{HAN}{KANA_HANGUL}])|(?P<word>[^\W_{HAN}{KANA_HANGUL}]+(?:'[^\W_{HAN}{KANA_HANGUL}]+)?)"
    r"|(?P<stop>[.;:!?。\n])"
)
OTHER_SCRIPT = re.compile(rf"[{KANA_HANGUL}]")
PLACEHOLDER = re.compile(r"\[[A-Z_]{1,20}_\d{1,9}\]")
LONGEST_WORD = 64


@dataclass(frozen=True, slots=True)
class Token:
    """A Chinese character or a stemmed Latin word. Clauses are counted from 0."""

    stem: str
    word: str
    clause: int
    han: bool


@cache
def _simplified() -> dict[int, str]:
    pairs = (DATA / "simplified.txt").read_text(encoding="utf-8").split()
    return {ord(pair[0]): pair[1] for pair in pairs}


def fold(text: str) -> str:
    """One form for full-width, upper case and traditional characters."""
    # A Chinese comma parts clauses, a Latin one mostly parts the items of a list.
    text = unicodedata.normalize("NFKC", text.replace("，", ";").replace("’", "'"))
    return text.casefold().translate(_simplified())


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order.

    >>> [token.stem for token in tokens_of("Running 跑步")]
    ['run', '跑', '步']
    """
    found: list[Token] = []
    clause = 0
    for match in TOKEN.finditer(fold(text)):
        if match["stop"]:
            clause += 1
            continue
        word = match[0][:LONGEST_WORD]
        han = match["word"] is None
        found.append(Token(word if han else stem(word), word, clause, han))
    return found


def terms_of(text: str, *, without: frozenset[str] = frozenset()) -> frozenset[str]:
    """Latin stems and pairs of neighbouring Chinese characters, to compare texts by.

    The stems `without` count for nothing.
    """
    tokens = tokens_of(text)
    words = {token.stem for token in tokens if not token.han and token.stem not in without}
    pairs = {
        one.stem + other.stem
        for one, other in pairwise(tokens)
        if one.han and other.han and one.clause == other.clause
    }
    lone = {token.stem for token in tokens if token.han} if not words and not pairs else set()
    return frozenset(words | pairs | lone)


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Dice's coefficient of two sets of terms, 0 to 1."""
    return 2 * len(one & other) / ((len(one) + len(other)) or 1)


@cache
def _english() -> frozenset[str]:
    return frozenset((DATA / "english.txt").read_text(encoding="utf-8").split())


def language_of(text: str) -> str:
    """ "zh" or "en"; empty for any other language, and where nothing can be said.

    Latin letters alone are not English: one of its small words must be there.
    """
    folded = fold(PLACEHOLDER.sub(" ", text))
    if OTHER_SCRIPT.search(folded):
        return ""
    matches = list(TOKEN.finditer(folded))
    han = sum(match["han"] is not None for match in matches)
    words = [match["word"] for match in matches if match["word"] and not match["word"].isdigit()]
    if han and han >= len(words):
        return "zh"
    return "en" if any(word in _english() for word in words) else ""


def most_common_language(languages: Iterable[str]) -> str:
    """The language of most texts, given oldest first; the newer one if two are equally common."""
    known = list(languages)
    times = Counter(known)
    return max(reversed(known), key=times.__getitem__, default="en")
