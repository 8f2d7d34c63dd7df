"""The text as the recognisers read it: character for character as long as the original."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from ledger.privacy.findings import PLACEHOLDER

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3007"
LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
PICTURES = "\ufe0f\U0001f000-\U0001faff"  # emoji: they decorate, nobody types them as a value

# Stands for each character of what must not be read: no letter, no digit, no space.
HIDDEN = "\ufffc"
# A key or a certificate as it is pasted; where its end is cut off, what looks like its body.
KEY_HEADERS = r"(?:\s{0,4}(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n]{0,100}+)*+"
KEY_BODY = r"(?:(?:\s|\\[nr]){0,8}+[A-Za-z0-9+/=]{16,}+)*+(?:\n[A-Za-z0-9+/=]{1,15}+(?=\n|\Z))?"
KEY_BEGIN = "-----BEGIN "
KEY_BLOCK = re.compile(rf"{KEY_BEGIN}[A-Z0-9 ]{{1,60}}-----{KEY_HEADERS}{KEY_BODY}")
_HAN_CHARACTER = re.compile(f"[{HAN}]")


def _folded() -> dict[int, str]:
    """Full-width forms, digits of other scripts, and other dashes and blanks as their ASCII."""
    table = {0xFF01 + i: chr(0x21 + i) for i in range(0x5E)}
    table |= dict.fromkeys(map(ord, "‐‑‒–—−﹣"), "-")
    table |= dict.fromkeys(map(ord, "\u3000\u00a0\u2002\u2003\u2007\u2009\u202f"), " ")
    table |= dict.fromkeys(map(ord, "‘’"), "'")
    for zero in (0x0660, 0x06F0, 0x0966, 0x09E6, 0x0E50, *range(0x1D7CE, 0x1D800, 10)):
        table |= {zero + i: str(i) for i in range(10)}
    return table


_TABLE = _folded()
_SURROGATE = re.compile("[\ud800-\udfff]")


def half_width(text: str) -> str:
    """The text in half-width forms, of the same length; half a character becomes U+FFFD."""
    if text.isascii():
        return text
    return _SURROGATE.sub("\ufffd", text).translate(_TABLE)


def read(text: str) -> str:
    """The text in half-width forms, its placeholders made unreadable."""
    return half_width(PLACEHOLDER.sub(lambda match: HIDDEN * len(match[0]), text))


def without_han(reading: str) -> str:
    """The reading with a blank for each Chinese character, for an English model."""
    return _HAN_CHARACTER.sub(" ", reading)


def has_han(reading: str) -> bool:
    """Whether there is a Chinese character in the reading."""
    return _HAN_CHARACTER.search(reading) is not None


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list in `data`, one a line; a line that starts with `#` is a remark."""
    text = (Path(__file__).parent / "data" / name).read_text("utf-8")
    lines = (unicodedata.normalize("NFC", line.strip()) for line in text.splitlines())
    return frozenset(line for line in lines if line and not line.startswith("#"))


@cache
def any_of(name: str) -> re.Pattern[str]:
    """What matches any of the regular expressions of a list in `data`, in any case."""
    return re.compile("|".join(sorted(words(name))), re.IGNORECASE)


def alternatives(listed: Iterable[str]) -> str:
    """A regular expression that matches each of the words, the longer ones first."""
    return "|".join(re.escape(word) for word in sorted(listed, key=lambda w: (-len(w), w)))
