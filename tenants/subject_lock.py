"""A share of a subject's row, for whoever uses a subject's words and stores something of them."""

from uuid import UUID

from django.db import connection

from tenants.context import current_tenant

SHARE = "SELECT 1 FROM tenants_subject WHERE tenant_id = %s AND id = %s FOR KEY SHARE"


def share_subject(subject_id: UUID) -> None:
    """Until the transaction ends no erasure of this subject begins; waits for one that has begun.

    Read the subject's key after this, not before: it is gone if there was an erasure to wait for.
    """
    with connection.cursor() as cursor:
        cursor.execute(SHARE, [current_tenant(), subject_id])
