"""Reading sessions: the conversations with a subject, and one of them."""

from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from ledger.models import Session, Turn
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope


def find_sessions(principal: Principal, subject: Subject) -> QuerySet[Session]:
    """The sessions of one subject. Raises ScopeMissing, NotFound.

    A caller who may act as one agent only sees those in which that agent sent something.
    """
    principal.require(Scope.READ)
    principal.require_visible(subject.external_id)
    rows = Session.objects.filter(subject=subject)
    if principal.agent:
        sent = Turn.objects.filter(session_id=OuterRef("id"), agent=principal.agent)
        rows = rows.filter(Exists(sent))
    return rows


def get_session(principal: Principal, subject: Subject, session_id: UUID) -> Session:
    """One session of a subject. Raises NotFound for a missing and for a foreign id alike."""
    found = find_sessions(principal, subject).filter(id=session_id).first()
    if found is None:
        raise NotFound
    return found
