"""Sentences: where a text can be cut so that each part stands alone."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ledger.policy.extraction import Extraction

# Kept whole: what is quoted or in brackets (if it closes soon), addresses of the web, numbers.
_WHOLE = re.compile(
    r"“[^”\n]{0,300}”|‘[^’\n]{0,300}’|「[^」\n]{0,300}」|『[^』\n]{0,300}』|《[^》\n]{0,200}》"
    r"|\"[^\"\n]{0,300}\"|（[^（）\n]{0,300}）|\([^()\n]{0,300}\)|\[[^\[\]\n]{0,100}\]"
    r"|【[^【】\n]{0,300}】|(?:https?://|www\.)[^\s\u3000-\u9fff，。！？]{1,2000}"
)
_END = re.compile(r"[。！？!?;；｡]+[\"'”’」』)）】]*|\n+|\.+[\"'”’)]*(?=\s|$)")
_BEFORE_DOT = re.compile(
    r"(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|sr|jr|vs|e\.g|i\.e|no|approx|ca|cf|fig|mt|gen|lt|col"
    r"|[A-Za-z]|\d{1,3})\.$",
    re.IGNORECASE,
)
# These may end a sentence: they do where a capital follows.
_MAYBE_BEFORE_DOT = re.compile(
    r"(?:^|[\s(])(?:etc|inc|ltd|co|corp|a\.m|p\.m|u\.s|u\.k|ph\.d)\.$|\.\.$", re.IGNORECASE
)
_ITEM = re.compile(r"(?<![\w.:/])(\d{1,2})[.、)）．](?!\d)")
_SPACE = re.compile(r"\s*")
_SOFT = re.compile(r"[,，、\s]")
# Characters before a dot that tell whether it ends a sentence.
_LOOK_BACK = 12


def sentences(text: str, policy: Extraction | None = None) -> list[tuple[int, int]]:
    """The spans [start, end) of the sentences of a text, in order, without space around them.

    Together they hold every character that is no space. None is longer than the policy's
    `longest_sentence`; quotations and brackets that close soon, web addresses, numbers and
    abbreviations are not cut, and a numbered list gives one span for each item.
    """
    longest = (policy or Extraction()).longest_sentence
    cuts = sorted({0, len(text), *_ends(text), *_items(text)})
    spans: list[tuple[int, int]] = []
    for start, end in pairwise(cuts):
        span = _stripped(text, start, end)
        if span is None:
            continue
        if spans and not _has_word(text, span) and span[1] - spans[-1][0] <= longest:
            spans[-1] = (spans[-1][0], span[1])
        else:
            spans.extend(short(text, span, longest))
    return spans


def _ends(text: str) -> Iterator[int]:
    """Where sentences end."""
    whole = iter(match.span() for match in _WHOLE.finditer(text))
    kept = next(whole, None)
    for match in _END.finditer(text):
        while kept and kept[1] <= match.start():
            kept = next(whole, None)
        inside = kept is not None and kept[0] <= match.start()
        if kept and inside and _closes(text, match.end(), kept):
            yield kept[1]
        elif not inside and not (match[0].startswith(".") and _is_abbreviation(text, match)):
            yield match.end()


def _closes(text: str, end: int, kept: tuple[int, int]) -> bool:
    """Whether a quotation ends with this mark and the next sentence begins with a capital."""
    after = text[kept[1] : kept[1] + 2]
    return end >= kept[1] and after[:1].isspace() and after[1:2].isupper()


def _is_abbreviation(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() + 1 - _LOOK_BACK) : match.start() + 1]
    after = _SPACE.match(text, match.end())
    following = text[after.end() : after.end() + 1] if after else ""
    if _BEFORE_DOT.search(before) or (match[0].startswith("..") and following.islower()):
        return following != ""
    return _MAYBE_BEFORE_DOT.search(before) is not None and following.islower()


def _items(text: str) -> Iterator[int]:
    """Where the items of a numbered list begin, of a list that counts from 1 to 2 at least."""
    expected, first = 1, 0
    for match in _ITEM.finditer(text):
        number = int(match[1])
        if number == 1:
            expected, first = 2, match.start()
        elif number == expected:
            if number == 2:
                yield first
            yield match.start()
            expected += 1


def _stripped(text: str, start: int, end: int) -> tuple[int, int] | None:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    end = start + len(part.strip())
    return (start, end) if start < end else None


def _has_word(text: str, span: tuple[int, int]) -> bool:
    return any(character.isalnum() for character in text[span[0] : span[1]])


def short(text: str, span: tuple[int, int], longest: int) -> Iterator[tuple[int, int]]:
    """The span in parts of at most `longest` characters, cut after a comma or a space."""
    start, end = span
    while end - start > longest:
        soft = [
            match.end() for match in _SOFT.finditer(text, start + longest // 2, start + longest)
        ]
        cut = soft[-1] if soft else start + longest
        if part := _stripped(text, start, cut):
            yield part
        start = cut
    if part := _stripped(text, start, end):
        yield part
