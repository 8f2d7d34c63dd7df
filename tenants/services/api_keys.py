"""Make and revoke API keys."""

from datetime import datetime
from uuid import UUID

from tenants import clock, credentials, ids
from tenants.context import current_tenant
from tenants.errors import Invalid, NotFound
from tenants.models import NAME_LENGTH, ApiKey, Subject
from tenants.principals import AGENT_SCOPES, Scope


def create_api_key(
    *,
    name: str,
    scopes: frozenset[Scope] = AGENT_SCOPES,
    subject: Subject | None = None,
    agent: str = "",
    expires_at: datetime | None = None,
) -> tuple[ApiKey, str]:
    """A new key of the tenant in context, and its text, which cannot be shown again."""
    name = name.strip()
    if not name or len(name) > NAME_LENGTH:
        raise Invalid(f"A key's name has 1 to {NAME_LENGTH} characters.", field="name")
    if not scopes:
        raise Invalid("Give the key at least one scope.", field="scopes")
    if expires_at is not None and expires_at <= clock.now():
        raise Invalid("The key would have expired already.", field="expires_at")
    key_id = ids.random_id()
    material = credentials.new_key_material(key_id, current_tenant())
    key = ApiKey(
        id=key_id,
        name=name,
        prefix=material.prefix,
        secret_digest=material.secret_digest,
        scopes=sorted(scopes),
        subject=subject,
        agent=agent,
        expires_at=expires_at,
    )
    key.save(force_insert=True)
    return key, material.text


def revoke_api_key(key_id: UUID) -> None:
    """Stop a key at once, with every token it minted. Raises NotFound; twice is fine."""
    if not ApiKey.objects.filter(id=key_id).exists():
        raise NotFound
    ApiKey.objects.filter(id=key_id, revoked_at=None).update(revoked_at=clock.now())
