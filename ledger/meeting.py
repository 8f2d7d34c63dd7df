"""What a new statement meets: the believed versions near it, each with how it stands to them.

The candidates were found before the lock; under it they are read again, and what is believed no
more is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ledger.append import TICK
from ledger.meaning import Near
from ledger.merging import Compared, Judgement, Reason, Relation, compare
from ledger.models import DERIVED, MemoryVersion
from ledger.policy import Policy
from ledger.projection import words_of
from ledger.rectangles import Period
from ledger.statements import UNDATED, Statement
from ledger.writing import Writing

# The parts of a statement that make it another one when a client gives them on purpose.
TELLING = frozenset({"kind", "attribute", "value"})


@dataclass(frozen=True)
class Met:
    """A believed version that a statement was compared with, and what came of it."""

    version: MemoryVersion
    similarity: float
    judgement: Judgement

    def record(self) -> dict[str, Any]:
        """As people see it; without words, which the memory itself shows."""
        return {
            "memory": str(self.version.memory_id),
            "similarity": round(self.similarity, 4),
            "relation": str(self.judgement.relation),
            "reason": self.judgement.reason,
        }


def meet(
    work: Writing,
    statement: Statement,
    near: Sequence[Near],
    policy: Policy,
    stated: frozenset[str],
) -> list[Met]:
    """What is believed near the statement, most similar first, each judged.

    What was never current meets nothing.
    """
    if statement.was_never_current(work.moment):
        return []
    found = {item.version_id: item for item in near}
    rows = MemoryVersion.objects.select_related("entry").filter(
        id__in=list(found), subject=work.subject, recorded_to=None, pending=False
    )
    if work.principal.agent:
        rows = rows.filter(agent=work.principal.agent)
    # What was derived is nobody's word: it would take the statement with it when it is withdrawn.
    rows = rows.exclude(kind__in=DERIVED)
    moment = statement.valid_from or work.moment
    new = Compared(
        text=statement.content,
        kind=statement.kind,
        attribute=statement.attribute,
        value=statement.value,
        valid_from=moment,
        single_valued=statement.attribute in policy.attributes.single_valued,
    )
    met = []
    for version in rows.exclude(valid_to__lte=moment):
        words = words_of(version, work.cipher)
        old = Compared(
            text=words["content"],
            kind=version.kind,
            attribute=version.attribute,
            value=words["value"],
            valid_from=version.valid_from,
            single_valued=version.single_valued,
            passage=found[version.id].passages[0],
        )
        alike = found[version.id].similarity
        later = _as_later(new, old, version, statement, work)
        later = replace(later, passage=found[version.id].passages[1])
        judgement = compare(later, old, alike, policy.merging)
        if judgement.relation == Relation.SAME:
            if any(getattr(new, name) != getattr(old, name) for name in stated & TELLING):
                judgement = Judgement(Relation.ADDS, Reason.STATED_OTHERWISE)
            elif version.agent != statement.agent:
                judgement = Judgement(Relation.ADDS, Reason.OTHER_AGENT)
        met.append(Met(version, alike, judgement))
    return sorted(met, key=lambda item: (-item.similarity, str(item.version.id)))


def _as_later(
    new: Compared, old: Compared, version: MemoryVersion, statement: Statement, work: Writing
) -> Compared:
    """The new statement as one that is later than the old, if it was said later and nobody said
    since when the old one holds: "I moved last week" is news, though the other was said today.
    """
    undated = version.entry.header["facts"]["dated_by"] in UNDATED
    said_later = (statement.said_at or work.moment) > version.valid_from
    if undated and said_later and new.valid_from <= old.valid_from:
        return replace(new, valid_from=old.valid_from + TICK)
    return new


def covers(met: Met, statement: Statement, work: Writing) -> bool:
    """Whether what says the same holds throughout the stated time: else the statement says more."""
    if met.judgement.relation != Relation.SAME:
        return True
    said = Period(statement.valid_from or work.moment, statement.valid_to)
    return Period(met.version.valid_from, met.version.valid_to).covers(said)
