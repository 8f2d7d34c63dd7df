"""The word lists and conventions of time expressions, and patterns made of them."""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_NAME = re.compile(r"\{([a-z_]+)\}")


@cache
def english() -> Any:
    return json.loads((_HERE / "english" / "words.json").read_text(encoding="utf-8"))


@cache
def chinese() -> Any:
    return json.loads((_HERE / "chinese" / "words.json").read_text(encoding="utf-8"))


@cache
def conventions() -> Any:
    """Choices that language leaves open, and no policy: hours of the parts of a day, first months
    of the seasons (of the northern hemisphere), fixed holidays as MM-DD, the least and the most
    that "a few" are, days that "recently" reaches back, the first and the last four-digit number
    that can be a year, and the hour from which a bare "at 7" is meant before noon."""
    return json.loads((_HERE / "conventions.json").read_text(encoding="utf-8"))


def any_of(words: Iterable[str]) -> str:
    """A group that matches any of the words, longer ones first."""
    return f"(?:{'|'.join(re.escape(word) for word in sorted(words, key=len, reverse=True))})"


def compiled(pattern: str, vocabulary: dict[str, str]) -> re.Pattern[str]:
    """The pattern with each {name} replaced by that entry of the vocabulary."""
    return re.compile(_NAME.sub(lambda name: vocabulary[name[1]], pattern))


@cache
def _plain_characters() -> dict[int, int]:
    """One character for one character, so that positions stay: half width, lower case,
    simplified, ASCII quotes and dashes, and blanks within a line as a space."""
    table = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    table |= {code: ord(" ") for code in (0x09, 0x0D, 0xA0, 0x202F, 0x2009, 0x3000)}
    table |= dict(zip(map(ord, "’‘–—−〜～：︰○Ｏ"), map(ord, "''---~~::〇〇"), strict=True))
    table |= {ord("A") + i: ord("a") + i for i in range(26)}
    table |= {0xFF21 + i: ord("a") + i for i in range(26)}
    words = chinese()
    pairs = zip(map(ord, words["traditional"]), map(ord, words["simplified"]), strict=True)
    return table | dict(pairs)


def plain(text: str) -> str:
    """The text as the rules read it; every character keeps its position."""
    return text.translate(_plain_characters())
