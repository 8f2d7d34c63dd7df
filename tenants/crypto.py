"""Pure cryptography: sealing content, keyed hashes, key derivation. No models, no settings.

AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce; HKDF-SHA256 (RFC 5869) splits one data
key into independent keys for sealing and for hashing; HMAC-SHA256 (RFC 2104) hashes terms.
"""

import hashlib
import hmac
import os
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tenants.errors import ContentDamaged

KEY_BYTES = 32
NONCE_BYTES = 12
FORMAT = b"\x01"


def new_key() -> bytes:
    """A fresh 256-bit key."""
    return os.urandom(KEY_BYTES)


@dataclass(frozen=True, repr=False)
class SubjectCipher:
    """Everything that one subject's data key can do. Never printed, never stored."""

    tenant_id: UUID
    subject_id: UUID
    data_key: bytes

    @cached_property
    def _sealer(self) -> AESGCM:
        return AESGCM(self._derive(b"content"))

    @cached_property
    def _term_key(self) -> bytes:
        return self._derive(b"terms")

    @cached_property
    def _fingerprint_key(self) -> bytes:
        return self._derive(b"fingerprint")

    def seal(self, row_id: UUID, plaintext: bytes) -> bytes:
        """Encrypt for one row: format byte, nonce, ciphertext and tag."""
        nonce = os.urandom(NONCE_BYTES)
        return FORMAT + nonce + self._sealer.encrypt(nonce, plaintext, self._bound_to(row_id))

    def open(self, row_id: UUID, sealed: bytes | memoryview) -> bytes:
        """Decrypt what seal() made for the same row. Raises ContentDamaged on any difference."""
        raw = bytes(sealed)
        nonce, body = raw[1 : 1 + NONCE_BYTES], raw[1 + NONCE_BYTES :]
        try:
            if raw[:1] != FORMAT:
                raise ContentDamaged
            return self._sealer.decrypt(nonce, body, self._bound_to(row_id))
        except (InvalidTag, ValueError) as error:
            raise ContentDamaged from error

    def term(self, token: str) -> int:
        """A search term as a signed 64-bit keyed hash: equal within this subject only."""
        digest = hmac.digest(self._term_key, token.encode(), "sha256")
        return int.from_bytes(digest[:8], "big", signed=True)

    def fingerprint(self, meaning: str) -> bytes:
        """32 bytes that are equal for equal meanings of this subject, and tell nothing else."""
        return hmac.digest(self._fingerprint_key, meaning.encode(), "sha256")

    def _bound_to(self, row_id: UUID) -> bytes:
        return self.tenant_id.bytes + self.subject_id.bytes + row_id.bytes

    def _derive(self, purpose: bytes) -> bytes:
        info = b"memoryhub/" + purpose
        return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(
            self.data_key
        )


def digest(*parts: bytes) -> bytes:
    """SHA-256 over the parts, each preceded by its length so that no two splits agree."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()
