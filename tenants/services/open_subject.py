"""A subject and its key in one statement: what every recall begins with."""

from psycopg.sql import SQL, Identifier

from tenants import keys
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.services.ensure_subject import ensure_subject, require_nameable
from tenants.statements import one_row
from tenants.subject_lock import share_subject

COLUMNS = [field.attname for field in Subject._meta.concrete_fields]
OPEN = (
    SQL("""
    SELECT {columns}, secret.wrapped_key
    FROM tenants_subject AS s
    JOIN tenants_subjectsecret AS secret ON secret.tenant_id = s.tenant_id AND secret.id = s.id
    WHERE s.tenant_id = %(tenant)s AND s.external_id = %(name)s AND s.erased_at IS NULL
    FOR KEY SHARE OF s
""")
    .format(columns=SQL(", ").join(Identifier("s", column) for column in COLUMNS))
    .as_string()
)


def open_subject(external_id: str) -> tuple[Subject, SubjectCipher]:
    """The subject with the tenant's own id and what opens its content; made on first use.

    No erasure of it begins until the transaction ends (tenants.subject_lock). Where one had begun,
    its row has another name by now, and is not found: PostgreSQL looks again when it has waited.
    Raises ReservedId.
    """
    require_nameable(external_id)
    row = one_row(OPEN, name=external_id)
    if row is None:
        subject = ensure_subject(external_id)
        share_subject(subject.id)
        return subject, keys.cipher_for(subject)
    *values, wrapped_key = row
    subject = Subject.from_db("default", COLUMNS, values)
    return subject, keys.cipher_with(subject, wrapped_key)
