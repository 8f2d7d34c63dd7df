"""Reading subjects: the list, and one of them."""

from uuid import UUID

from django.db.models import QuerySet

from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope

LAST_CHARACTER = "\U0010ffff"


def find_subjects(principal: Principal, *, begins: str = "") -> QuerySet[Subject]:
    """The subjects that `principal` sees, by their ids, which are compared exactly, byte by byte.

    `begins` keeps those whose id begins so. It is asked as a range: under row-level security a
    range can use the index and LIKE cannot, and in a range no character is a wildcard.
    """
    principal.require(Scope.READ)
    rows = Subject.objects.filter(erased_at=None).order_by("external_id")
    if principal.subject is not None:
        rows = rows.filter(external_id=principal.subject)
    if begins:
        rows = rows.filter(external_id__gte=begins, external_id__lt=begins + LAST_CHARACTER)
    return rows


def get_subject(principal: Principal, subject_id: UUID) -> Subject:
    """One subject. Raises NotFound for a missing and for a foreign id alike."""
    principal.require(Scope.READ)
    subject = Subject.objects.filter(id=subject_id, erased_at=None).first()
    if subject is None:
        raise NotFound
    principal.require_visible(subject.external_id)
    return subject


def get_subject_named(principal: Principal, external_id: str) -> Subject:
    """One subject by the tenant's own id. Raises NotFound for a missing and for a foreign one."""
    principal.require(Scope.READ)
    principal.require_visible(external_id)
    subject = Subject.objects.filter(external_id=external_id, erased_at=None).first()
    if subject is None:
        raise NotFound
    return subject
