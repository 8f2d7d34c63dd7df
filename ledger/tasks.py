"""Celery tasks of the ledger, run by beat.

What can fail is a task of its own for each tenant: one cannot stop the others.
"""

from uuid import UUID

from celery import shared_task

from ledger.models import IdempotentAnswer
from ledger.policies import current_policy
from ledger.services.expire import BATCH, expire_due
from ledger.services.make_checkpoint import make_checkpoint
from tenants import clock
from tenants.context import tenant_context
from tenants.directory import tenant_ids
from tenants.principals import AGENT_SCOPES, Principal


@shared_task
def apply_retention() -> None:
    """End what is due in every tenant."""
    for tenant_id in tenant_ids():
        apply_tenants_retention.delay(str(tenant_id))


@shared_task
def apply_tenants_retention(tenant_id: str) -> None:
    """End what is due in one tenant, in short transactions."""
    principal = Principal(UUID(tenant_id), "beat:retention", AGENT_SCOPES)
    ended = BATCH
    while ended == BATCH:
        with tenant_context(principal.tenant_id):
            ended = expire_due(principal, current_policy().retention)


@shared_task
def sweep_answers() -> None:
    """Delete the answers kept for retries whose time is over."""
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            IdempotentAnswer.objects.filter(expires_at__lte=clock.now()).delete()


@shared_task
def checkpoint_all() -> None:
    """Have a checkpoint made of every tenant."""
    for tenant_id in tenant_ids():
        checkpoint_tenant.delay(str(tenant_id))


@shared_task
def checkpoint_tenant(tenant_id: str) -> None:
    """Make a checkpoint of one tenant, if anything was written since the last one."""
    with tenant_context(UUID(tenant_id)):
        make_checkpoint()
