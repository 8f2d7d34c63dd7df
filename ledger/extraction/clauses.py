"""Pieces: a sentence cut where it holds separate facts, and without courtesies at its ends."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ledger.dates import Dated
from ledger.extraction.language import heard
from ledger.extraction.slots import Found, find_slots
from ledger.extraction.trimming import trimmed
from ledger.voices import others, without

Span = tuple[int, int]
# Where one fact may end and the next begin.
_JOINT = re.compile(r"[,;、]\s*|\s+(?:and|but|so|also|where)\s+", re.IGNORECASE)
# Cues of what is a memory of its own beside a slot, in a clause of its own.
_ACTS = ("commitment", "instruction", "duty")
_HAPPENINGS = ("happened", "planned", "past_verb")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What becomes one draft: a span of the text, and the slot that it fills, if any.

    `more` are slots of the same words. `sentence` is where its sentence stands. `leans`: it is a
    whole sentence that cannot be understood without the one before. `act`: it has a cue of a
    commitment or an instruction.
    """

    span: Span
    sentence: Span
    found: Found | None = None
    more: tuple[Found, ...] = ()
    leans: bool = False
    act: bool = False


@dataclass(frozen=True)
class _Anchor:
    """The words around which a piece grows."""

    span: Span
    found: Found | None = None
    more: tuple[Found, ...] = ()
    act: bool = False


def pieces(
    plain: str, start: int, end: int, dates: Sequence[Dated] = (), speaker: str = ""
) -> list[Piece]:
    """The sentence plain[start:end) as pieces that do not overlap; none if it asks the agent.

    Each clause that fills a slot begins a piece, and so does one that, beside a slot, is to be
    done or took place at one of `dates`; the clauses after it belong to it, so that nothing is
    stored twice. Left out are greetings, courtesies and questions at the ends, and the "and"
    between two pieces. `speaker`: see drafts.Said.
    """
    anchors = _anchors(plain, start, end, dates, speaker)
    if not anchors and _asks_the_agent(plain[start:end]):
        return []
    begins = [_begin(plain, one.span, before.span) for before, one in pairwise(anchors)]
    cuts = [start, *begins, end]
    leans = not anchors and heard("leaning", plain[start:end]) is not None
    made = [
        Piece(
            span=trimmed(plain, span, one.found.span if one.found else None),
            sentence=(start, end),
            found=one.found,
            more=one.more,
            leans=leans,
            act=one.act,
        )
        for span, one in zip(pairwise(cuts), anchors or [_Anchor((start, end))], strict=True)
    ]
    whole = Piece(span=(start, end), sentence=(start, end))
    return [piece for piece in made if piece.span[0] < piece.span[1]] or [whole]


def _asks_the_agent(sentence: str) -> bool:
    """Whether it is a question to the agent and nothing besides."""
    start, end = trimmed(sentence, (0, len(sentence)), None)
    rest = sentence[start:end]
    is_said = any(heard(name, rest) for name in ("commitment", "instruction", "recurring"))
    return not is_said and heard("asks_agent", rest) is not None


def _anchors(
    plain: str, start: int, end: int, dates: Sequence[Dated], speaker: str
) -> list[_Anchor]:
    """In the text's order; no two of them in words that cannot be cut."""
    slots = _separate(plain, find_slots(plain, start, end, speaker))
    if not slots:
        own = without(plain[start:end], others(plain, speaker), start)
        acts = [name for name in _ACTS[:2] if heard(name, own)]
        return [_Anchor((start, end), act=True)] if acts else []
    anchors = [*slots, *_besides(plain, start, end, slots, dates)]
    anchors.sort(key=lambda one: one.span)
    kept = [anchors[0]]
    for one in anchors[1:]:
        # Of clauses without a slot, those after the first go with it.
        if (one.found or kept[-1].found) and _begin(plain, one.span, kept[-1].span) > 0:
            kept.append(one)
    return kept


def _separate(plain: str, found: list[Found]) -> list[_Anchor]:
    """One anchor for each slot, or for several of the same words."""
    kept: list[_Anchor] = []
    for one in found:
        if not kept or _begin(plain, one.span, kept[-1].span) > 0:
            kept.append(_Anchor(one.span, one))
        else:
            last = kept[-1]
            span = (last.span[0], max(last.span[1], one.span[1]))
            kept[-1] = _Anchor(span, last.found, (*last.more, one))
    return kept


def _besides(
    plain: str, start: int, end: int, slots: list[_Anchor], dates: Sequence[Dated]
) -> list[_Anchor]:
    """Clauses without a slot that are memories of their own."""
    joints = list(_JOINT.finditer(plain, start, end))
    edges = [(start, start), *((joint.start(), joint.end()) for joint in joints), (end, end)]
    clauses = [(before[1], after[0]) for before, after in pairwise(edges)]
    return [
        _Anchor(clause, act=is_act)
        for clause in clauses
        if not any(clause[0] < one.span[1] and one.span[0] < clause[1] for one in slots)
        and ((is_act := _is_act(plain[slice(*clause)])) or _happens(plain, clause, dates))
    ]


def _is_act(clause: str) -> bool:
    return any(heard(name, clause) for name in _ACTS)


def _happens(plain: str, clause: Span, dates: Sequence[Dated]) -> bool:
    """Whether it took or takes place at a date that it names, and tells of nobody named before."""
    dated = any(clause[0] <= date.start < clause[1] for date in dates)
    words = plain[slice(*clause)]
    if not dated or heard("pronoun", words) is not None:
        return False
    return any(heard(name, words) for name in _HAPPENINGS)


def _begin(plain: str, one: Span, before: Span) -> int:
    """Where the piece of `one` begins, after the one `before` it; -1 if there is no such place."""
    joints = list(_JOINT.finditer(plain, max(0, before[1] - 1), one[0] + 1))
    if joints:
        return joints[-1].end() if joints[-1].end() <= one[0] else joints[-1].start()
    glued = plain[before[1] : one[0]].strip() == "" and before[1] <= one[0]
    return one[0] if glued and _is_han(plain, one[0]) else -1


def _is_han(plain: str, at: int) -> bool:
    return "\u4e00" <= plain[at : at + 1] <= "\u9fff"
