"""Which known words stand where in a text. The lists are the files of `data/`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ledger.reflection.words import DATA, Token, tokens_of

NEGATION_REACH = 4  # tokens between a negation and what it negates: "don't really like the"
Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """Tokens [start, end) are words for `topic`."""

    topic: str
    start: int
    end: int
    clause: int


class Lexicon:
    """One group of lists: topic -> words.

    The topic "" holds what only looks like one of the words: the longest match wins, so that
    "不知道" is no negation. A Latin word is found in its inflections unless it stands in a list
    itself, as "likely" does, which is no form of "like".
    """

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self._words: dict[Phrase, str] = {}
        self._stems: dict[Phrase, str] = {}
        for topic in sorted(lists, reverse=True):  # "" comes last and rules the exact words
            for entry in lists[topic]:
                tokens = tokens_of(entry)
                self._words[tuple(token.word for token in tokens)] = topic
                self._stems.setdefault(tuple(token.stem for token in tokens), topic)
        # First token of a phrase -> tokens of the longest phrase that starts with it.
        self._longest: dict[str, int] = {}
        for phrase in self._words.keys() | self._stems.keys():
            self._longest[phrase[0]] = max(len(phrase), self._longest.get(phrase[0], 0))

    def hits(self, tokens: Sequence[Token]) -> Iterator[Hit]:
        """What is found, from left to right, without overlaps."""
        at = 0
        while at < len(tokens):
            topic, length = self._longest_at(tokens, at)
            if topic:
                yield Hit(topic, at, at + length, tokens[at].clause)
            at += length

    def _longest_at(self, tokens: Sequence[Token], at: int) -> tuple[str, int]:
        first = tokens[at]
        longest = max(self._longest.get(first.word, 0), self._longest.get(first.stem, 0))
        if not longest:
            return "", 1
        window = tokens[at : at + longest]
        words = tuple(token.word for token in window)
        stems = tuple(token.stem for token in window)
        for length in range(len(window), 0, -1):
            if window[length - 1].clause != first.clause:
                continue
            topic = self._words.get(words[:length])
            if topic is None:
                topic = self._stems.get(stems[:length])
            if topic is not None:
                return topic, length
        return "", 1


@cache
def read_data(name: str) -> Any:
    """A JSON file of `data/`."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


@cache
def labels(name: str) -> dict[str, dict[str, Any]]:
    """Topics of a file with what they are called in each language."""
    found: dict[str, dict[str, Any]] = read_data(name)
    return {topic: entry for topic, entry in found.items() if topic}


@cache
def _stop_words() -> list[str]:
    return (DATA / "stop.txt").read_text(encoding="utf-8").split()


@cache
def stop_stems() -> frozenset[str]:
    """Words that say nothing by themselves, and Chinese characters that do not."""
    return frozenset(token.stem for word in _stop_words() for token in tokens_of(word))


@cache
def lexicons() -> dict[str, Lexicon]:
    """Every group by its name."""
    groups: dict[str, Any] = read_data("words.json") | read_data("sensitive.json")
    for group, name in (("topic", "topics.json"), ("area", "problems.json")):
        groups[group] = {topic: entry["words"] for topic, entry in read_data(name).items()}
    groups["stop"] = {"stop": _stop_words()}
    sections = read_data("sections.json")
    groups["cue"] = {section: entry["cues"] for section, entry in sections.items()}
    return {group: Lexicon(lists) for group, lists in groups.items()}
