"""Learn a fact (`assert`): the service behind every door through which a memory comes in."""

from dataclasses import replace

from ledger import rectangles
from ledger.models import MemoryVersion, Verb
from ledger.policy import Policy
from ledger.rectangles import Effect, Period
from ledger.statements import Statement
from ledger.writing import (
    Writing,
    Written,
    facts_of,
    held,
    words_of_statement,
    writing,
)
from tenants import ids
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject


def remember(
    principal: Principal,
    *,
    subject: str,
    statement: Statement,
    policy: Policy,
    pending: bool = False,
) -> Written:
    """Write one statement, in the tenant context that is open.

    A statement that says nothing new writes nothing. In a single-valued attribute it takes its
    period from what was believed there, unless it was never current. Raises ScopeMissing, Pinned,
    EmptyPeriod.
    """
    principal.require(Scope.WRITE)
    principal.require_subject(subject)
    statement = replace(statement, agent=principal.acting_agent(statement.agent))
    work = writing(principal, ensure_subject(subject))
    period = Period(statement.valid_from or work.moment, statement.valid_to)
    single_valued = statement.attribute in policy.attributes.single_valued
    single_valued = single_valued and not statement.was_never_current(work.moment)
    slot = statement.attribute if single_valued else ""

    memory_id = ids.new_id()
    layer = held(work.layer(memory_id, slot), slot)
    effect = rectangles.assert_fact(memory_id, slot, period, layer, pending=pending)
    known = _told_already(work, statement, effect.opened[0].period, pending=pending)
    if known is not None:
        return Written(known, known.entry, "unchanged")
    entry, opened = work.record(
        Verb.ASSERT,
        memory_id,
        effect,
        facts=facts_of(
            statement,
            single_valued=single_valued and not _held_by_others(work, slot, effect),
            pending=pending,
            policy=policy.version,
        ),
        words=words_of_statement(statement),
    )
    if pending:
        return Written(opened[0], entry, "pending_review")
    return Written(opened[0], entry, "superseded" if effect.closed else "stored")


def _held_by_others(work: Writing, slot: str, effect: Effect) -> bool:
    """Whether another agent's memory holds the slot at that time, for a caller that sees only its
    own: the slot stays there, and what is written beside it claims none.
    """
    if not work.principal.agent or not slot:
        return False
    period = effect.opened[0].period
    rows = MemoryVersion.objects.filter(
        subject=work.subject, attribute=slot, recorded_to=None, slot_high__isnull=False
    ).exclude(agent=work.principal.agent)
    return any(Period(v.valid_from, v.valid_to).overlaps(period) for v in rows)


def _told_already(
    work: Writing, statement: Statement, period: Period, *, pending: bool
) -> MemoryVersion | None:
    """The version that says this at the start of the period, if some version does throughout.

    What only waits for review does not count, unless this is to wait too. Each agent keeps what it
    was told: a key pinned to it has to see what it is told to be known.
    """
    rows = MemoryVersion.objects.select_related("entry").filter(
        subject=work.subject, fingerprint=work.fingerprint(statement), recorded_to=None
    )
    if not pending:
        rows = rows.filter(pending=False)
    rows = rows.filter(agent=statement.agent)
    periods = {v: Period(v.valid_from, v.valid_to) for v in rows.order_by("recorded_from", "id")}
    if period.without(periods.values()):
        return None
    return next(version for version, told in periods.items() if told.holds(period.start))
