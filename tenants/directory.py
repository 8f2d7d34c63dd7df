"""The list of tenants, ids only: for beat's rounds and the command line, never for a request."""

from uuid import UUID

from django.db import connection

from tenants import wall
from tenants.context import tenant_context
from tenants.errors import NotFound
from tenants.models import Tenant


def tenant_ids() -> list[UUID]:
    """Every tenant's id, oldest first, from a database function that can tell nothing else."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {wall.DIRECTORY_FUNCTION}()")
        return [tenant_id for (tenant_id,) in cursor.fetchall()]


def find_tenant(name: str) -> Tenant:
    """The tenant with this name (or id), for commands. Raises NotFound."""
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            tenant = Tenant.objects.get()
        if name in (tenant.name, str(tenant.id)):
            return tenant
    raise NotFound(f"There is no tenant called {name!r}.")
