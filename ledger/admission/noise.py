"""Rules about the form of a text: what is garbled, repeated, mashed or no words at all."""

import json
import re
from functools import cache
from pathlib import Path

from ledger.admission.reading import ADDRESS, NAMED_EMOJI, Reading, fold, letters_and_digits
from ledger.admission.verdict import Verdict

# Traces of UTF-8 read as Latin-1 or Windows-1252, of decoders' replacements, and of
# uninitialised memory read as GBK.
_GARBLED = re.compile(
    r"锟斤拷|锟斤|ï¿½|�|烫{3,}|屯{3,}|â€."
    r"|[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ•˜™š›œžŸ]{1,3}"
    r"|[ÐÑ][\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–˜™š›œžŸ]"
)
_HIGH_LATIN = re.compile(r"[\u00a1-\u00ff]{4,}")
_RECOVERED = re.compile(r"[\u4e00-\u9fff，。！？、]{2,}")
_FACE = re.compile(r"[ツωдノﾉヽ゚o0tqxdpwvuзεಥ益皿口ლᴗ]")
_WORD = re.compile(r"[a-z]+")
_NO_VOWELS = re.compile(r"^[b-df-hj-np-tv-xz]{5,}$|[b-df-hj-np-tv-xz]{6}")
# Latin letters from which on a run of them is looked at as a word.
_WORD_LENGTH = 4
# A web address, an e-mail address or a number; with their marks.
_VALUE = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{2,64}|[\d.,:/%$€£¥+-]+")


def said_before(reading: Reading) -> Verdict | None:
    """The same words again say nothing new."""
    if reading.said and any(
        letters_and_digits(fold(text)) == reading.said for text in reading.before
    ):
        return Verdict(False, "repeated")
    return None


def mojibake(reading: Reading) -> Verdict | None:
    """Text that went through the wrong encoding."""
    text = "".join(reading.text.split())
    if not text:
        return None
    garbled = max(
        sum(map(len, _GARBLED.findall(text))),
        sum(map(len, _HIGH_LATIN.findall(text))),
        _read_as_gbk(text),
    )
    if garbled / len(text) >= reading.policy.garbled_share:
        return Verdict(False, "mojibake")
    return None


def _read_as_gbk(text: str) -> int:
    """How many characters are Chinese in UTF-8 that was read as GBK: 3 bytes became 1½ characters.

    Only where that explains most of the text: some true Chinese looks like it by accident.
    """
    raw = text.encode("gb18030", "ignore")
    found = _RECOVERED.findall(raw.decode("utf-8", "ignore"))
    characters = sum(map(len, found)) * 3 // 2
    return characters if characters * 2 > len(text) else 0


def emoji(reading: Reading) -> Verdict | None:
    """Emoji, faces drawn with marks and a few letters, bare punctuation."""
    letters = letters_and_digits(NAMED_EMOJI.sub("", reading.folded))
    marks = sum(not char.isalnum() and not char.isspace() for char in reading.folded)
    if marks and len(letters) <= 2 * min(marks, 2) and not _FACE.sub("", letters):
        return Verdict(False, "emoji")
    return None


def bare_value(reading: Reading) -> Verdict | None:
    """A number, an address or a masked thing of which nothing is said."""
    rest = letters_and_digits(_VALUE.sub(" ", ADDRESS.sub(" ", reading.plain)))
    return Verdict(False, "bare_value") if reading.said and not rest else None


def too_short(reading: Reading) -> Verdict | None:
    """Fewer letters than any statement has; the empty text, too."""
    letters = sum(map(str.isalpha, reading.plain))
    return Verdict(False, "too_short") if letters < reading.policy.min_letters else None


def repeated(reading: Reading) -> Verdict | None:
    """One thing over and over: 哈哈哈哈, "test test test"."""
    said = reading.said
    if said and len(said) >= reading.policy.repeats_from * _period(said):
        return Verdict(False, "repeated")
    return None


def _period(text: str) -> int:
    """Length of the shortest piece whose repetition, the last one perhaps cut off, makes the text.

    The text's length less its longest border (Knuth, Morris & Pratt 1977); linear.
    """
    borders = [0] * len(text)
    border = 0
    for end in range(1, len(text)):
        while border and text[end] != text[border]:
            border = borders[border - 1]
        border += text[end] == text[border]
        borders[end] = border
    return len(text) - border


def key_mash(reading: Reading) -> Verdict | None:
    """Fingers run over the keyboard: no word of the text is a word."""
    words = [word for word in _WORD.findall(reading.plain) if len(word) >= _WORD_LENGTH]
    letters = sum(map(str.isalpha, reading.plain))
    if words and 2 * sum(map(len, words)) >= letters and all(map(_mashed, words)):
        return Verdict(False, "key_mash")
    return None


def _mashed(word: str) -> bool:
    return bool(_NO_VOWELS.search(word)) or any(run in word for run in _key_runs())


@cache
def _key_runs() -> tuple[str, ...]:
    """Neighbouring keys in a row, of which no ordinary word is made."""
    path = Path(__file__).with_name("key_runs.json")
    return tuple(json.loads(path.read_text(encoding="utf-8")))
