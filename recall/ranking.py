"""Search and rank: from a question to candidates with the score and rank of every arm.

What is asked of the database is asked here; the numbers themselves are worked out by pure modules
(recall.signals, recall.relevance, recall.scoring, recall.gate).
"""

from dataclasses import dataclass
from functools import cached_property
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np

from ledger.policy.recall import Ranking
from recall import reading, scoring
from recall.arrays import Array
from recall.asking import Wanted, take_apart
from recall.candidates import ArmScore, Candidate
from recall.encoders import BUNDLED, Vectors
from recall.exchange import Asked
from recall.gate import NOT_ANSWERED, RULES, gate, with_min_score
from recall.looking import NOT_ASKED, look
from recall.reading import State
from recall.relevance import Signals, relevance
from recall.sensitive import withheld_marks
from recall.signals import signals_of
from recall.snapshot import Snapshot

# What fits less does not fit at all.
LEAST_FIT = 1e-6
# From here on it is more likely than not that something answers.
EVEN = 0.5
# Behind the point, of every score that an answer or a trace shows.
TOLD_DIGITS = 6


@dataclass(frozen=True, eq=False)
class Found:
    """What the arms say of the versions that were believed; `strategy` says how they searched.

    `matching` marks those that the question's filters let pass; None: all of them. `sensitive`
    marks those that it must not bring; None: there are none. `not_encoded` counts the versions that
    have no vector of their own yet.
    """

    snapshot: Snapshot
    matching: Array | None
    sensitive: Array | None
    signals: Signals
    strategy: dict[str, str]
    not_encoded: int


@dataclass(frozen=True, eq=False)
class Ranked:
    """The candidates, best first, those that may be returned (`passed`) and all (`candidates`).

    `answerable` is how likely it is, 0 to 1, that anything said answers the question.
    """

    candidates: list[Candidate]
    passed: list[Candidate]
    answerable: float


@dataclass(frozen=True, eq=False)
class Judged:
    """What n versions are worth: how well each fits the question, the parts of their scores by
    name, the scores, and the number of the rule in RULES that holds each back, or -1. Shapes (n).
    """

    fits: Array
    parts: dict[str, Array]
    scores: Array
    held_back: Array

    @cached_property
    def passes(self) -> Array:
        """Which of them the gate lets pass."""
        result: Array = self.held_back < 0
        return result


def wants_of(asked: Asked) -> Wanted:
    """What the question asks for, by its words."""
    zone = ZoneInfo(asked.subject.time_zone)
    return take_apart(asked.question.query, asked.said, asked.at.valid_at, zone)


def search(
    asked: Asked, wants: Wanted, state: State, vector: Vectors | None, missing: list[str]
) -> Found:
    """Ask every arm, the one by meaning only with a vector; `missing` is told of what was away."""
    hashed = _hashed(asked, wants)
    hashes = sorted(set(hashed.values()))
    first = reading.read_postings(asked.subject.id, hashes if state.crowded else [])
    snapshot, strategy = look(
        asked.cipher,
        state,
        asked.at,
        asked.policy,
        asked.principal.agent,
        vector,
        first,
        missing,
        asked.question.filters,
    )
    matching = _matching(asked, snapshot, narrowed="index" not in strategy)
    # After the versions: of those that a writer adds in between nothing is known then, and of what
    # is known nothing is missing.
    postings = reading.read_postings(asked.subject.id, hashes)
    if vector is None:
        strategy["vector"] = NOT_ASKED
    if asked.principal.agent:
        # How rare a word is among what other agents were told is theirs to know.
        postings = postings[snapshot.places(postings["version"])[0]]
        snapshot = snapshot.alone()
    signals = signals_of(snapshot, postings, hashed, wants, vector, asked.policy.ranking)
    not_encoded = int(np.isnan(signals.vector).sum())
    return Found(snapshot, matching, _sensitive(asked, snapshot), signals, strategy, not_encoded)


def _matching(asked: Asked, snapshot: Snapshot, *, narrowed: bool) -> Array | None:
    """Which versions the question's filters let pass; None if all do, as where they `narrowed` down
    already what is looked at (recall.looking).

    Read after the versions, of all times: labels of a version never change, so that none of these
    is missed because a writer has just ended it.
    """
    filters = asked.question.filters
    if narrowed or not filters.given:
        return None
    return _those(reading.read_matching(asked.subject.id, filters), snapshot)


def _sensitive(asked: Asked, snapshot: Snapshot) -> Array | None:
    """Which versions speak of what the question must not bring; None: the policy guards nothing.

    Read after the versions, as postings are: nothing is missed that a writer adds in between.
    """
    marks = withheld_marks(asked.question.query, asked.policy.sensitive)
    if not marks:
        return None
    postings = reading.read_postings(asked.subject.id, [asked.cipher.term(mark) for mark in marks])
    return _those(postings["version"], snapshot)


def _those(ids: Array, snapshot: Snapshot) -> Array:
    """Which versions have one of the ids: shape (n)."""
    result = np.zeros(len(snapshot), bool)
    result[snapshot.places(ids)[1]] = True
    return result


def _hashed(asked: Asked, wants: Wanted) -> dict[str, int]:
    """The question's terms and marks, as they are stored.

    Those of its exact things are not always among its terms: in "RTX4090'll" the word is another.
    """
    anchored = wants.anchor.terms if wants.anchor else ()
    named = {*wants.terms, *wants.marks, *wants.exact, *anchored}
    return {term: asked.cipher.term(term) for term in named}


def rank(asked: Asked, found: Found) -> Ranked:
    """Fuse, score and gate; the candidates that the trace tells of, best first."""
    judged = _judge(asked, found)
    answerable = _answerable(found.signals, judged, asked.policy.ranking)
    order = _order(found, judged)
    most = max(asked.policy.ranking.candidates, asked.question.top_k)
    places = _told_of(order, judged, most)
    said = _said_by_arms(found.signals, order[judged.passes[order]], places)
    refusal = None if answerable >= EVEN else NOT_ANSWERED
    candidates = _candidates(found, judged, places, said, refusal)
    return Ranked(candidates, [c for c in candidates if c.withheld_by is None], answerable)


def _judge(asked: Asked, found: Found) -> Judged:
    """Weigh what the arms say, and ask the gate."""
    rows, valid_at = found.snapshot.versions, asked.at.valid_at
    rules = asked.policy.ranking.scaled_for(bundled=found.snapshot.encoder == BUNDLED)
    fits = relevance(found.signals, rules).relevance
    verdicts = gate(
        found.snapshot,
        valid_at=valid_at,
        sensitive=found.sensitive,
        kinds=frozenset(asked.question.kinds),
        matching=found.matching,
    )
    # As a share of the best: beside a few memories that all fit little, recency and importance
    # would otherwise decide alone.
    best = max(float(fits[verdicts < 0].max(initial=0.0)), LEAST_FIT)
    parts = scoring.parts(rows, np.minimum(fits / best, 1.0), rules, valid_at)
    scores = scoring.score(rows, parts, rules)
    held_back = with_min_score(verdicts, scores, asked.question.min_score)
    return Judged(fits, parts, scores, held_back)


def _answerable(signals: Signals, judged: Judged, ranking: Ranking) -> float:
    """How likely it is, 0 to 1, that anything that may be returned answers.

    Relevance is one sum on one scale for every question, so that its highest value says whether
    there is an answer; even where it is as high as the policy's least. What holds exactly what is
    asked for answers.
    """
    if (signals.exact[judged.passes] == 1).any():
        return 1.0
    passing = judged.fits[judged.passes]
    highest = float(passing.max(initial=0.0))
    heard = int((~np.isnan(signals.context[judged.passes])).sum())
    least = ranking.least_answerable(len(passing), heard)
    return highest / (highest + least) if highest > 0 else 0.0


def _order(found: Found, judged: Judged) -> Array:
    """The places of the versions that any arm found, best first.

    Ties are broken by the id, so that the same question has the same answer.
    """
    ids = found.snapshot.versions["id"].view("S16")
    order = np.lexsort((ids, -judged.scores))
    result: Array = order[found.signals.found[order]]
    return result


def _told_of(order: Array, judged: Judged, most: int) -> Array:
    """Of an order the first `most` that pass, and as many that are held back, still in order."""
    passes = judged.passes[order]
    told = [np.flatnonzero(kind)[:most] for kind in (passes, ~passes)]
    result: Array = order[np.sort(np.concatenate(told))]
    return result


def _candidates(
    found: Found,
    judged: Judged,
    places: Array,
    said: list[dict[str, ArmScore]],
    refusal: str | None,
) -> list[Candidate]:
    """The versions at the places; `refusal` is the rule against whatever the gate lets pass.

    Column by column: to take numbers out of an array one by one costs more than to rank it.
    """
    rows = found.snapshot.versions[places]
    columns = zip(
        (UUID(bytes=raw) for raw in rows["id"].tolist()),
        (UUID(bytes=raw) for raw in rows["memory"].tolist()),
        rows["weight"].tolist(),
        said,
        zip(*(_told(part[places]) for part in judged.parts.values()), strict=True),
        _told(judged.scores[places]),
        judged.held_back[places].tolist(),
        strict=True,
    )
    return [
        Candidate(
            version_id=version,
            memory_id=memory,
            weight=weight,
            arms=arms,
            breakdown=dict(zip(judged.parts, parts, strict=True)),
            score=score,
            withheld_by=refusal if rule < 0 else RULES[rule],
        )
        for version, memory, weight, arms, parts, score, rule in columns
    ]


def _said_by_arms(signals: Signals, passing: Array, places: Array) -> list[dict[str, ArmScore]]:
    """For each place what the arms that found something say of it, by the arm's name.

    Ranks count what may be returned; what is held back has the rank that it would have there.
    """
    said: list[dict[str, ArmScore]] = [{} for _ in places]
    for name, scores in signals.arms.items():
        ranked = np.sort(-scores[passing][~np.isnan(scores[passing])])
        ranks = np.searchsorted(ranked, -scores[places]) + 1
        for one, score, number in zip(said, _told(scores[places]), ranks.tolist(), strict=True):
            if score == score:  # no nan
                one[name] = ArmScore(score, number)
    return said


def _told(scores: Array) -> list[float]:
    """Scores as they are told of."""
    told: list[float] = np.round(scores, TOLD_DIGITS).tolist()
    return told
