"""A session is over: its summary is made, and what follows from it is drawn."""

from ledger.jobs import enqueue
from ledger.models import Job, JobKind, Session, Turn
from tenants import clock
from tenants.errors import NotFound
from tenants.principals import Principal, Scope
from tenants.selectors import get_subject_named


def end_session(principal: Principal, *, subject: str, session: str) -> Job:
    """Mark the end and add the job, in the tenant's context. A later turn opens it again.

    Raises ScopeMissing, NotFound.
    """
    principal.require(Scope.WRITE)
    person = get_subject_named(principal, subject)
    row = Session.objects.filter(subject=person, external_id=session).first()
    turns = Turn.objects.filter(session=row)
    if principal.agent:
        turns = turns.filter(agent=principal.agent)
    if row is None or not turns.exists():
        raise NotFound
    Session.objects.filter(id=row.id, ended_at=None).update(ended_at=clock.now())
    return enqueue(principal, person, JobKind.REFLECT, session=row, total=1)
