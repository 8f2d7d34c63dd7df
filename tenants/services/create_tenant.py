"""Create a tenant, empty and walled."""

from django.db import IntegrityError, transaction

from tenants import crypto, ids, keys
from tenants.context import tenant_context
from tenants.errors import Conflict, Invalid
from tenants.models import NAME_LENGTH, Tenant


def create_tenant(name: str) -> Tenant:
    """A new tenant. Raises Invalid for a blank or long name, Conflict for one that is taken."""
    name = name.strip()
    if not name or len(name) > NAME_LENGTH or not name.isprintable():
        raise Invalid(f"A tenant's name has 1 to {NAME_LENGTH} printable characters.", field="name")
    tenant = Tenant(id=ids.new_id(), name=name, token_key=keys.wrap(crypto.new_key()))
    with tenant_context(tenant.id):
        try:
            with transaction.atomic():
                tenant.save(force_insert=True)
        except IntegrityError as error:
            raise Conflict(f"There is a tenant called {name!r} already.", field="name") from error
    return tenant
