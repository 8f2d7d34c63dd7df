"""The hash chain, pure: what an entry's digests are made of.

    payload digest = H(salt ‖ payload)
    entry hash     = H(previous hash, seq, header, payload digest)

H is SHA-256 over length-prefixed parts. The salt lies inside the sealed payload, so that once the
subject's key is destroyed the digest can neither be opened nor guessed, and the chain still checks.
"""

import json
import os
from typing import Any

from tenants.crypto import digest

SALT_BYTES = 16
GENESIS = bytes(32)


def canonical(value: Any) -> bytes:
    """JSON in one spelling: sorted members, no spaces, UTF-8."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def new_salt() -> bytes:
    return os.urandom(SALT_BYTES)


def payload_digest(salt: bytes, payload: dict[str, Any]) -> bytes:
    """32 bytes for the words of an entry."""
    return digest(salt, canonical(payload))


def entry_hash(previous: bytes, seq: int, header: dict[str, Any], payload: bytes) -> bytes:
    """32 bytes for an entry; `payload` is its payload_digest."""
    return digest(previous, seq.to_bytes(8, "big"), canonical(header), payload)
