"""A stored trace in the words of the person who reads it: one sentence a memory, and the numbers.

Nothing is computed anew: every sentence is read off the trace.
"""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from ledger.pages.words import kind_word, status_word
from ledger.selectors import MemoryView
from recall.traces import TracedCandidate, TraceView

RETURNED = "returned"
# From here on a memory is called recent (no older than one half-life) or important.
RECENT = 0.5
IMPORTANT = 0.8

PART_WORDS = {
    "relevance": pgettext_lazy("score", "Fits the question"),
    "recency": pgettext_lazy("score", "Recent"),
    "importance": pgettext_lazy("score", "Important"),
}
ARM_WORDS = {
    "lexical": gettext_lazy("by shared words"),
    "vector": gettext_lazy("by meaning"),
}
STRATEGY_WORDS = {
    "exact within the subject": gettext_lazy("every memory of this subject compared, none skipped"),
    "BM25 over hashed terms": gettext_lazy("BM25 over keyed hashes of the words"),
}
STAGE_WORDS = {
    "scope": gettext_lazy("finding the subject, and taking in what was just written"),
    "encode": gettext_lazy("turning the question into a vector"),
    "arms": gettext_lazy("searching by words and by meaning"),
    "rank": gettext_lazy("scoring, and applying the rules"),
    "pack": gettext_lazy("packing the context"),
}
# For each rule of the gate, and for the end of the list: a heading, and why.
VERDICT_WORDS = {
    "beyond_top_k": (
        gettext_lazy("Not among the best"),
        gettext_lazy("Nothing speaks against them; better ones had filled the answer."),
    ),
    "pending_review": (
        gettext_lazy("Waiting for review"),
        gettext_lazy("Nobody has approved them yet."),
    ),
    "not_yet_valid": (
        gettext_lazy("Not yet true"),
        gettext_lazy("They become true only after the moment that was asked about."),
    ),
    "ended": (
        gettext_lazy("No longer true"),
        gettext_lazy("They had stopped being true by the moment that was asked about."),
    ),
    "expired": (
        gettext_lazy("Expired"),
        gettext_lazy("Whoever wrote them wanted them used for a limited time only."),
    ),
    "other_kind": (
        gettext_lazy("Of another kind"),
        gettext_lazy("The question asked for certain kinds of memories only."),
    ),
    "below_min_score": (
        gettext_lazy("Score too low"),
        gettext_lazy("The question set a least score, and they are below it."),
    ),
}


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
    of: int
    score: float


@dataclass(frozen=True)
class Explained:
    """One candidate, explained. `memory` is None once it was erased."""

    place: int
    memory: MemoryView | None
    memory_id: UUID
    address: str
    kind: str
    status: str
    because: str
    score: float
    weight: float
    parts: list[Part]
    arms: list[Arm]
    in_context: bool
    verdict: str


@dataclass(frozen=True)
class Group:
    """The candidates that one rule held back, best first."""

    verdict: str
    title: str
    reason: str
    items: list[Explained]


@dataclass(frozen=True)
class Explanation:
    """A trace, explained."""

    answer: list[Explained]
    groups: list[Group]
    kinds: str
    encoder: str
    strategy: list[tuple[str, str]]
    milliseconds: list[tuple[str, float]]
    total_milliseconds: float

    @property
    def in_context(self) -> int:
        return sum(item.in_context for item in self.answer)

    @property
    def held_back(self) -> int:
        return sum(len(group.items) for group in self.groups)


def explain(trace: TraceView) -> Explanation:
    """Everything that the page says about one recall."""
    record = trace.record
    found = _found(trace.candidates)
    items = [_explained(c, found, record) for c in trace.candidates]
    times = record["milliseconds"]
    return Explanation(
        answer=[
            _placed(item, place)
            for place, item in enumerate((i for i in items if i.verdict == RETURNED), start=1)
        ],
        groups=_groups([item for item in items if item.verdict != RETURNED]),
        kinds=_("; ").join(kind_word(kind) for kind in record["kinds"]),
        encoder=record["encoder"],
        strategy=[
            (capfirst(str(ARM_WORDS.get(arm, arm))), str(STRATEGY_WORDS.get(text, text)))
            for arm, text in record["strategy"].items()
        ],
        milliseconds=[(str(STAGE_WORDS.get(name, name)), ms) for name, ms in times.items()],
        total_milliseconds=sum(times.values()),
    )


def _found(candidates: list[TracedCandidate]) -> dict[str, int]:
    """How many candidates each arm found."""
    return {
        arm: sum(arm in candidate.record["arms"] for candidate in candidates) for arm in ARM_WORDS
    }


def _explained(
    candidate: TracedCandidate, found: dict[str, int], trace_record: dict[str, Any]
) -> Explained:
    record, memory = candidate.record, candidate.memory
    return Explained(
        place=record["place"],
        memory=memory,
        memory_id=UUID(record["memory"]),
        address="?" + urlencode(_point(trace_record)),
        kind=kind_word(memory.kind) if memory else "",
        status=status_word(memory.status) if memory else "",
        because=because(record, found),
        score=record["score"],
        weight=record["weight"],
        parts=_parts(record, trace_record["weights"]),
        arms=[
            Arm(str(ARM_WORDS.get(name, name)), arm["rank"], found.get(name, 0), arm["score"])
            for name, arm in record["arms"].items()
        ],
        in_context=record["in_context"] and record["verdict"] == RETURNED,
        verdict=record["verdict"],
    )


def _placed(item: Explained, place: int) -> Explained:
    """The same with its place in the answer, instead of among all candidates."""
    return Explained(**{**vars(item), "place": place})


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
    verdicts = sorted({i.verdict for i in items}, key=lambda v: (v == "beyond_top_k", v))
    groups = []
    for verdict in verdicts:
        title, reason = VERDICT_WORDS.get(verdict, (verdict, ""))
        members = [item for item in items if item.verdict == verdict]
        groups.append(Group(verdict, str(title), str(reason), members))
    return groups


def because(record: dict[str, Any], found: dict[str, int]) -> str:
    """Why one candidate stands where it stands, in one sentence."""
    reasons = _reasons_of_search(record["arms"], found)
    breakdown = record["score_breakdown"]
    if breakdown.get("recency", 0) >= RECENT:
        reasons.append(_("recent"))
    if breakdown.get("importance", 0) >= IMPORTANT:
        reasons.append(_("marked as important"))
    if record["weight"] > 1:
        reasons.append(_("weighs more than usual"))
    if record["weight"] < 1:
        reasons.append(_("weighs less than usual"))
    return _("%(reasons)s.") % {"reasons": capfirst(_("; ").join(reasons))}


def _reasons_of_search(arms: dict[str, Any], found: dict[str, int]) -> list[str]:
    words, meaning = arms.get("lexical"), arms.get("vector")
    if words and meaning and words["rank"] == meaning["rank"] == 1:
        return [_("the best match, both by meaning and by shared words")]
    return [_reason_of_meaning(meaning, found), _reason_of_words(words, found)]


def _reason_of_meaning(arm: dict[str, Any] | None, found: dict[str, int]) -> str:
    if arm is None:
        return _("its meaning had not been compared yet")
    if arm["rank"] == 1:
        return _("closest to the question in meaning")
    numbers = {"rank": arm["rank"], "of": found["vector"]}
    return _("no. %(rank)d of %(of)d by meaning") % numbers


def _reason_of_words(arm: dict[str, Any] | None, found: dict[str, int]) -> str:
    if arm is None:
        return _("shares no word with the question")
    if found["lexical"] == 1:
        return _("the only one that shares words with the question")
    if arm["rank"] == 1:
        return _("best match by shared words")
    numbers = {"rank": arm["rank"], "of": found["lexical"]}
    return _("no. %(rank)d of %(of)d by shared words") % numbers
