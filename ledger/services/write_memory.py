"""Write one memory that a client states: the corridor of ledger.pipeline for a single statement.

What is slow (models) is done by `prepare`, before the transaction in which `write` records it.
"""

from dataclasses import dataclass, replace
from typing import Any
from zoneinfo import ZoneInfo

from ledger.append import lock_head
from ledger.dates import find_dates
from ledger.drafts import Said
from ledger.echo import without_echo
from ledger.extraction import extract, sentences
from ledger.masking import rename_in
from ledger.meaning import MeaningAway, Near, Vectors, meaning
from ledger.pipeline import AWAY, count, judge_text
from ledger.policy import Policy
from ledger.services.believe import believe
from ledger.services.mask_words import Masked, mask_words, renamed_text
from ledger.services.revise import change_attribute
from ledger.statements import DatedBy, Statement
from ledger.writing import Written
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.errors import MemoryHubError
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject, require_nameable


class NotAdmitted(MemoryHubError):
    """This is not worth remembering, by the tenant's policy; `rule` says which rule found so. Send
    "verbatim": true to store it as it is.
    """

    code = "not_admitted"
    status = 422


@dataclass(frozen=True)
class Prepared:
    """A statement that went through every stage before the lock."""

    subject: str
    statement: Statement
    operation: str
    masked: Masked
    near: list[Near]
    vectors: Vectors
    given: frozenset[str]

    @property
    def policy(self) -> Policy:
        return self.masked.policy


def prepare(
    principal: Principal, *, subject: str, statement: Statement, operation: str, given: set[str]
) -> Prepared:
    """Mask, admit, extract and look around. `given` names the parts that the client stated.

    Raises ScopeMissing, Pinned, PrivateRefused, DeviceOnly, NotAdmitted.
    """
    principal.require(Scope.WRITE)
    principal.require_subject(subject)
    principal.acting_agent(statement.agent)
    require_nameable(subject)
    said = without_echo(statement.content)
    masked = mask_words(principal, subject, [said, statement.value])
    content, value = masked.texts
    statement = replace(statement, content=content or "", value=value)
    if not statement.content.strip():
        raise NotAdmitted(field="content", rule="echo")
    vectors = Vectors(hurry=True)
    near: list[Near] = []
    if not statement.verbatim:
        statement = _understood(principal, subject, statement, masked.policy, vectors, given)
        # A text of several sentences says more than any one memory that it could be taken for.
        if operation == "assert" and len(sentences(statement.content)) == 1:
            near = _near(principal, subject, statement, masked.policy, vectors)
        if vectors.away:
            statement = replace(statement, decisions=statement.decisions | AWAY)
    return Prepared(subject, statement, operation, masked, near, vectors, frozenset(given))


def write(principal: Principal, prepared: Prepared) -> Written:
    """Record what was prepared, in the tenant context that is open."""
    subject = ensure_subject(prepared.subject)
    statement = _settled(prepared, subject)
    if prepared.operation == "change":
        written = change_attribute(
            principal, subject=prepared.subject, statement=statement, policy=prepared.policy
        )
    else:
        written, _ = believe(
            principal,
            subject=prepared.subject,
            statement=statement,
            policy=prepared.policy,
            near=prepared.near,
            stated=prepared.given,
        )
    vector = prepared.vectors.made(statement.content)
    if vector is not None and written.disposition not in ("unchanged", "merged"):
        meaning().keep(written.version, statement.content, vector)
    return written


def _settled(prepared: Prepared, subject: Subject) -> Statement:
    """The statement with placeholders that are really its subject's."""
    statement = prepared.statement
    if not prepared.masked.masks.originals:
        return statement
    # Numbers are given under the subject's lock, which the write itself takes again.
    lock_head(subject)
    renamed = prepared.masked.settle(subject)
    if not renamed:
        return statement
    return replace(
        statement,
        content=renamed_text(statement.content, renamed) or "",
        value=renamed_text(statement.value, renamed),
        details=rename_in(statement.details, renamed),
    )


def _understood(
    principal: Principal,
    subject: str,
    statement: Statement,
    policy: Policy,
    vectors: Vectors,
    given: set[str],
) -> Statement:
    """Admitted, and with what the words say of kind, attribute, time and importance filled in.

    What the client stated stands.
    """
    verdict = judge_text(statement.content, policy.admission.for_stated, vectors)
    count(verdict)
    if not verdict.admitted:
        raise NotAdmitted(field="content", rule=verdict.rule)
    decisions: dict[str, Any] = {"admitted_by": verdict.rule, "score": verdict.score}
    said = Said(
        text=statement.content,
        at=statement.valid_from or clock.now(),
        zone=_zone(principal, subject),
    )
    drafts = extract(said, sentences(said.text), policy.extraction, None)
    # One statement is one memory: only a text that says one thing is read for what it says.
    if len(drafts) != 1:
        return replace(statement, decisions=decisions)
    draft = drafts[0]
    decisions["extracted_by"] = list(draft.decided_by)
    details = draft.details | {"polarity": draft.polarity}
    filled: dict[str, Any] = {"details": details, "decisions": decisions}
    for name in ("kind", "importance", "confidence", "valid_from", "valid_to"):
        if name not in given:
            filled[name] = getattr(draft, name)
    if not given & {"attribute", "value"}:
        filled |= {"attribute": draft.attribute, "value": draft.value}
    if "valid_from" not in given:
        if "value" in given and _is_date(statement.value or "", said):
            # A wedding on 5 October is planned before it: the date is what is said, not when.
            filled |= {"valid_from": None, "valid_to": statement.valid_to}
        elif draft.valid_from == said.at:
            filled["valid_from"] = None  # no word of the text dates it: its recording does
        else:
            filled["dated_by"] = DatedBy.WORDS
    return replace(statement, **filled)


def _is_date(value: str, said: Said) -> bool:
    """Whether the value that a client stated holds a time itself."""
    return bool(find_dates(value, said.at, said.zone))


def _zone(principal: Principal, subject: str) -> ZoneInfo:
    with tenant_context(principal.tenant_id):
        found = Subject.objects.filter(external_id=subject).first()
    return ZoneInfo(found.time_zone) if found else ZoneInfo("UTC")


def _near(
    principal: Principal, subject: str, statement: Statement, policy: Policy, vectors: Vectors
) -> list[Near]:
    """What may say the same, or be news to it; without the encoder nothing is known to be near."""
    with tenant_context(principal.tenant_id):
        found = Subject.objects.filter(external_id=subject, erased_at=None).first()
        if found is None:
            return []
        cipher = keys.cipher_for(found)
    try:
        vector = vectors.of(statement.content)
    except MeaningAway:
        return []
    meaning().catch_up(principal.tenant_id, found.id)
    with tenant_context(principal.tenant_id):
        return meaning().near(
            cipher, vector, policy.merging.candidates, agent=principal.agent or ""
        )
