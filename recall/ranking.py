"""Search and rank: from a question to candidates with the score and rank of every arm.

What is asked of the database is asked here; the numbers themselves are worked out by pure modules
(recall.signals, recall.relevance, recall.scoring, recall.gate).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from recall import reading, scoring
from recall.asking import Wanted, wanted
from recall.candidates import ArmScore, Candidate
from recall.encoders import Vectors
from recall.exchange import Asked
from recall.gate import NOT_ANSWERED, RULES, gate
from recall.looking import look
from recall.relevance import Signals, relevance
from recall.signals import signals_of
from recall.snapshot import Array, Snapshot

# From here on it is more likely than not that something answers.
EVEN = 0.5


@dataclass(frozen=True, eq=False)
class Found:
    """What the arms say of the versions that were believed; `strategy` says how they searched."""

    snapshot: Snapshot
    signals: Signals
    strategy: dict[str, str]
    not_encoded: int

    @property
    def seq(self) -> int:
        return self.snapshot.seq


@dataclass(frozen=True, eq=False)
class Ranked:
    """The candidates, best first, those that may be returned (`passed`) and all (`candidates`).

    `answerable` is how likely it is, 0 to 1, that anything said answers the question.
    """

    candidates: list[Candidate]
    passed: list[Candidate]
    answerable: float


def search(asked: Asked, vector: Vectors | None, missing: list[str]) -> Found:
    """Ask every arm."""
    asking = wanted(
        asked.question.query, asked.said, asked.at.valid_at, ZoneInfo(asked.subject.time_zone)
    )
    terms = _hashed(asked, asking)
    postings = reading.read_postings(asked.subject.id, sorted(set(terms.values())))
    snapshot, strategy = look(
        asked.cipher, asked.at, asked.policy, asked.principal.agent, vector, postings, missing
    )
    if vector is None:
        strategy["vector"] = "not asked: the encoder is away"
    signals = signals_of(snapshot, postings, terms, asking, vector, asked.policy.ranking)
    return Found(snapshot, signals, strategy, int(np.isnan(signals.vector).sum()))


def rank(asked: Asked, found: Found) -> Ranked:
    """Fuse, score and gate; the candidates that the trace tells of, best first."""
    rules, question, rows = asked.policy.ranking, asked.question, found.snapshot.versions
    fused = relevance(found.signals, rules)
    parts = scoring.parts(rows, fused.relevance, rules, asked.at.valid_at)
    scores = scoring.score(rows, parts, rules)
    held_back = gate(
        found.snapshot,
        scores,
        valid_at=asked.at.valid_at,
        kinds=frozenset(question.kinds),
        min_score=question.min_score,
    )
    # One sum on one scale for every question: its highest value says whether there is an answer.
    chance = float(fused.relevance[held_back < 0].max(initial=0.0))
    # Ties are broken by the id, so that the same question has the same answer.
    order = np.lexsort((rows["id"].view("S16"), -scores))
    order = order[found.signals.found[order]]
    passing = order[held_back[order] < 0]
    kept = [*passing[: rules.candidates], *order[held_back[order] >= 0][: rules.candidates]]
    arms = _ranks(found.signals, passing)
    least = rules.answerable_from * min(1, (held_back < 0).sum() / rules.answerable_memories)
    answerable = chance / (chance + least) if chance > 0 else 0.0
    candidates = []
    for place in sorted(kept, key=lambda place: (-scores[place], bytes(rows["id"][place]))):
        rule = RULES[held_back[place]] if held_back[place] >= 0 else None
        candidates.append(
            Candidate(
                version_id=UUID(bytes=bytes(rows["id"][place])),
                memory_id=UUID(bytes=bytes(rows["memory"][place])),
                weight=float(rows["weight"][place]),
                arms={name: arm for name, of in arms.items() if (arm := of(place))},
                breakdown={name: float(part[place]) for name, part in parts.items()},
                score=float(scores[place]),
                withheld_by=rule or (None if answerable >= EVEN else NOT_ANSWERED),
            )
        )
    return Ranked(candidates, [c for c in candidates if c.withheld_by is None], answerable)


def _hashed(asked: Asked, asking: Wanted) -> dict[str, int]:
    """The question's terms and marks, as they are stored."""
    anchored = asking.anchor.terms if asking.anchor else ()
    named: Iterable[str] = {*asking.terms, *asking.marks, *anchored}
    return {term: asked.cipher.term(term) for term in named}


def _ranks(signals: Signals, passing: Array) -> dict[str, Any]:
    """For each arm a function from a version's place to its score and rank in that arm.

    Ranks count what may be returned; what is held back has the rank that it would have there.
    """
    found = {}
    for name, scores in signals.arms().items():
        ranked = np.sort(-scores[passing][~np.isnan(scores[passing])])
        found[name] = _arm(scores, ranked)
    return found


def _arm(scores: Array, ranked: Array) -> Any:
    def of(place: int) -> ArmScore | None:
        score = float(scores[place])
        if np.isnan(score):
            return None
        return ArmScore(score, int(np.searchsorted(ranked, -score)) + 1)

    return of
