"""Reading the ledger itself: the entries of one subject, without their words."""

from django.db.models import QuerySet

from ledger.models import Entry, MemoryVersion
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope


def find_entries(principal: Principal, *, subject: str) -> QuerySet[Entry]:
    """The entries of a subject, also of an erased one by the name it has since.

    A caller who may act as one agent only sees what concerns that agent's memories. Raises
    ScopeMissing, Pinned, NotFound.
    """
    principal.require(Scope.READ)
    principal.require_subject(subject)
    found = Subject.objects.filter(external_id=subject).first()
    if found is None:
        raise NotFound
    rows = Entry.objects.filter(subject=found)
    if principal.agent:
        own = MemoryVersion.objects.filter(subject=found, agent=principal.agent)
        rows = rows.filter(memory_id__in=own.values("memory_id"))
    return rows
