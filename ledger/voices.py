"""Whose words a text has, pure: what in it is another's, or supposed, and not said by the speaker.

The grammar is in voices.toml; texts are folded to lower case, half width and simplified characters,
one character for one, so that places stay what they are.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from ledger.polarity import folded

Span = tuple[int, int]
# Texts that are kept; each is asked about once for each of its sentences and comparisons.
KEPT = 512
# Characters before a colon in which its label stands, and after it what is labelled.
LABEL, LABELLED = 80, 12
# Stands for what is left out: no word, and no border of a clause.
LEFT_OUT = "\ufffc"

_CLOSING = {"“": "”", "「": "」", "『": "』", "«": "»", "„": "“", '"': '"', "`": "`"}
_MARKS = re.compile("[“”„「」『』«»\"`\n]|(?<!\\w)'(?=\\w)|(?<=[\\w.!?,])'(?!\\w)")
_COLON = re.compile(r":(?!\d|//)(?<!\d:)")
_LABEL_START = re.compile(r"[\n.!?。;:]")
_SENTENCE_END = re.compile(r"[。!?;\n]|\.(?=\s|$)")
_CITED_LINE = re.compile(r"^[ \t]{0,3}>[^\n]*", re.MULTILINE)


@lru_cache(KEPT)
def others(text: str, speaker: str = "") -> tuple[Span, ...]:
    """Where words of others stand: speech in quotation marks, and what follows a verb of reporting
    ("Bob says:") or a label of an example ("Translate:") with a colon, to the end of the line.

    >>> others("Bob says: I moved.")
    ((9, 18),)
    """
    low = _folded(text)
    found = [*_quotations(low), *_labelled(low, speaker, known=True)]
    return merged([*found, *(match.span() for match in _CITED_LINE.finditer(low))])


@lru_cache(KEPT)
def cited(text: str, speaker: str = "") -> tuple[Span, ...]:
    """Where the words of others stand, and what may be: after a label that is not known to be the
    speaker's (`speaker` is theirs), in what is to be translated or not to be believed."""
    low = _folded(text)
    return merged([*others(text, speaker), *_labelled(low, speaker, known=False), *_set_apart(low)])


@lru_cache(KEPT)
def unasserted(text: str, speaker: str = "") -> tuple[Span, ...]:
    """Where the speaker does not say that something is so: in what is cited, and under an "if".

    >>> unasserted("If I move, I will be sad")
    ((0, 24),)
    """
    return merged([*cited(text, speaker), *_conditions(_folded(text))])


@lru_cache(KEPT)
def hearsay(text: str) -> tuple[Span, ...]:
    """Where somebody else's account of the speaker stands: it may be so, but they do not say it.

    >>> hearsay("Mum says I'm ill")
    ((9, 16),)
    """
    low = _folded(text)
    matches = (found for p in _patterns("hearsay") for found in _with_ends(p, low))
    return merged((match.end(), end) for match, end in matches)


def without(text: str, spans: Iterable[Span], start: int = 0) -> str:
    """The text, of the same length, with the spans left out; its own place is `start`."""
    kept, at = [], 0
    for span in spans:
        begin, end = (min(max(place - start, at), len(text)) for place in span)
        kept += [text[at:begin], LEFT_OUT * (end - begin)]
        at = end
    return "".join([*kept, text[at:]])


def has_words(text: str) -> bool:
    """Whether something is left that says anything."""
    return any(map(str.isalnum, text))


def _folded(text: str) -> str:
    return "".join(map(_letter, text))


@cache
def _letter(character: str) -> str:
    low = folded(character)
    return low if len(low) == 1 else character


def _quotations(low: str) -> Iterator[Span]:
    """Quotations that are speech; one that is not closed ends nowhere and is none."""
    opened: tuple[str, int] | None = None
    for mark in _MARKS.finditer(low):
        sign, at = mark[0], mark.start()
        if sign == "\n":
            opened = None if low[at + 1 : at + 2] == "\n" else opened
        elif opened is None:
            closing = _CLOSING.get(sign) or ("'" if sign == "'" and _opens(low, at) else "")
            opened = (closing, at) if closing else None
        elif sign == opened[0] and not (sign == "'" and _opens(low, at)):
            if _speech().search(low, opened[1], at):
                yield opened[1], at + 1
            opened = None


def _opens(low: str, at: int) -> bool:
    return not low[at - 1 : at].isalnum() and low[at + 1 : at + 2].isalnum()


def _labelled(low: str, speaker: str, *, known: bool) -> Iterator[Span]:
    """What follows a label with a colon that is known to be of others, or not known to be own."""
    last = end = 0
    for colon in _COLON.finditer(low):
        before = low[max(last, colon.start() - LABEL) : colon.start()]
        label = _LABEL_START.split(before)[-1]
        last = colon.end()
        if not has_words(label) or (speaker and label.strip() == _folded(speaker).strip()):
            continue
        is_others = any(pattern.search(label) for pattern in _patterns("others_label"))
        if known and is_others:
            yield colon.end(), _line_end(low, colon.end())
        elif not known and not is_others and _is_strange(low, label, colon.end()):
            end = end if colon.end() < end else _end(_SENTENCE_END, low, colon.end())
            yield colon.end(), end


def _is_strange(low: str, label: str, after: int) -> bool:
    """Whether a label is not the speaker's, and somebody speaks of themselves after it."""
    if any(pattern.search(label) for pattern in _patterns("own_label")):
        return False
    return _pattern("first_person").search(low, after, after + LABELLED) is not None


def _set_apart(low: str) -> Iterator[Span]:
    for pattern in _patterns("after_comma"):
        yield from ((m.end(), end) for m, end in _with_ends(pattern, low))
    for pattern in _patterns("set_apart"):
        yield from ((m.start(), end) for m, end in _with_ends(pattern, low))
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(low))]
    for match in _pattern("set_apart_before").finditer(low):
        yield ends[bisect_right(ends, match.start()) - 1], match.end()


def _conditions(low: str) -> Iterator[Span]:
    for match, end in _with_ends(_pattern("condition"), low):
        clause = match["clause"] or match["clause_zh"] or ""
        asks = match["even"] or _pattern("to_the_listener").search(clause)
        if _pattern("speaker").search(low, match.start(), end):
            yield match.start(), (match.end() if asks else end)
    for match in _pattern("when").finditer(low):
        if not _pattern("past").search(match["clause"]):
            yield match.span()


def _with_ends(pattern: re.Pattern[str], low: str) -> Iterator[tuple[re.Match[str], int]]:
    """The matches, each with the end of its sentence, which is looked for once."""
    end = 0
    for match in pattern.finditer(low):
        end = end if match.end() < end else _end(_SENTENCE_END, low, match.end())
        yield match, end


def _end(pattern: re.Pattern[str], low: str, at: int) -> int:
    """Where what goes on at a place ends, its mark included."""
    mark = pattern.search(low, at)
    return mark.end() if mark else len(low)


def _line_end(low: str, at: int) -> int:
    """The end of the line; of the paragraph, where the line ends with the label."""
    end = low.find("\n", at)
    if end >= 0 and not low[at:end].strip():
        end = low.find("\n\n", end + 1)
    return end if end >= 0 else len(low)


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """In order, none overlapping."""
    kept: list[Span] = []
    for start, end in sorted(spans):
        if kept and start <= kept[-1][1]:
            kept[-1] = (kept[-1][0], max(kept[-1][1], end))
        else:
            kept.append((start, end))
    return tuple(kept)


@cache
def _grammar() -> dict[str, str | list[str]]:
    return tomllib.loads(Path(__file__).with_name("voices.toml").read_text("utf-8"))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    """The patterns of one entry of voices.toml. Every part is bounded: time is linear."""
    found = _grammar()[name]
    sources = [found] if isinstance(found, str) else found
    return tuple(re.compile(source) for source in sources)


def _pattern(name: str) -> re.Pattern[str]:
    return _patterns(name)[0]


def _speech() -> re.Pattern[str]:
    return _pattern("speech")
