"""A subject comes into being when something is first said about it."""

import re

from django.db import IntegrityError, transaction

from tenants import crypto, keys
from tenants.errors import Invalid
from tenants.models import Subject, SubjectSecret

# How routes go on after a subject's id, and what an erased subject is called.
RESERVED = re.compile(r"\Aerased:|/(export|erase|retract|profile)?\Z")


class ReservedId(Invalid):
    """A subject's id may not begin with 'erased:', nor end with '/', '/export', '/erase',
    '/retract' or '/profile'.
    """

    code = "reserved_subject_id"


def require_nameable(external_id: str) -> None:
    """Raise ReservedId for an id that a path could not name."""
    if RESERVED.search(external_id):
        raise ReservedId(field="subject")


def ensure_subject(external_id: str) -> Subject:
    """The subject with the tenant's own id, made with a fresh data key on first use.

    Raises ReservedId for an id that a path could not name.
    Two first writers race on the unique key: the loser's savepoint is rolled back and it reads
    the winner's row.
    """
    require_nameable(external_id)
    found = Subject.objects.filter(external_id=external_id).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            subject = Subject(external_id=external_id)
            subject.save(force_insert=True)
            secret = SubjectSecret(
                id=subject.id, subject=subject, wrapped_key=keys.wrap(crypto.new_key())
            )
            secret.save(force_insert=True)
            return subject
    except IntegrityError:
        return Subject.objects.get(external_id=external_id)
