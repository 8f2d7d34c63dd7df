"""What seals and opens what belongs to a tenant and to none of its subjects."""

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from tenants import keys
from tenants.crypto import KEY_BYTES, SubjectCipher
from tenants.models import Tenant


def tenant_cipher(purpose: str) -> SubjectCipher:
    """A cipher of the tenant in context for one purpose; the tenant stands in a subject's place.

    Its key is split from the tenant's own secret by HKDF-SHA256 (RFC 5869), so that neither tokens
    nor other purposes share it. Raises KeyUnavailable.
    """
    tenant = Tenant.objects.get()
    info = b"memoryhub/tenant/" + purpose.encode()
    split = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info)
    return SubjectCipher(tenant.id, tenant.id, split.derive(keys.unwrap(tenant.token_key)))
