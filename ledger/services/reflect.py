"""Reflection: a session's rolling summary, and insights drawn from all that is believed.

Both are memories of their own that name the memories they come from, so that they are recalled,
corrected and forgotten as any other, and vanish with their sources (ledger.derivations).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from ledger.configured_model import configured_model
from ledger.derivations import sources_of
from ledger.models import DERIVED, Entry, Head, Kind, MemoryVersion, Session, Verb
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.projection import words_of
from ledger.reflection import Insight, Remembered, Summary, insights, language_of, summarise
from ledger.remembering import remembered_at
from ledger.selectors import as_of
from ledger.services.remember import remember
from ledger.services.revise import Revision, change
from ledger.statements import Statement
from ledger.writing import writing
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal


@dataclass(frozen=True)
class Material:
    """What is believed of a subject now, as reflection reads it."""

    policy: Policy
    subject: Subject
    facts: list[Remembered]


def reflect(principal: Principal, subject_id: UUID, session: Session | None) -> None:
    """Summarise a session, if one is given, and draw insights. Slow work holds no transaction."""
    with tenant_context(principal.tenant_id):
        material = gather(principal, subject_id)
    if material is None:
        return
    summary = _summary(material, session) if session else None
    drawn = insights(material.facts, material.policy.reflection)
    with tenant_context(principal.tenant_id):
        if not Subject.objects.filter(id=subject_id, erased_at=None).exists():
            return
        drafts = [_statement_of_insight(insight, material) for insight in drawn]
        if summary is not None and session is not None:
            drafts.append(_statement_of_summary(summary, session, material))
        for statement in drafts:
            _keep(principal, material, statement)


def gather(principal: Principal, subject_id: UUID) -> Material | None:
    """The newest memories of a subject that are true now and were not themselves derived."""
    subject = Subject.objects.filter(id=subject_id, erased_at=None).first()
    if subject is None:
        return None
    policy, cipher = current_policy(), keys.cipher_for(subject)
    facts = remembered_at(principal, cipher, as_of(), policy.reflection, without=DERIVED)
    return Material(policy, subject, facts)


def _summary(material: Material, session: Session) -> Summary | None:
    """By the model if there is one and its words are all the facts' own, else by rules."""
    facts = [fact for fact in material.facts if fact.session == session.external_id]
    summary = summarise(facts, material.policy.reflection)
    model = configured_model(material.policy.model)
    if summary is None or model is None or not material.policy.extraction.use_model:
        return summary
    texts = [fact.content for fact in facts if fact.memory in summary.sources]
    written = model.summarise(texts, language_of(" ".join(texts)))
    return Summary(written, summary.sources) if written else summary


def _statement_of_summary(summary: Summary, session: Session, material: Material) -> Statement:
    return Statement(
        content=summary.content,
        kind=Kind.SUMMARY,
        valid_from=_newest(summary.sources, material),
        session=session.external_id,
        sources=summary.sources,
        details={"key": "summary"},
        importance=material.policy.reflection.summary_importance,
    )


def _statement_of_insight(insight: Insight, material: Material) -> Statement:
    return Statement(
        content=insight.content,
        kind=Kind.INSIGHT,
        attribute=insight.attribute,
        value=insight.value,
        valid_from=_newest(insight.sources, material),
        sources=insight.sources,
        details={"key": insight.key},
        confidence=insight.confidence,
        importance=insight.importance,
    )


def _newest(sources: Iterable[UUID], material: Material) -> datetime:
    wanted = set(sources)
    return max(fact.valid_from for fact in material.facts if fact.memory in wanted)


def _keep(principal: Principal, material: Material, statement: Statement) -> None:
    """Write what was derived, or renew it if it was derived before, under the subject's lock.

    A source that was lost while the slow work ran takes with it what was drawn from it. Where
    somebody has corrected, ended or withdrawn it, their word stands.
    """
    work = writing(principal, material.subject)
    alive = MemoryVersion.objects.filter(
        memory_id__in=statement.sources, recorded_to=None, pending=False
    )
    if set(alive.values_list("memory_id", flat=True)) != set(statement.sources):
        return
    known = _known(principal, material.subject, statement, work.cipher)
    policy = material.policy
    if known is not None and _decided_by_a_person(known):
        return
    if known is None or known.recorded_to is not None:
        remember(
            principal, subject=material.subject.external_id, statement=statement, policy=policy
        )
        return
    same_words = words_of(known, work.cipher)["content"] == statement.content
    if same_words and set(sources_of(known.memory_id)) >= set(statement.sources):
        return
    moment = max(statement.valid_from or work.moment, known.valid_from)
    change(principal, known.memory_id, Revision.of(statement, moment), policy, None)


def _known(
    principal: Principal, subject: Subject, statement: Statement, cipher: SubjectCipher
) -> MemoryVersion | None:
    """What was derived last under the same key, whether it is still believed or not."""
    rows = MemoryVersion.objects.select_related("entry").filter(
        subject=subject, kind=statement.kind, session=statement.session
    )
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    key = statement.details["key"]
    newest = rows.order_by(F("recorded_to").desc(nulls_first=True), "-seq_from", "-valid_from")
    return next((v for v in newest if words_of(v, cipher)["details"].get("key") == key), None)


def _decided_by_a_person(known: MemoryVersion) -> bool:
    """Whether somebody has said something about what was derived: it is not drawn against that."""
    if known.valid_to is not None:
        return True  # ended
    if known.seq_to is None:
        return not known.entry.header["facts"].get("sources")  # corrected
    closing = Entry.objects.filter(subject_id=known.subject_id, seq=known.seq_to).first()
    if closing is None or closing.verb not in (Verb.RETRACT, Verb.DECLINE):
        return False
    return bool(closing.header["facts"].get("because") != "source")  # withdrawn


def learned_since(moment: datetime) -> Iterable[Subject]:
    """The subjects of whom something was learned after `moment`, other than by reflection."""
    heads = Head.objects.filter(recorded_at__gt=moment).values("subject_id")
    fresh = MemoryVersion.objects.filter(recorded_from__gt=moment).exclude(kind__in=DERIVED)
    return Subject.objects.filter(
        Exists(fresh.filter(subject_id=OuterRef("id"))), id__in=heads, erased_at=None
    ).order_by("id")
