"""A share of a subject's row, for whoever uses a subject's words and stores something of them."""

from uuid import UUID

from tenants.statements import one_row

SHARE = """
    SELECT 1 FROM tenants_subject
    WHERE tenant_id = %(tenant)s AND id = %(id)s AND erased_at IS NULL FOR KEY SHARE
"""


def share_subject(subject_id: UUID) -> bool:
    """Until the transaction ends no erasure of this subject begins; waits for one that has begun.

    False if there was one. Read the subject's key after this, not before, or not at all if it was
    read before and this says that it is still there.
    """
    return one_row(SHARE, id=subject_id) is not None
