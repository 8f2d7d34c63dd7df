"""Mint a short-lived token for one subject."""

from datetime import datetime, timedelta

from tenants import clock, credentials
from tenants.context import tenant_context
from tenants.errors import Forbidden
from tenants.models import Tenant
from tenants.principals import Principal
from tenants.services.record_access import record_access

MAX_TOKEN_SECONDS = 3600


def mint_token(principal: Principal, *, subject: str, seconds: int) -> tuple[str, datetime]:
    """The token and the moment it expires.

    Raises Forbidden for a caller that is itself a token, Pinned for another subject.
    """
    if principal.key_id is None:
        raise Forbidden("Only an API key mints tokens.")
    principal.require_subject(subject)
    with tenant_context(principal.tenant_id):
        token = credentials.sign_token(
            principal=principal, tenant=Tenant.objects.get(), subject=subject, seconds=seconds
        )
        record_access(principal, action="mint_token", object_id=subject)
    return token, clock.now() + timedelta(seconds=seconds)
