"""The corridor of a write, in order: merge → append → project (→ index, by the derived views).

Each stage is one function. What a stage needs to know it gets as an argument; only this module
knows the order.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from ledger import chain
from ledger.append import append, lock_head, next_moment
from ledger.models import Entry, MemoryVersion, Verb
from ledger.policy import Policy
from ledger.projection import project_assert
from ledger.statements import Statement, require_period
from tenants import ids, keys
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject


@dataclass(frozen=True)
class Written:
    """What became of a statement: the version that holds it and the entry that opened it."""

    version: MemoryVersion
    entry: Entry
    disposition: str


def write(principal: Principal, external_id: str, statement: Statement, policy: Policy) -> Written:
    """Remember one statement about a subject, in the tenant context that is open.

    A statement that says nothing new writes nothing. Raises ScopeMissing, Pinned, EmptyPeriod.
    """
    principal.require(Scope.WRITE)
    principal.require_subject(external_id)
    statement = replace(statement, agent=principal.acting_agent(statement.agent))
    subject = ensure_subject(external_id)
    cipher = keys.cipher_for(subject)
    fingerprint = cipher.fingerprint(chain.canonical(statement.meaning).decode())

    head = lock_head(subject)
    moment = next_moment(head)
    dated = replace(statement, valid_from=statement.valid_from or moment)
    require_period(dated.valid_from or moment, dated.valid_to)
    known = _same_meaning(subject, fingerprint, dated)
    if known is not None:
        return Written(known, known.entry, "unchanged")

    entry = append(
        head,
        cipher,
        verb=Verb.ASSERT,
        actor=principal.actor,
        recorded_at=moment,
        memory_id=ids.new_id(),
        facts=_facts(dated, policy, was_dated=statement.valid_from is not None),
        words=_words(dated),
    )
    return Written(project_assert(entry, dated, cipher, fingerprint), entry, "stored")


def _same_meaning(
    subject: Subject, fingerprint: bytes, statement: Statement
) -> MemoryVersion | None:
    """A version believed now that already says this for the whole period, if there is one."""
    covers_the_end = Q(valid_to=None)
    if statement.valid_to is not None:
        covers_the_end |= Q(valid_to__gte=statement.valid_to)
    return (
        MemoryVersion.objects.select_related("entry")
        .filter(
            covers_the_end,
            subject=subject,
            fingerprint=fingerprint,
            recorded_to=None,
            valid_from__lte=statement.valid_from,
        )
        .order_by("recorded_from", "id")
        .first()
    )


def _facts(statement: Statement, policy: Policy, *, was_dated: bool) -> dict:
    """What of a statement stays readable in the entry's header."""
    return {
        "kind": statement.kind,
        "attribute": statement.attribute,
        "valid_from": _text(statement.valid_from),
        "valid_to": _text(statement.valid_to),
        "dated_by": "client" if was_dated else "recording",
        "expires_at": _text(statement.expires_at),
        "importance": statement.importance,
        "confidence": statement.confidence,
        "agent": statement.agent,
        "session": statement.session,
        "verbatim": statement.verbatim,
        "policy": policy.version,
    }


def _words(statement: Statement) -> dict:
    """What of a statement is sealed."""
    return {
        "content": statement.content,
        "value": statement.value,
        "turns": list(statement.turns),
        "metadata": statement.metadata,
    }


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
