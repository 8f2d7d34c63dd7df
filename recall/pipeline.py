"""The corridor of a question, in order: scope → arms → fuse → score → gate → pack → trace.

Each stage is one function; only this module knows the order.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from ledger.masking import blind, disarm, reader_for
from ledger.models import Entry, MemoryVersion
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.selectors import AsOf, MemoryView, as_memory, as_of
from recall import arms, gate, index, packing, scoring
from recall.candidates import Candidate
from recall.encoders import Vectors, encoder
from recall.traces import store_trace
from recall.why import why
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject
from tenants.subject_lock import share_subject


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, and within which bounds."""

    subject: str
    query: str
    top_k: int = 10
    token_budget: int | None = None
    valid_at: datetime | None = None
    known_at: datetime | int | None = None
    kinds: tuple[str, ...] = ()
    min_score: float | None = None


@dataclass(frozen=True)
class Recalled:
    """One memory of an answer, with how it came there."""

    memory: MemoryView
    candidate: Candidate
    why: str


@dataclass(frozen=True)
class Answer:
    """What recall gives back. `withheld` counts, by rule, what the gate held back.

    `not_encoded` counts the versions that only the lexical arm could find: too new for the other.
    """

    trace: UUID
    at: AsOf
    seq: int
    memories: list[Recalled]
    context: str
    tokens: int
    withheld: dict[str, int]
    not_encoded: int


@dataclass
class Stopwatch:
    """Milliseconds by stage."""

    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds[name] = round((time.perf_counter() - started) * 1000, 2)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question on its way: who asks what of whom, as of when, under which policy.

    `question` has its private values masked; `said` is its words as they were asked, which go
    nowhere but, hashed, into the lexical arm.
    """

    principal: Principal
    subject: Subject
    cipher: SubjectCipher
    question: Question
    said: str
    at: AsOf
    policy: Policy
    not_encoded: int


@dataclass(frozen=True)
class Scoped:
    """What the first stage found: whom it is about, under which policy, in which words.

    `words` is the question as the arms may see it, its private values masked; `not_encoded` counts
    the subject's versions that the vector arm cannot find yet.
    """

    subject: Subject
    policy: Policy
    words: str
    not_encoded: int


def ask(principal: Principal, question: Question) -> Answer:
    """Answer one question from one subject's memories, and store the trace.

    What takes the encoder happens before the transaction opens. Raises ScopeMissing, Pinned.
    """
    principal.require(Scope.READ)
    principal.require_subject(question.subject)
    watch = Stopwatch()
    with watch.stage("scope"):
        scoped = _scope(principal, question)
    with watch.stage("encode"):
        vector = encoder().query(scoped.words)
    with tenant_context(principal.tenant_id):
        # A trace stored beside an erasure would outlive it.
        share_subject(scoped.subject.id)
        asked = Asked(
            principal=principal,
            subject=scoped.subject,
            cipher=keys.cipher_for(scoped.subject),
            question=replace(question, query=scoped.words),
            said=question.query,
            at=as_of(question.valid_at, question.known_at),
            policy=scoped.policy,
            not_encoded=scoped.not_encoded,
        )
        return _answer(asked, vector, watch)


def _scope(principal: Principal, question: Question) -> Scoped:
    """Whom the question is about, and how it is asked.

    The few versions that were written a moment ago are encoded first, so that a writer finds its
    own words by meaning at once. A long list, as after an import, is left to the worker.
    """
    with tenant_context(principal.tenant_id):
        policy = current_policy()
        limit = policy.ranking.catch_up
        subject = ensure_subject(question.subject)
        # A caller for one agent may not name a value that it was never told.
        said = disarm(question.query) if principal.agent else question.query
        words = blind(said, keys.cipher_for(subject))
        waiting = index.waiting(subject.id)[: limit + 1].count()
        if waiting > limit:
            return Scoped(subject, policy, words, index.waiting(subject.id).count())
    if waiting:
        index.encode_waiting(principal.tenant_id, subject.id, limit)
    return Scoped(subject, policy, words, 0)


def _answer(asked: Asked, vector: Vectors, watch: Stopwatch) -> Answer:
    ranking, at, question = asked.policy.ranking, asked.at, asked.question
    with watch.stage("arms"):
        candidates = _candidates(asked, vector)
    with watch.stage("rank"):
        scoring.fuse(candidates, ranking)
        scoring.score(candidates, ranking, at.valid_at)
        gate.gate(
            candidates,
            valid_at=at.valid_at,
            kinds=frozenset(question.kinds),
            min_score=question.min_score,
        )
    with watch.stage("pack"):
        passed = [c for c in candidates if c.withheld_by is None][: question.top_k]
        memories = _open(passed, asked)
        budget = question.token_budget or asked.policy.context.token_budget
        context = packing.pack([_line(m.memory) for m in memories], budget)
    seq = _seq_of(asked)
    trace = store_trace(
        asked,
        seq=seq,
        candidates=candidates,
        returned={m.candidate.version_id for m in memories},
        context=context,
        milliseconds=watch.milliseconds,
    )
    withheld = Counter(c.withheld_by for c in candidates if c.withheld_by)
    return Answer(
        trace=trace.id,
        at=at,
        seq=seq,
        memories=memories,
        context=context.text,
        tokens=context.tokens,
        withheld=dict(withheld),
        not_encoded=asked.not_encoded,
    )


def _seq_of(asked: Asked) -> int:
    """The subject's newest entry as of the asked recorded time; 0 before the first."""
    if asked.at.seq is not None:
        return asked.at.seq
    entries = Entry.objects.filter(subject=asked.subject)
    if not asked.at.newest:
        entries = entries.filter(recorded_at__lte=asked.at.known_at)
    newest: int | None = entries.aggregate(newest=Max("seq"))["newest"]
    return newest or 0


def _candidates(asked: Asked, vector: Vectors) -> list[Candidate]:
    """The best of each arm among the versions that were believed, true ones before the others."""
    rows = MemoryVersion.objects.filter(asked.at.believed, subject=asked.subject)
    if asked.principal.agent:
        rows = rows.filter(agent=asked.principal.agent)
    # What is believed is read before the arms are asked: the index still knows a version that a
    # writer closes in between, and would not yet have been asked for the one that takes its place.
    believed = [
        Candidate(*row)
        for row in rows.values_list(
            "id",
            "memory_id",
            "kind",
            "valid_from",
            "valid_to",
            "expires_at",
            "importance",
            "weight",
            "pending",
        )
    ]
    found = {
        # With its own words too: masking may have missed a name in some of the memories.
        "lexical": arms.lexical_arm(
            asked.cipher, f"{asked.question.query}\n{asked.said}", asked.policy.ranking
        ),
        "vector": arms.vector_arm(asked.cipher, vector),
    }
    candidates = [c for c in believed if any(c.version_id in scores for scores in found.values())]
    gate.gate(candidates, valid_at=asked.at.valid_at, kinds=frozenset(), min_score=None)
    for name, scores in found.items():
        scoring.keep_arm(candidates, name, scores)
    return _best(candidates, asked.policy.ranking.candidates_per_arm)


def _best(candidates: list[Candidate], limit: int) -> list[Candidate]:
    """Those among the first `limit` of an arm, counted apart for true and for other versions."""
    kept: dict[UUID, Candidate] = {}
    for true_ones in (True, False):
        group = [c for c in candidates if (c.withheld_by is None) is true_ones]
        for arm in ("lexical", "vector"):
            ranked = sorted((c for c in group if arm in c.arms), key=lambda c: c.arms[arm].rank)
            kept |= {c.version_id: c for c in ranked[:limit]}
    return list(kept.values())


def _open(candidates: list[Candidate], asked: Asked) -> list[Recalled]:
    """Decrypt the candidates that are returned, in their order, but for what was erased by now."""
    versions = MemoryVersion.objects.select_related("entry", "subject").in_bulk(
        [c.version_id for c in candidates]
    )
    reader = reader_for(asked.principal, asked.cipher)
    reader.expect(versions.values())
    return [
        Recalled(as_memory(versions[c.version_id], reader, asked.at), c, why(c))
        for c in candidates
        if c.version_id in versions
    ]


def _line(memory: MemoryView) -> packing.Line:
    return packing.Line(memory.id, memory.kind, memory.content, memory.valid_from)
