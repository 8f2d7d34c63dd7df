"""Slots: what a sentence says about its speaker as attribute and value, by patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ledger.extraction.language import compiled, heard, table

# How a slot is filled, in the order of the data file's lists.
STATE, TURN, WAS, STOP = "state", "turn", "was", "stop"
# What a date beside it means (see the data file).
TIMELESS, SPELL = "timeless", "spell"

_CLAUSE_END = re.compile(r"[,;。!?\n]")
_QUOTED = re.compile(r"“[^”\n]{0,400}”|「[^」\n]{0,400}」|\"[^\"\n]{0,400}\"|《[^》\n]{0,100}》")
_LEADING = re.compile(r"(?:the|a|an|my|is|about)\s+(?=\S)", re.IGNORECASE)
_TRAILING = re.compile(
    r"(?:[\s,.;:、~]|[了呢啊呀吧哦哈啦嘛哟喔]|\b(?:too|now|lol|haha|and|very much))+$"
)
_SEPARATOR = re.compile(r"\s*(?:、|,|，|和|以及|还有|\band\b|&)\s*")
_ASKED = re.compile(r"什么|哪|谁|多少|怎么|\bwhat\b|\bwhere\b|\bwhich\b", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One way in which an attribute is spoken of."""

    attribute: str
    kind: str
    how: str
    time: str
    several: bool
    pattern: re.Pattern[str]
    reject: re.Pattern[str] | None


@dataclass(frozen=True, kw_only=True)
class Found:
    """A slot that a sentence fills. Spans are places in the whole text.

    `denied`: it says that the slot does not hold so; `no_longer`: that it did. `explicit`: it
    names its subject, and does not only go on from the clause before.
    """

    attribute: str
    kind: str
    how: str
    time: str
    several: bool
    span: tuple[int, int]
    value: tuple[int, int] | None
    denied: bool
    no_longer: bool
    explicit: bool
    order: int


@cache
def _slots() -> tuple[Slot, ...]:
    return tuple(
        Slot(
            attribute=entry["attribute"],
            kind=entry.get("kind", "fact"),
            how=how,
            time=entry.get("time", ""),
            several=entry.get("several", False),
            pattern=compiled(pattern),
            reject=compiled(rf"^(?:{entry['reject']})$") if "reject" in entry else None,
        )
        for entry in table("slots")["slot"]
        for how in (STOP, WAS, TURN, STATE)
        for pattern in entry.get(how, ())
    )


def values(value: str) -> list[str]:
    """The single things of a value that lists several: "peanuts and shrimp", 下棋、种花和茶."""
    return [part for part in _SEPARATOR.split(value) if part]


def find_slots(text: str, start: int, end: int) -> list[Found]:
    """The slots that the sentence text[start:end) fills, none overlapping, in the text's order.

    `text` is plain (see language.plain). Only the speaker's own: what is asked, imagined, quoted or
    said of somebody else fills nothing.
    """
    sentence = text[start:end]
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    chosen: list[Found] = []
    for found in sorted(_candidates(sentence), key=lambda one: (one.denied, one.order)):
        inside = any(a <= found.span[0] < b for a, b in quoted)
        if not inside and not any(_overlap(found.span, other.span) for other in chosen):
            chosen.append(found)
    chosen.sort(key=lambda one: one.span)
    return [_moved(found, start) for found in chosen]


def _candidates(sentence: str) -> Iterator[Found]:
    for order, slot in enumerate(_slots()):
        for match in slot.pattern.finditer(sentence):
            found = _read(sentence, slot, match, order)
            if found is not None:
                yield found


def _read(sentence: str, slot: Slot, match: re.Match[str], order: int) -> Found | None:
    groups = match.groupdict()
    value = _value(sentence, match) if "v" in groups else None
    if "v" in groups and (value is None or _refused(slot, match["v"], sentence[slice(*value)])):
        return None
    explicit = "me" not in groups or groups["me"] is not None
    if not _is_own(sentence, match.span(), explicit):
        return None
    opening = sentence[_clause_start(sentence, match.start()) : match.end()]
    is_past = slot.how == STATE and slot.time != TIMELESS and heard("once", opening) is not None
    how = WAS if is_past else slot.how
    around = sentence[match.start() : _clause_end(sentence, match.end())]
    return Found(
        attribute=slot.attribute,
        kind=slot.kind,
        how=how,
        time=slot.time,
        several=slot.several,
        span=match.span(),
        value=value,
        denied=any(groups.get(name) for name in ("no", "no2")),
        no_longer=how in (STOP, WAS) or heard("no_longer", around) is not None,
        explicit=explicit,
        order=order,
    )


def _value(sentence: str, match: re.Match[str]) -> tuple[int, int] | None:
    """The span of the value without articles before it and particles after it, or None."""
    start, end = match.span("v")
    leading = _LEADING.match(sentence, start, end)
    start = leading.end() if leading and leading.end() < end else start
    trailing = _TRAILING.search(sentence[start:end])
    end = start + trailing.start() if trailing else end
    return (start, end) if start < end else None


def _refused(slot: Slot, *forms: str) -> bool:
    """Whether the value, as matched or cleaned, is none."""
    if any(_ASKED.search(form) for form in forms) or not any(map(str.isalnum, forms[-1])):
        return True
    return slot.reject is not None and any(slot.reject.search(form) for form in forms)


def _is_own(sentence: str, span: tuple[int, int], explicit: bool) -> bool:
    """Whether it is said of the speaker, as being so."""
    before = sentence[: span[0]]
    clause = sentence[_clause_start(sentence, span[0]) : _clause_end(sentence, span[1])]
    opening = sentence[_clause_start(sentence, span[0]) : span[0]]
    if heard("question", clause) or heard("imagined", opening):
        return False
    return explicit or heard("others", before) is None


def _clause_start(sentence: str, at: int) -> int:
    return max((match.end() for match in _CLAUSE_END.finditer(sentence, 0, at)), default=0)


def _clause_end(sentence: str, at: int) -> int:
    """Where the clause ends, its mark included."""
    mark = _CLAUSE_END.search(sentence, at)
    return mark.end() if mark else len(sentence)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _moved(found: Found, by: int) -> Found:
    span = (found.span[0] + by, found.span[1] + by)
    value = found.value and (found.value[0] + by, found.value[1] + by)
    return replace(found, span=span, value=value)
