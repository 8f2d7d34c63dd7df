"""The corridor of a question, in order: scope → arms → fuse → score → gate → pack → trace.

    scope   whom it is about, under which policy; a question that was just answered is answered
    encode  the question as a vector, while no transaction is open
    arms    what every way of searching finds (recall.signals)
    rank    fuse, score and gate (recall.ranking)
    pack    the best, opened, and the context (recall.packing)
    trace   the record of all that, and the audit's line, before the answer leaves

Each stage is one function; only this module knows the order.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from ledger.masking import blind, disarm, reader_for
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.selectors import as_memory, as_of
from recall import answers, footers, index, metrics, packing, ranking
from recall.candidates import Candidate
from recall.encoders import EncoderDown, Vectors, encoder_named, wanted
from recall.encoding import encode_waiting
from recall.exchange import Answer, Asked, Question, Recalled
from recall.reading import State, read_state, said_by
from recall.recent import recent_words
from recall.speakers import marked, without_names
from recall.terms import terms_of
from recall.traces import store_trace
from recall.why import why
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject
from tenants.subject_lock import share_subject


@dataclass
class Progress:
    """What is noted on the way: milliseconds by stage, and what had to be done without."""

    milliseconds: dict[str, float] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds[name] = round((time.perf_counter() - started) * 1000, 2)


@dataclass(frozen=True)
class Scoped:
    """What the first stage found. `words` is the question with its private values masked; `heard`
    is what the encoder hears of it.
    """

    subject: Subject
    cipher: SubjectCipher
    policy: Policy
    words: str
    heard: str
    state: State


def ask(principal: Principal, question: Question) -> Answer:
    """Answer one question from one subject's memories, and store the trace.

    Raises ScopeMissing, Pinned, PolicyBroken.
    """
    started = time.perf_counter()
    answer = _ask(principal, question)
    metrics.count_answer(answer, time.perf_counter() - started)
    return answer


def _ask(principal: Principal, question: Question) -> Answer:
    principal.require(Scope.READ)
    principal.require_subject(question.subject)
    progress = Progress()
    with progress.stage("scope"), tenant_context(principal.tenant_id):
        scoped = _scope(principal, question)
        asked = _asked(principal, question, scoped)
        if kept := answers.kept(asked, scoped.state, progress.missing):
            return kept
    with progress.stage("encode"):
        _catch_up(asked, scoped.state)
        vector = _encode(scoped, progress)
    with tenant_context(principal.tenant_id):
        # A trace stored beside an erasure would outlive it; the key is read anew, since there may
        # have been one meanwhile.
        share_subject(scoped.subject.id)
        cipher = keys.cipher_for(scoped.subject)
        asked = replace(asked, cipher=cipher, reader=reader_for(principal, cipher))
        return _answer(asked, vector, progress)


def _scope(principal: Principal, question: Question) -> Scoped:
    """Whom the question is about, and how it is asked."""
    policy = current_policy()
    subject = ensure_subject(question.subject)
    # An answer that is given once more is traced here: beside an erasure that would outlive it.
    share_subject(subject.id)
    cipher = keys.cipher_for(subject)
    # A caller for one agent may not name a value that it was never told.
    said = disarm(question.query) if principal.agent else question.query
    state = read_state(subject.id, policy.ranking.catch_up + 1)
    metrics.count_subject(known=state.documents > 0)
    words = blind(said, cipher)
    return Scoped(subject, cipher, policy, words, _heard(words, cipher, policy, state), state)


def _heard(words: str, cipher: SubjectCipher, policy: Policy, state: State) -> str:
    """The question without the names of those who say most of what is remembered."""
    terms = {cipher.term(mark): term for term in terms_of(words) for mark in marked([term])}
    share = policy.ranking.common_name
    common = said_by(cipher.subject_id, list(terms), state.documents, share) if terms else set()
    return without_names(words, {terms[mark] for mark in common})


def _asked(principal: Principal, question: Question, scoped: Scoped) -> Asked:
    return Asked(
        principal=principal,
        subject=scoped.subject,
        cipher=scoped.cipher,
        reader=reader_for(principal, scoped.cipher),
        question=replace(question, query=scoped.words),
        said=question.query,
        at=as_of(question.valid_at, question.known_at),
        policy=scoped.policy,
    )


def _catch_up(asked: Asked, state: State) -> None:
    """Encode the few versions that were written a moment ago, so that a writer finds its own words
    by meaning at once. A long list, as after an import, is left to the worker.
    """
    if 0 < state.waiting <= asked.policy.ranking.catch_up:
        try:
            encode_waiting(asked.principal.tenant_id, asked.subject.id, state.waiting)
        except EncoderDown:
            index.log.warning("the encoder is away; the worker will encode this", exc_info=True)


def _encode(scoped: Scoped, progress: Progress) -> Vectors | None:
    """The question as a vector of the subject's encoder; None where that one is away."""
    try:
        return encoder_named(scoped.state.encoder or wanted()).query(scoped.heard)
    except EncoderDown:
        index.log.warning("the encoder is away; recall answers without it", exc_info=True)
        progress.missing.append("vector")
        return None


def _answer(asked: Asked, vector: Vectors | None, progress: Progress) -> Answer:
    question = asked.question
    with progress.stage("arms"):
        found = ranking.search(asked, vector, progress.missing)
    with progress.stage("rank"):
        ranked = ranking.rank(asked, found)
    with progress.stage("pack"):
        memories = _open(ranked.passed[: question.top_k], asked)
        context = packing.pack(
            [_line(recalled) for recalled in memories],
            question.token_budget or asked.policy.context.token_budget,
            recent_words(asked),
            share=asked.policy.context.recent_share,
        )
    trace = store_trace(
        asked,
        found=found,
        ranked=ranked,
        returned={recalled.memory.version for recalled in memories},
        context=context,
        progress=progress,
    )
    answer = Answer(
        trace=trace.id,
        at=asked.at,
        seq=found.seq,
        memories=memories,
        context=context.text,
        tokens=context.tokens,
        footer=footers.footer([recalled.memory for recalled in memories]),
        withheld=dict(Counter(c.withheld_by for c in ranked.candidates if c.withheld_by)),
        not_encoded=found.not_encoded,
        missing=progress.missing,
    )
    answers.keep(asked, found, ranked, answer, trace)
    return answer


def _open(candidates: list[Candidate], asked: Asked) -> list[Recalled]:
    """Decrypt the candidates that are returned, in their order, but for what was erased by now."""
    versions = MemoryVersion.objects.select_related("entry", "subject").in_bulk(
        [c.version_id for c in candidates]
    )
    asked.reader.expect(versions.values())
    return [
        Recalled(
            as_memory(version, asked.reader, asked.at),
            round(c.score, 6),
            {name: round(part, 6) for name, part in c.breakdown.items()},
            why(c, version),
        )
        for c in candidates
        if (version := versions.get(c.version_id))
    ]


def _line(recalled: Recalled) -> packing.Line:
    memory = recalled.memory
    return packing.Line(memory.id, memory.kind, memory.content, memory.valid_from)
