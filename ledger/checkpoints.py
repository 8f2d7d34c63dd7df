"""Checkpoints: signed, chained statements about the heads of all of a tenant's chains.

    heads digest    = H over H(subject, seq, entry hash), in the order of subjects
    checkpoint hash = H(previous checkpoint hash, tenant, number, at, changes digest, heads digest)
    signature       = Ed25519 (RFC 8032) over the checkpoint hash

The chains alone do not show that a tail or a whole subject is gone, or that a chain was computed
anew from some entry on: whoever owns the database can do that, but cannot sign for it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from django.db import connection

from ledger.models import Checkpoint
from tenants.context import current_tenant
from tenants.crypto import digest

BATCH = 1_000
BEFORE_ALL = UUID(int=0)

# The newest stored head of each subject after one, in the order of subjects. It jumps along the
# index from subject to subject, so that it stays as fast while checkpoints pile up.
NEWEST_HEADS = """
    WITH RECURSIVE newest AS (
        (SELECT subject_id, seq, hash FROM ledger_checkpointhead
         WHERE tenant_id = %(tenant)s AND subject_id > %(after)s
         ORDER BY subject_id, seq DESC LIMIT 1)
        UNION ALL
        SELECT following.* FROM newest CROSS JOIN LATERAL (
            SELECT subject_id, seq, hash FROM ledger_checkpointhead
            WHERE tenant_id = %(tenant)s AND subject_id > newest.subject_id
            ORDER BY subject_id, seq DESC LIMIT 1
        ) AS following
    )
    SELECT subject_id, seq, hash FROM newest LIMIT %(limit)s
"""


class SignedHead(NamedTuple):
    """The newest entry of one subject, as a checkpoint has it."""

    subject: UUID
    seq: int
    hash: bytes


def newest_heads() -> Iterator[SignedHead]:
    """The newest head of every subject in the stored checkpoints, in the order of subjects."""
    after = BEFORE_ALL
    while True:
        asked: dict[str, Any] = {"tenant": current_tenant(), "after": after, "limit": BATCH}
        with connection.cursor() as cursor:
            cursor.execute(NEWEST_HEADS, asked)
            page = [SignedHead(row[0], row[1], bytes(row[2])) for row in cursor.fetchall()]
        yield from page
        if len(page) < BATCH:
            return
        after = page[-1].subject


def heads_digest(heads: Iterable[SignedHead]) -> bytes:
    """32 bytes for any number of heads, which come in the order of subjects."""
    state = hashlib.sha256()
    for head in heads:
        state.update(
            digest(head.subject.bytes, head.seq.to_bytes(8, "big", signed=True), head.hash)
        )
    return state.digest()


def checkpoint_hash(checkpoint: Checkpoint) -> bytes:
    """32 bytes for a checkpoint: what is signed, and what the next one builds on."""
    return digest(
        bytes(checkpoint.previous),
        checkpoint.tenant_id.bytes,
        checkpoint.number.to_bytes(8, "big", signed=True),
        checkpoint.at.isoformat().encode(),
        bytes(checkpoint.changes_digest),
        bytes(checkpoint.heads_digest),
    )


def is_signed(checkpoint: Checkpoint) -> bool:
    """Whether the signature is that of the checkpoint's public key over its hash."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes(checkpoint.public_key))
        key.verify(bytes(checkpoint.signature), bytes(checkpoint.hash))
    except (InvalidSignature, ValueError):
        return False
    return True
