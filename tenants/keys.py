"""Subject data keys: one per subject, wrapped in an encrypted column, never kept beyond one
request.
"""

import base64
import binascii

from tenants import crypto
from tenants.crypto import SubjectCipher
from tenants.errors import KeyUnavailable, NotFound
from tenants.models import Subject, SubjectSecret
from tenants.statements import one_row

# django-encrypted-model-fields gives back the ciphertext when no key opens it, without an error.
# What we wrap begins with this mark, so that such an answer is noticed.
MARK = "mhk1:"
WRAPPED = (
    "SELECT wrapped_key FROM tenants_subjectsecret WHERE tenant_id = %(tenant)s AND id = %(id)s"
)


def wrap(key: bytes) -> str:
    """A key as the text that goes into an encrypted column."""
    return MARK + base64.b64encode(key).decode()


def unwrap(text: str) -> bytes:
    """The key inside wrap()'s text. Raises KeyUnavailable for anything else."""
    try:
        key = base64.b64decode(text.removeprefix(MARK), validate=True)
    except (binascii.Error, ValueError) as error:
        raise KeyUnavailable from error
    if not text.startswith(MARK) or len(key) != crypto.KEY_BYTES:
        raise KeyUnavailable
    return key


def cipher_for(subject: Subject) -> SubjectCipher:
    """What seals and opens the content of `subject`. Raises NotFound once it was erased."""
    row = one_row(WRAPPED, id=subject.id)
    if row is None:
        raise NotFound("This subject was erased.")
    return cipher_with(subject, row[0])


def cipher_with(subject: Subject, stored: str) -> SubjectCipher:
    """The same, with the wrapped key as its column stores it. Raises KeyUnavailable."""
    wrapped = SubjectSecret.wrapped_key.field.to_python(stored)
    return SubjectCipher(subject.tenant_id, subject.id, unwrap(wrapped))


def ciphers_for(subject_ids: set) -> dict:
    """Ciphers by subject id, in one query; erased subjects are absent."""
    return {
        secret.id: SubjectCipher(secret.tenant_id, secret.id, unwrap(secret.wrapped_key))
        for secret in SubjectSecret.objects.filter(id__in=subject_ids)
    }
