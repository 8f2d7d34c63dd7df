"""The grammar that extraction reads: cues, patterns and word lists of `data/`, read once."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

# A named word list or shape inside a pattern, as in "i live in {V}".
_NAMED = re.compile(r"\{([A-Z_]+)\}")
_HAN = re.compile(r"[\u3400-\u9fff]")


@cache
def table(name: str) -> dict[str, Any]:
    """The data file `name` as it stands."""
    return tomllib.loads((files(__package__) / "data" / f"{name}.toml").read_text("utf-8"))


@cache
def _folded() -> dict[int, str]:
    """One character for one character, so that places in the text stay what they are."""
    pairs = (files(__package__) / "data" / "traditional.txt").read_text("utf-8").split()
    full_width = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    quotes = {0x2018: "'", 0x2019: "'", 0x3000: " ", 0xA0: " "}
    return full_width | quotes | {ord(pair[0]): pair[1] for pair in pairs}


def plain(text: str) -> str:
    """The text as patterns read it: half width, simplified characters. Of the same length."""
    return text.translate(_folded())


@cache
def shape(name: str) -> str:
    """The regular expression that stands for {NAME}: a shape as written, or any word of a list."""
    entry = table("shapes")[name]
    if isinstance(entry, str):
        return _expanded(entry)
    words = sorted(entry, key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", " ") for word in words) + ")"


def _expanded(pattern: str) -> str:
    return _NAMED.sub(lambda named: shape(named[1]), pattern)


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of the data files, its {NAMES} filled in. Case does not matter."""
    return re.compile(_expanded(pattern), re.IGNORECASE)


@cache
def cues(name: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of the cue `name`, of both languages."""
    return tuple(compiled(pattern) for pattern in (table("cues") | table("talk"))[name])


def heard(name: str, text: str) -> re.Match[str] | None:
    """Where the cue `name` is in plain text: the match of its first pattern that is, or None."""
    return next((match for pattern in cues(name) if (match := pattern.search(text))), None)


def is_chinese(text: str) -> bool:
    """Whether the text is read by the Chinese prototypes: it has a Han character."""
    return _HAN.search(text) is not None
