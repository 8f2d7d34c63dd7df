"""One write under its subject's lock: decide → append → project (→ index, by derived views).

Every verb does it so: it opens a `Writing`, which holds the subject's lock, decides on an effect
from the layer it finds there, and records it. Nothing slow happens in between.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from ledger import chain
from ledger.append import append, lock_head, next_moment
from ledger.derivations import orphaned
from ledger.models import Entry, Head, MemoryVersion, Verb
from ledger.projection import project
from ledger.rectangles import Effect, Held, Period
from ledger.statements import DatedBy, Statement
from tenants import keys
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal, Scope


@dataclass(frozen=True)
class Written:
    """What became of a write: a version that shows it, the entry that did it, and in one word how.

    After a retraction the version is the last one that was believed.
    """

    version: MemoryVersion
    entry: Entry
    disposition: str


@dataclass(frozen=True)
class Writing:
    """One subject, locked for writing until the transaction ends, at one recorded moment."""

    principal: Principal
    subject: Subject
    cipher: SubjectCipher
    head: Head
    moment: datetime

    def layer(self, memory_id: UUID | None, attribute: str) -> list[MemoryVersion]:
        """The current versions of a memory, and of the attribute that it may have to carve.

        A caller that may act as one agent only carves nothing of the others.
        """
        concerned = Q(memory_id=memory_id)
        if attribute:
            concerned |= Q(attribute=attribute)
        rows = MemoryVersion.objects.select_related("entry").filter(concerned)
        if self.principal.agent:
            rows = rows.filter(agent=self.principal.agent)
        return list(
            rows.filter(subject=self.subject, recorded_to=None).order_by("valid_from", "id")
        )

    def fingerprint(self, statement: Statement) -> bytes:
        return self.cipher.fingerprint(meaning_of(statement))

    def next(self) -> "Writing":
        """The same, at the next recorded moment: for one more entry under the same lock."""
        return replace(self, moment=next_moment(self.head))

    def record(
        self,
        verb: str,
        memory_id: UUID | None,
        effect: Effect,
        *,
        facts: dict[str, Any],
        words: dict[str, Any] | None = None,
    ) -> tuple[Entry, list[MemoryVersion]]:
        """Append one entry and project it; gives the versions that it opened.

        What was derived from what it closed is withdrawn with entries of its own.
        """
        entry = append(
            self.head,
            self.cipher,
            verb=verb,
            actor=self.principal.actor,
            recorded_at=self.moment,
            memory_id=memory_id,
            facts={"facts": facts, "effect": written_effect(effect)},
            words=words or {},
        )
        opened = project(entry, words or {}, self.cipher)
        for derived, versions in orphaned(verb, effect.closed):
            self.next().record(
                Verb.RETRACT, derived, Effect(tuple(versions)), facts={"because": "source"}
            )
        return entry, opened


def writing(principal: Principal, subject: Subject) -> Writing:
    """Lock a subject for one write, in the tenant's context. Raises ScopeMissing, Pinned."""
    principal.require(Scope.WRITE)
    principal.require_subject(subject.external_id)
    head = lock_head(subject)
    # After the lock: an erasure that was waited for has taken the key with it.
    cipher = keys.cipher_for(subject)
    return Writing(principal, subject, cipher, head, next_moment(head))


def held(versions: Iterable[MemoryVersion], slot: str) -> list[Held]:
    """The layer in the terms of the algebra; only the attribute `slot` counts as a slot."""
    return [
        Held(
            v.id,
            v.memory_id,
            v.attribute if v.attribute == slot else "",
            Period(v.valid_from, v.valid_to),
            v.pending,
        )
        for v in versions
    ]


def written_effect(effect: Effect) -> dict[str, Any]:
    """An effect as the entry's header keeps it."""
    return {
        "closed": [str(version) for version in effect.closed],
        "opened": [
            {
                "memory": str(opening.memory),
                "valid_from": opening.period.start.isoformat(),
                "valid_to": moment_of(opening.period.end),
                "source": opening.source and str(opening.source),
            }
            for opening in effect.opened
        ],
    }


def meaning_of(statement: Statement) -> str:
    """What makes two statements the same thing said twice, as one string."""
    return chain.canonical(statement.meaning).decode()


def facts_of(statement: Statement, *, single_valued: bool, pending: bool, policy: int) -> dict:
    """What of a statement stays readable in the entry's header."""
    return {
        "kind": statement.kind,
        "attribute": statement.attribute,
        "single_valued": single_valued,
        "pending": pending,
        "dated_by": str(statement.dated_by or _dated_by(statement)),
        "expires_at": moment_of(statement.expires_at),
        "importance": statement.importance,
        # PostgreSQL's JSON has no -0.0, and what is hashed must be what comes back.
        "confidence": statement.confidence + 0.0,
        "weight": statement.weight,
        "agent": statement.agent,
        "session": statement.session,
        "verbatim": statement.verbatim,
        "policy": policy,
        "sources": sorted(str(source) for source in statement.sources),
    }


def _dated_by(statement: Statement) -> DatedBy:
    return DatedBy.CLIENT if statement.valid_from else DatedBy.RECORDING


def words_of_statement(statement: Statement) -> dict[str, Any]:
    """What of a statement is sealed."""
    return {
        "content": statement.content,
        "value": statement.value,
        "turns": list(statement.turns),
        "metadata": statement.metadata,
        "meaning": meaning_of(statement),
        "details": statement.details,
        "decisions": statement.decisions,
    }


def moment_of(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
