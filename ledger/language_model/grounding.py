"""Whether words say only what a source says: numbers, names, placeholders, and most words. Pure.

Latin words are compared by their stems (Snowball's Porter2), Chinese by runs of two characters and
more. Words that only carry a sentence ("the user has", 用户) are free.
"""

import json
import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from ledger.polarity import folded
from ledger.policy.privacy import PrivateKind
from ledger.stems import stem

PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(PrivateKind)})(?:_\d{{1,9}})?\]")
HAN = r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
HAN_RUN = re.compile(rf"[{HAN}]+")
# Words, with what joins the parts of identifiers, addresses, times and hyphenated words.
TOKEN = re.compile(rf"[^\W{HAN}]+(?:[-._@:/+#'][^\W{HAN}]+)*")
NUMBER = re.compile(r"\d+(?:\.\d+)*")
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
JOINER = re.compile(r"[-._@:/+#]")
WORD_BORDER = re.compile(r"[-._@:/+#']")
LONGEST_WORD = 64


@dataclass
class Source:
    """What may be said: the words of some texts, and further placeholders."""

    text: str
    also: frozenset[str] = frozenset()
    _plain: str = field(init=False, repr=False)
    _simple: str = field(init=False, repr=False)
    _words: frozenset[str] = field(init=False, repr=False)
    _stems: frozenset[str] = field(init=False, repr=False)
    _numbers: frozenset[str] = field(init=False, repr=False)
    _numerals: frozenset[str] = field(init=False, repr=False)
    _placeholders: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._placeholders = frozenset(PLACEHOLDER.findall(self.text)) | self.also
        self._plain = _plain(self.text).casefold()
        self._simple = folded(self.text)
        words = {part for token in TOKEN.findall(self._plain) for part in _parts(token)}
        self._words = frozenset(words)
        self._stems = frozenset(stem(word) for word in words)
        self._numbers = frozenset(NUMBER.findall(self._plain))
        self._numerals = frozenset(_numerals().findall(self._simple))

    def supports(self, content: str, share: float, *, paraphrased: bool = False) -> bool:
        """Whether all that is exact in the content stands here, and `share` of its other words.

        `paraphrased` allows Chinese words of its own, but still no Chinese names.
        """
        placeholders = set(PLACEHOLDER.findall(content))
        plain = _plain(content)
        simple = folded(PLACEHOLDER.sub(" ", content))
        numbers = set(NUMBER.findall(plain))
        if not (placeholders <= self._placeholders and numbers <= self._numbers):
            return False
        if not set(_numerals().findall(simple)) <= self._numerals:
            return False
        tokens = TOKEN.findall(plain)
        # Each token is looked up once, however often it stands: time stays linear.
        known_tokens = {token: self._knows(token) for token in set(tokens)}
        latin = [known_tokens[token] for token in tokens]
        chinese = [self._knows_run(run, paraphrased) for run in HAN_RUN.findall(simple)]
        counts = latin + chinese
        if None in counts:
            return False
        known = sum(count[0] for count in counts if count)
        words = sum(count[1] for count in counts if count)
        # What carries a sentence is no statement when nothing is carried ("the user has").
        return known >= share * words and bool(words or numbers or placeholders)

    def _knows(self, token: str) -> tuple[int, int] | None:
        """How many of how many words of a token are known; None if it is exact and unknown."""
        low = token.casefold()
        if JOINER.search(low) or (re.search(r"\d", low) and not low.isdigit()):
            return (1, 1) if self._has_whole(low) else None
        known = counted = 0
        for word in _parts(low):
            if word in _set("free_english") or word.isdigit():
                continue
            counted += 1
            if word in self._words:
                known += 1
            elif word in _set("exact_english"):
                return None
            elif stem(word) in self._stems:
                known += 1
            elif token[0].isupper():
                return None
        return known, counted

    def _has_whole(self, token: str) -> bool:
        at = self._plain.find(token)
        while at >= 0:
            around = self._plain[max(0, at - 1) : at], self._plain[at + len(token) :][:1]
            if not any(one.isalnum() and not HAN_RUN.match(one) for one in around):
                return True
            at = self._plain.find(token, at + 1)
        return False

    def _knows_run(self, run: str, paraphrased: bool) -> tuple[int, int] | None:
        """The same of a run of Chinese characters; two in a row that stand apart may be a word.

        They are unknown if one of them stands nowhere, or if they begin like a name.
        """
        known = counted = at = 0
        loose = ""
        while at < len(run):
            length = self._longest(run, at)
            free = _free_han().match(run, at)
            if length < 2 and free:
                at, loose = free.end(), ""
                continue
            loose = loose + run[at] if length < 2 else ""
            if len(loose) > 1 and self._made_up(loose[-2:], paraphrased):
                return None
            known += length
            counted += max(length, 1)
            at += max(length, 1)
        return known, counted

    def _made_up(self, pair: str, paraphrased: bool) -> bool:
        if pair[0] in _words()["surnames"]:
            return True
        return not paraphrased and any(each not in self._simple for each in pair)

    def _longest(self, run: str, at: int) -> int:
        """How many characters of the run from a place on stand in the text in a row."""
        length = 0
        while at + length < len(run) and run[at : at + length + 1] in self._simple:
            length += 1
        return length


def addresses_the_model(text: str) -> bool:
    """Whether a text gives orders to the model that reads it ("ignore the above")."""
    return _orders().search(folded(text)) is not None


def conditions(text: str) -> frozenset[str]:
    """The words of a text under which it holds only perhaps ("if", 如果)."""
    return frozenset(_phrases("conditions").findall(folded(text)))


def doubts(text: str) -> frozenset[str]:
    """The words of a text that say that it is not sure ("maybe", 可能)."""
    return frozenset(_phrases("doubts").findall(folded(text)))


def _plain(text: str) -> str:
    straight = PLACEHOLDER.sub(" ", text).replace("’", "'")
    return THOUSANDS.sub("", unicodedata.normalize("NFKC", straight))


def _parts(token: str) -> list[str]:
    """The words of a token: "don't" and "user's" are two each."""
    return [part[:LONGEST_WORD] for part in WORD_BORDER.split(token)]


@cache
def _words() -> dict[str, Any]:
    path = Path(__file__).with_name("words.json")
    words: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return words


@cache
def _set(name: str) -> frozenset[str]:
    return frozenset(_words()[name].split())


@cache
def _numerals() -> re.Pattern[str]:
    return re.compile(f"[{_words()['han_numerals']}]+")


@cache
def _free_han() -> re.Pattern[str]:
    return re.compile("|".join(sorted(_words()["free_han"], key=len, reverse=True)))


@cache
def _orders() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{source})" for source in _words()["addresses_the_model"]))


@cache
def _phrases(name: str) -> re.Pattern[str]:
    phrases = sorted(_words()[name], key=len, reverse=True)
    return re.compile("|".join(rf"\b{each}\b" if each.isascii() else each for each in phrases))
