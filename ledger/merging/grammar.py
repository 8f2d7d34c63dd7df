"""The words and grammar of comparisons: the JSON files of this package, compiled once."""

import json
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from ledger.polarity import compiled, folded
from ledger.stems import stem

# The lists of frames.json that hold patterns and not phrases.
PATTERNS = frozenset(
    {
        "many",
        "events",
        "future",
        "past_times",
        "tasks",
        "wishes",
        "comparing",
        "passive",
        "slots",
        "front_values",
    }
)


@cache
def data(name: str) -> dict[str, Any]:
    """One file of this package: words, quantities or frames."""
    path = Path(__file__).with_name(f"{name}.json")
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


@cache
def groups() -> dict[str, str]:
    """Word or phrase -> the word that stands for its group. Latin words are there as stems too."""
    found: dict[str, str] = {}
    for group in data("words")["same"]:
        for phrase in map(folded, group):
            found.setdefault(phrase, group[0])
            if phrase.isascii() and " " not in phrase:
                found.setdefault(stem(phrase), group[0])
    return found


@cache
def stop_words() -> frozenset[str]:
    """Words and phrases without content of their own, among them the cues of a change."""
    words, frames = data("words"), data("frames")
    cues = [*frames["strong_cues"], *frames["weak_cues"]]
    lines = [*words["stop"], *words["stop_han"]]
    return frozenset([*" ".join(lines).split(), *map(folded, cues)])


@cache
def times() -> dict[str, str]:
    """Word or phrase -> its time code, like w2 for Tuesday."""
    codes: dict[str, list[str]] = data("quantities")["times"]
    return {folded(phrase): code for code, phrases in codes.items() for phrase in phrases}


@cache
def units() -> dict[str, str]:
    codes: dict[str, list[str]] = data("quantities")["units"]
    return {phrase: code for code, phrases in codes.items() for phrase in phrases}


def phrases(words: Collection[str]) -> str:
    """A pattern of literal phrases, the longest first; Latin ones match whole words only."""
    latin = sorted((w for w in words if w.isascii()), key=len, reverse=True)
    rest = sorted((w for w in words if not w.isascii()), key=len, reverse=True)
    parts = [rf"\b(?:{'|'.join(map(re.escape, latin))})(?![a-z\d_])"] if latin else []
    parts += [f"(?:{'|'.join(map(re.escape, rest))})"] if rest else []
    return "|".join(parts)


@cache
def frame(name: str) -> re.Pattern[str]:
    """A list of frames.json as one pattern: literal phrases, or patterns for some."""
    sources: list[str] = data("frames")[name]
    if name in PATTERNS:
        return compiled("|".join(f"(?:{source})" for source in sources))
    return compiled(phrases([folded(source) for source in sources]))


@cache
def subjects() -> re.Pattern[str]:
    """Finds whom a text is about: a group per relative of the speaker, and one for the speaker."""
    named: dict[str, list[str]] = data("frames")["kin"]
    return compiled("|".join(f"(?P<{who}>{phrases(names)})" for who, names in named.items()))


@cache
def belonging() -> dict[str, str]:
    """Word for what belongs to a country, continent or faith -> its name: german, germany."""
    return {stemmed_group(word): stemmed_group(name) for name, word in data("words")["belonging"]}


@cache
def opposites(name: str) -> dict[str, frozenset[str]]:
    """Word -> the words that mean its opposite. `name`: of "opposites" one holds at a time, of
    "apart" both may hold."""
    pairs: list[list[str]] = data("words")[name]
    found: dict[str, set[str]] = {}
    for pair in pairs:
        one, other = map(stemmed_group, pair)
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


def stemmed_group(word: str) -> str:
    """The word that stands for a word's group, or its stem."""
    root = stem(word) if word.isascii() else word
    return groups().get(word) or groups().get(root, root)


@cache
def states(name: str) -> list[dict[str, re.Pattern[str]]]:
    """Groups of states of which only one holds at a time; each state with its pattern.

    `name`: the "personal_states" of a person, or the "topic_states" of what the text is about.
    """
    return [
        {state: compiled("|".join(f"(?:{s})" for s in sources)) for state, sources in group.items()}
        for group in data("frames")[name]
    ]
