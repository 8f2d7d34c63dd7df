"""Numbers in words and digits, English and Chinese, as exact fractions."""

import re
from dataclasses import dataclass
from fractions import Fraction

from ledger.dates.words import any_of, chinese, conventions, english

_CARDINAL = any_of(english()["numbers"])
# As a pattern; what it matches is read by `english_quantity`.
ENGLISH = (
    r"(?:half an?|an? couple(?: of)?|couple(?: of)?|an? few|few|several"
    rf"|(?:an? )?{_CARDINAL}(?:(?:-| and | ){_CARDINAL}){{0,6}}"
    r"|\d{1,3}(?:,\d{3}){1,4}|\d{1,12}(?:\.\d{1,2})?|an?)"
)
_CHARACTERS = "〇零一二两俩三四五六七八九十百千万亿"
CHINESE = (
    r"(?:好?几十?|数十?|若干|\d{1,12}(?:\.\d{1,2})?[百千万亿]{0,2}多?"
    rf"|[{_CHARACTERS}]{{1,16}}[几多]?|半)"
)
_FEW = {"a few", "few", "several", "几", "好几", "数", "若干"}


@dataclass(frozen=True)
class Quantity:
    """A number of units; `most` is set where the words only say about how many."""

    least: Fraction
    most: Fraction | None = None


def _few(times: int = 1) -> Quantity:
    least, most = conventions()["few"]
    return Quantity(Fraction(least * times), Fraction(most * times))


def english_quantity(words: str, and_a_half: bool = False) -> Quantity:
    """Raises ValueError for words that are no number."""
    if words in _FEW:
        return _few()
    return Quantity(_english(words) + (Fraction(1, 2) if and_a_half else 0))


def _english(words: str) -> Fraction:
    if words.startswith("half"):
        return Fraction(1, 2)
    if "couple" in words:
        return Fraction(2)
    if words in ("a", "an"):
        return Fraction(1)
    if words[0].isdigit():
        return Fraction(words.replace(",", ""))
    total = part = 0
    numbers = english()["numbers"]
    for word in re.findall(r"[a-z]+", words):
        value = numbers.get(word, 0)
        if value == 100:
            part = (part or 1) * 100
        elif value > 100:
            total, part = total + (part or 1) * value, 0
        else:
            part += value
    return Fraction(total + part)


def chinese_quantity(words: str) -> Quantity:
    """Raises ValueError for words that are no number."""
    if words in _FEW:
        return _few()
    if words in ("几十", "好几十", "数十"):
        return _few(10)
    if words == "半":
        return Quantity(Fraction(1, 2))
    if words[-1] in "几多":
        least = chinese_number(words[:-1])
        return Quantity(least, least + max(_last_step(words[:-1]), 1))
    if words in ("两三", "三四", "四五", "五六", "六七", "七八", "八九", "一两", "三五"):
        return Quantity(chinese_number(words[0]), chinese_number(words[1]))
    return Quantity(chinese_number(words))


def _last_step(words: str) -> int:
    """What the last character counts by: 十 in 二十 is 10, so that 二十多 is under 30."""
    known: dict[str, int] = chinese()["tens"] | chinese()["myriads"]
    return known.get(words[-1:], 1)


def chinese_number(words: str) -> Fraction:
    """十二, 二〇二三, 三万五千, 10万, 1.5亿. Raises ValueError for words that are no number."""
    digits, tens, myriads = (chinese()[name] for name in ("digits", "tens", "myriads"))
    if re.fullmatch(r"[〇零一二三四五六七八九]{2,}", words):
        return Fraction("".join(str(digits[character]) for character in words))
    total = part = digit = Fraction(0)
    for token in re.findall(r"[0-9.]+|.", words):
        if token[0].isdigit():
            digit = Fraction(token)
        elif token in digits:
            digit = Fraction(digits[token])
        elif token in tens:
            part, digit = part + (digit or 1) * tens[token], Fraction(0)
        elif token in myriads:
            total, part, digit = (total + part + digit) * myriads[token], Fraction(0), Fraction(0)
        else:
            raise ValueError(words)
    return total + part + digit
