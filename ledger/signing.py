"""The tenant's signature (Ed25519, RFC 8032): on checkpoints, and on erasures of whole subjects.

Whoever owns the database can write any row but cannot sign: the key is wrapped under
FIELD_ENCRYPTION_KEY, which the database does not hold.
"""

from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection

from ledger.models import SigningKey
from tenants import keys
from tenants.context import current_tenant
from tenants.crypto import digest

# The first of the two numbers that name a PostgreSQL advisory lock; the second is the tenant's.
SIGNING_LOCK = 1


def signing_key() -> Ed25519PrivateKey | None:
    """The tenant's key; None before its first signature. Raises KeyUnavailable."""
    stored = SigningKey.objects.first()
    if stored is None:
        return None
    return Ed25519PrivateKey.from_private_bytes(keys.unwrap(stored.wrapped_key))


def ensure_signing_key() -> Ed25519PrivateKey:
    """The tenant's key, made on first use by one transaction at a time."""
    key = signing_key()
    if key is None:
        lock_signing()
        key = signing_key()
    if key is None:
        key = Ed25519PrivateKey.generate()
        SigningKey(wrapped_key=keys.wrap(key.private_bytes_raw())).save(force_insert=True)
    return key


def lock_signing() -> None:
    """Until the transaction ends, no other makes a checkpoint or a key of this tenant."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [SIGNING_LOCK, str(current_tenant())]
        )


def sign_erasure(subject_id: UUID, seq: int, previous: bytes) -> str:
    """The proof that the erasure of a whole subject, at this place of its chain, is genuine."""
    return ensure_signing_key().sign(_erasure(subject_id, seq, previous)).hex()


def is_genuine_erasure(subject_id: UUID, seq: int, previous: bytes, proof: object) -> bool:
    """Whether sign_erasure() made this proof for this place."""
    key = signing_key()
    if key is None or not isinstance(proof, str):
        return False
    try:
        key.public_key().verify(bytes.fromhex(proof), _erasure(subject_id, seq, previous))
    except (InvalidSignature, ValueError):
        return False
    return True


def _erasure(subject_id: UUID, seq: int, previous: bytes) -> bytes:
    """What is signed: 32 bytes for one place in one chain."""
    return digest(b"erase", current_tenant().bytes, subject_id.bytes, seq.to_bytes(8), previous)
