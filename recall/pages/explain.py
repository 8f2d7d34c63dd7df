"""A stored trace in the words of the person who reads it: one sentence a memory, and the numbers.

Nothing is computed anew: every sentence is read off the trace.
"""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from ledger.pages.words import kind_word, status_word
from ledger.selectors import MemoryView
from recall.gate import BEYOND_TOP_K, RETURNED
from recall.pages.because import because
from recall.pages.changing import Believed
from recall.pages.words import (
    ARM_WORDS,
    PART_WORDS,
    STAGE_WORDS,
    STRATEGY_WORDS,
    VERDICT_WORDS,
    filters_in_words,
    missing_words,
)
from recall.traces import ReplyView, TracedCandidate, TraceView


@dataclass(frozen=True)
class Part:
    """One part of a score: a number from 0 to 1, and its weight in the policy."""

    name: str
    value: str
    of100: int
    weight: float | None


@dataclass(frozen=True)
class Arm:
    """What one way of searching said."""

    name: str
    rank: int
    score: float


@dataclass(frozen=True)
class Explained:
    """One candidate, explained. `memory` is None once it was erased; `now` is what is believed of
    it today, for those who may change that.
    """

    place: int
    memory: MemoryView | None
    now: Believed | None
    memory_id: UUID
    version_id: UUID
    address: str
    kind: str
    status: str
    because: str
    score: float
    weight: float
    parts: list[Part]
    arms: list[Arm]
    in_context: bool
    in_reply: bool
    verdict: str

    @property
    def says_otherwise(self) -> bool:
        """Whether it was corrected since, or changed."""
        return bool(self.memory and self.now and self.memory.content != self.now.content)


@dataclass(frozen=True)
class Group:
    """The candidates that one rule held back, best first."""

    verdict: str
    title: str
    reason: str
    items: list[Explained]


@dataclass(frozen=True)
class Said:
    """What an agent said with the answer, and which of its memories it used."""

    reply: ReplyView
    actor: str
    used: list[Explained]


@dataclass(frozen=True)
class Explanation:
    """A trace, explained. `unlisted` memories were compared and are told of by number only."""

    answer: list[Explained]
    groups: list[Group]
    said: list[Said]
    unlisted: int
    answerable: float | None
    missing: list[str]
    kinds: str
    filters: list[tuple[str, str]]
    encoder: str
    strategy: list[tuple[str, str]]
    milliseconds: list[tuple[str, float]]
    total_milliseconds: float

    @property
    def in_context(self) -> int:
        return sum(item.in_context for item in self.answer)

    @property
    def held_back(self) -> int:
        return self.unlisted + sum(len(group.items) for group in self.groups)


def explain(trace: TraceView, names: dict[str, str], believed: dict[UUID, Believed]) -> Explanation:
    """Everything that the page says about one recall. `names` are those of actors."""
    record = trace.record
    used = {memory for reply in trace.replies for memory in reply.used}
    items = [_explained(c, record, used, believed) for c in trace.candidates]
    # Its place in the answer, instead of the one among all candidates.
    answer = [
        replace(item, place=place)
        for place, item in enumerate((i for i in items if i.verdict == RETURNED), start=1)
    ]
    times = record["milliseconds"]
    return Explanation(
        answer=answer,
        groups=_groups([item for item in items if item.verdict != RETURNED]),
        said=[
            Said(reply, names[reply.actor], [i for i in answer if i.memory_id in reply.used])
            for reply in trace.replies
        ],
        # Traces that were stored by an earlier version lack some of what follows.
        unlisted=max(0, record.get("considered", 0) - len(items)),
        answerable=record.get("answerable"),
        missing=[missing_words(name) for name in record.get("missing", ())],
        kinds=_("; ").join(kind_word(kind) for kind in record["kinds"]),
        filters=filters_in_words(record.get("filters") or {}),
        encoder=record["encoder"],
        strategy=[
            (capfirst(str(ARM_WORDS.get(arm, arm))), str(STRATEGY_WORDS.get(text, text)))
            for arm, text in _in_order(record["strategy"], ARM_WORDS)
        ],
        milliseconds=[
            (str(STAGE_WORDS.get(name, name)), ms) for name, ms in _in_order(times, STAGE_WORDS)
        ],
        total_milliseconds=sum(times.values()),
    )


def _in_order(found: dict[str, Any], words: dict[str, Any]) -> list[tuple[str, Any]]:
    """In the order of the words for it; what is not known comes last."""
    places = {name: place for place, name in enumerate(words)}
    return sorted(found.items(), key=lambda item: places.get(item[0], len(places)))


def _explained(
    candidate: TracedCandidate,
    trace_record: dict[str, Any],
    used: set[UUID],
    believed: dict[UUID, Believed],
) -> Explained:
    record, memory = candidate.record, candidate.memory
    memory_id = UUID(record["memory"])
    returned = record["verdict"] == RETURNED
    return Explained(
        place=record["place"],
        memory=memory,
        now=believed.get(memory_id),
        memory_id=memory_id,
        version_id=UUID(record["version"]),
        address="?" + urlencode(_point(trace_record)),
        kind=kind_word(memory.kind) if memory else "",
        status=status_word(memory.status) if memory else "",
        because=because(record, meaning_asked="vector" not in trace_record.get("missing", ())),
        score=record["score"],
        weight=record["weight"],
        parts=_parts(record, trace_record["weights"]),
        arms=[
            Arm(str(ARM_WORDS.get(name, name)), arm["rank"], arm["score"])
            for name, arm in record["arms"].items()
        ],
        in_context=record["in_context"],
        in_reply=memory_id in used and returned,
        verdict=record["verdict"],
    )


def _point(record: dict[str, Any]) -> dict[str, Any]:
    """The point that the question was answered for, as the memory's page takes it."""
    answered = record["answered_at"]
    if answered["known_at"] == answered["valid_at"]:
        return {"valid_at": answered["valid_at"], "seq": answered["seq"]}
    return {"valid_at": answered["valid_at"], "known_at": answered["known_at"]}


def _parts(record: dict[str, Any], weights: dict[str, float]) -> list[Part]:
    return [
        Part(str(words), f"{value:.3f}", round(value * 100), weights.get(name))
        for name, words in PART_WORDS.items()
        if (value := record["score_breakdown"].get(name)) is not None
    ]


def _groups(items: list[Explained]) -> list[Group]:
    """By rule; what the rules held back before what was merely not among the best."""
    verdicts = sorted({i.verdict for i in items}, key=lambda v: (v == BEYOND_TOP_K, v))
    groups = []
    for verdict in verdicts:
        title, reason = VERDICT_WORDS.get(verdict, (verdict, ""))
        members = [item for item in items if item.verdict == verdict]
        groups.append(Group(verdict, str(title), str(reason), members))
    return groups
