"""The corridor of a question, in order: scope → arms → fuse → score → gate → pack → trace.

    scope   whom it is about, under which policy; a question that was just answered is answered
    encode  the question as a vector, while no transaction is open
    arms    what every way of searching finds (recall.signals)
    rank    fuse, score and gate (recall.ranking)
    pack    the best, opened, and the context (recall.packing)
    trace   the record of all that, and the audit's line, before the answer leaves

Each stage is one function; only this module knows the order.
"""

import logging
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, replace

from django.core.exceptions import ImproperlyConfigured

from ledger.masking import blind, disarm, reader_for
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.selectors import as_memory, as_of, versions_of
from recall import answers, footers, metrics, packing, ranking
from recall.asking import Wanted
from recall.candidates import Candidate
from recall.chunks import chunks_of
from recall.encoders import EncoderDown, Vectors, encoder_named, wanted
from recall.encoding import encode_waiting
from recall.exchange import Answer, Asked, Question, Recalled
from recall.progress import Progress
from recall.reading import State, read_state
from recall.recent import recent_words
from recall.traces import store_trace
from recall.why import why
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.open_subject import open_subject
from tenants.subject_lock import share_subject

log = logging.getLogger(__name__)

# Questions that a process has encoded at a time: more than a web process has threads. How long one
# may take is the encoder's to say.
MOST_HEARD = 32
# The encoder drives all else out of its core's caches. In a thread of its own that is mostly
# another core's: what comes before and after is faster, by one to two ms of 20.
_hearing = ThreadPoolExecutor(MOST_HEARD, "hearing")


@dataclass(frozen=True)
class Scoped:
    """What the first stage found. `said` is the question as the caller may ask it; in `words` its
    private values are masked.
    """

    subject: Subject
    cipher: SubjectCipher
    policy: Policy
    said: str
    words: str
    state: State


@dataclass(frozen=True, eq=False)
class Heard:
    """A question as a vector, and whose: another encoder's vectors are not compared with it."""

    encoder: str
    vector: Vectors | None


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
    question.filters.require_allowed(principal)
    progress = Progress()
    with progress.stage("scope"), tenant_context(principal.tenant_id, lightly=True):
        scoped = _scope(principal, question)
        asked = _asked(principal, question, scoped)
        if kept := answers.kept(asked, scoped.state, progress.missing):
            return kept
    wants = ranking.wants_of(asked)
    with progress.stage("encode"):
        _catch_up(asked, scoped.state)
        heard = _hearing.submit(copy_context().run, _encode, scoped).result()
    with tenant_context(principal.tenant_id, lightly=True):
        # No lock is held while a model works: an erasure may have come meanwhile. From here on one
        # waits, else the trace stored beside it would outlive it.
        if not share_subject(scoped.subject.id):
            raise NotFound("This subject was erased.")
        return _answer(asked, wants, heard, progress)


def _scope(principal: Principal, question: Question) -> Scoped:
    """Whom the question is about, and how it is asked."""
    policy = current_policy()
    # An answer that is given once more is traced in this transaction already: no erasure until its
    # end, which the trace would outlive.
    subject, cipher = open_subject(question.subject)
    # A caller for one agent may not name a value that it was never told.
    said = disarm(question.query) if principal.agent else question.query
    state = read_state(subject.id, policy.ranking.catch_up + 1)
    metrics.count_subject(known=state.documents > 0)
    words = blind(said, cipher, principal.agent or "")
    return Scoped(subject, cipher, policy, said, words, state)


def _asked(principal: Principal, question: Question, scoped: Scoped) -> Asked:
    return Asked(
        principal=principal,
        subject=scoped.subject,
        cipher=scoped.cipher,
        reader=reader_for(principal, scoped.cipher),
        question=replace(question, query=scoped.words),
        said=scoped.said,
        at=as_of(question.valid_at, question.known_at),
        policy=scoped.policy,
    )


def _catch_up(asked: Asked, state: State) -> None:
    """Encode the few versions that were written a moment ago, so that a writer finds its own words
    by meaning at once. A long list, as after an import, is left to the worker.
    """
    if 0 < state.waiting <= asked.policy.ranking.catch_up:
        try:
            encode_waiting(asked.principal.tenant_id, asked.subject.id, state.waiting, hurry=True)
        except EncoderDown:
            log.warning("the encoder is away; the worker will encode this", exc_info=True)


def _encode(scoped: Scoped) -> Heard:
    """The question as a vector of the subject's encoder, by its beginning: as much as one window
    holds. Without one where the encoder is away.
    """
    name = scoped.state.encoder or wanted()
    try:
        return Heard(name, encoder_named(name).query(chunks_of(scoped.words)[0]))
    except (EncoderDown, ImproperlyConfigured):
        log.warning("the encoder is away; recall answers without it", exc_info=True)
        return Heard(name, None)


def _answer(asked: Asked, wants: Wanted, heard: Heard, progress: Progress) -> Answer:
    """From the arms to the trace: what is read of memories is read in this one transaction."""
    # Read anew: while the question was encoded, in no transaction, its subject may have been
    # written to or erased, or another encoder may have taken over.
    state = read_state(asked.subject.id, 1)
    vector = heard.vector if state.encoder in ("", heard.encoder) else None
    if vector is None:
        progress.missing.append("vector")
    with progress.stage("arms"):
        found = ranking.search(asked, wants, state, vector, progress.missing)
    with progress.stage("rank"):
        ranked = ranking.rank(asked, found)
    with progress.stage("pack"):
        memories = _open(ranked.passed[: asked.question.top_k], asked)
        context = _pack(memories, asked, progress)
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
        seq=found.snapshot.seq,
        memories=memories,
        context=context.text,
        tokens=context.tokens,
        footer=footers.footer([recalled.memory for recalled in memories]),
        withheld=dict(Counter(c.withheld_by for c in ranked.candidates if c.withheld_by)),
        not_encoded=found.not_encoded,
        missing=progress.missing,
    )
    answers.keep(asked, found, answer, state)
    return answer


def _open(candidates: list[Candidate], asked: Asked) -> list[Recalled]:
    """Decrypt the candidates that are returned, in their order, but for what was erased by now."""
    versions = versions_of(asked.subject, [c.version_id for c in candidates])
    asked.reader.expect(versions.values())
    return [
        Recalled(
            as_memory(version, asked.reader, asked.at),
            c.score,
            c.breakdown,
            why(c, version),
        )
        for c in candidates
        if (version := versions.get(c.version_id))
    ]


def _pack(memories: list[Recalled], asked: Asked, progress: Progress) -> packing.Context:
    """The context: what was noted and said just now, and the memories that have room beside it."""
    rules = asked.policy.context
    return packing.pack(
        [packing.Line(m.id, m.kind, m.content, m.valid_from) for m in (r.memory for r in memories)],
        asked.question.token_budget or rules.token_budget,
        recent_words(asked, progress.missing),
        share=rules.recent_share,
    )
