"""A share of a subject's row, for whoever uses a subject's words and stores something of them."""

from uuid import UUID

from tenants.statements import one_row

SHARE = """
    SELECT 1 FROM tenants_subject
    WHERE tenant_id = %(tenant)s AND id = %(id)s AND erased_at IS NULL FOR KEY SHARE
"""


def share_subject(subject_id: UUID) -> bool:
    """Until the transaction ends no erasure of this subject begins; waits for one that has begun.

    False if there was one. A key that was read before this is good only if this is true; otherwise
    read it after this, when it is gone with its subject.
    """
    return one_row(SHARE, id=subject_id) is not None
