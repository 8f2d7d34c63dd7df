"""Slots: what a sentence says about its speaker as attribute and value, by patterns."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from ledger.extraction.language import compiled, heard, table
from ledger.extraction.told import as_first_person
from ledger.voices import unasserted

# The files of data/slots, each with a list of `slot`. Of two slots that read the same words, the
# one that stands first in this order wins. In an entry:
#   state: it holds as it is said; turn: it begins to hold; was: it held once; stop: it ceases
#   several: a value may list many
#   beside: it may have its verb in common with another such slot ("a teacher from Oslo")
#   reject: values that are none
#   told: what others say of the speaker fills it too ("Mum says I'm allergic to nuts")
#   time: "timeless" where a date beside it is no period of the slot; "spell" where a past date
#     beside it says when it held (去年我住在北京)
TOPICS = ("names", "health", "tastes", "person", "homes", "work", "contact", "family", "aims")
# How a slot is filled.
STATE, TURN, WAS, STOP = "state", "turn", "was", "stop"
# What a date beside it means.
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
    beside: bool
    told: bool
    pattern: re.Pattern[str]
    reject: re.Pattern[str] | None


@dataclass(frozen=True, kw_only=True)
class Found:
    """A slot that a sentence fills. Spans are places in the whole text.

    `denied`: it says that the slot does not hold so; `no_longer`: that it did.
    """

    attribute: str
    kind: str
    how: str
    time: str
    several: bool
    beside: bool
    span: tuple[int, int]
    value: tuple[int, int] | None
    denied: bool
    no_longer: bool
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
            beside=entry.get("beside", False),
            told=entry.get("told", False),
            pattern=compiled(pattern),
            reject=compiled(rf"^(?:{entry['reject']})$") if "reject" in entry else None,
        )
        for topic in TOPICS
        for entry in table(f"slots/{topic}")["slot"]
        for how in (STOP, WAS, TURN, STATE)
        for pattern in entry.get(how, ())
    )


def values(value: str) -> list[str]:
    """The single things of a value that lists several: "peanuts and shrimp", 下棋、种花和茶."""
    return [part for part in _SEPARATOR.split(value) if part]


def find_slots(text: str, start: int, end: int, speaker: str = "") -> list[Found]:
    """The slots that the sentence text[start:end) fills, in the text's order.

    `text` is plain (see language.plain). Only the own slots of the subject, who speaks, is the
    named `speaker`, or is told of as "the user": what is asked, imagined, quoted or said of
    somebody else fills nothing (see voices.unasserted). None overlap, but that slots which describe
    may have the words before their values in common ("I'm a teacher from Oslo").
    """
    sentence, places = as_first_person(text, start, end, speaker)
    quoted = [match.span() for match in _QUOTED.finditer(sentence)]
    chosen: list[Found] = []
    for found in sorted(_candidates(sentence), key=lambda one: (one.denied, one.order)):
        inside = any(a <= found.span[0] < b for a, b in quoted)
        if not inside and not any(_clash(found, other) for other in chosen):
            chosen.append(found)
    chosen.sort(key=lambda one: (one.span[0], one.value or one.span))
    moved = [_moved(found, start, places) for found in chosen]
    not_said = unasserted(text, speaker)
    return [one for one in moved if not any(a <= one.span[0] < b for a, b in not_said)]


def _candidates(sentence: str) -> Iterator[Found]:
    for order, slot in enumerate(_slots()):
        for match in slot.pattern.finditer(sentence):
            found = _read(sentence, slot, match, order)
            if found is not None:
                yield found


def _read(sentence: str, slot: Slot, match: re.Match[str], order: int) -> Found | None:
    groups = match.groupdict()
    value = _value(sentence, match) if groups.get("v") else None
    if groups.get("v") and (value is None or _refused(slot, match["v"], sentence[slice(*value)])):
        return None
    explicit = "me" not in groups or groups["me"] is not None
    if not _is_own(sentence, match.span(), explicit):
        return None
    opening = sentence[_clause_start(sentence, match.start()) : match.end()]
    denied = any(groups.get(name) for name in ("no", "no2"))
    if _is_hearsay(opening) and (denied or slot.how != STATE or not slot.told):
        return None
    is_past = slot.how == STATE and slot.time != TIMELESS and heard("once", opening) is not None
    how = WAS if is_past else slot.how
    around = sentence[match.start() : _clause_end(sentence, match.end())]
    return Found(
        attribute=slot.attribute,
        kind=slot.kind,
        how=how,
        time=slot.time,
        several=slot.several,
        beside=slot.beside,
        span=match.span(),
        value=value,
        denied=denied,
        no_longer=how in (STOP, WAS) or heard("no_longer", around) is not None,
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


def _is_hearsay(opening: str) -> bool:
    """Whether the clause begins with who says so."""
    return heard("reported", opening) is not None


def _clause_start(sentence: str, at: int) -> int:
    return max((match.end() for match in _CLAUSE_END.finditer(sentence, 0, at)), default=0)


def _clause_end(sentence: str, at: int) -> int:
    """Where the clause ends, its mark included."""
    mark = _CLAUSE_END.search(sentence, at)
    return mark.end() if mark else len(sentence)


def _clash(one: Found, other: Found) -> bool:
    """Whether both read the same words: those of the value, where they describe beside another."""
    both = one.beside and other.beside and one.attribute != other.attribute
    if both and one.value and other.value:
        return _overlap(one.value, other.value)
    return _overlap(one.span, other.span)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _moved(found: Found, by: int, places: list[int]) -> Found:
    """With spans in the whole text. `places`: see told.as_first_person."""

    def moved(span: tuple[int, int]) -> tuple[int, int]:
        start, end = (places[span[0]], places[span[1]]) if places else span
        return start + by, end + by

    return replace(found, span=moved(found.span), value=found.value and moved(found.value))
