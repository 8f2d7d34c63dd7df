"""Celery tasks of the ledger, run by beat.

What can fail is a task of its own for each tenant: one cannot stop the others.
"""

from datetime import timedelta
from uuid import UUID

from celery import shared_task

from ledger.jobs import enqueue, nudge, overdue
from ledger.models import IdempotentAnswer, JobKind
from ledger.policies import current_policy
from ledger.services.expire import BATCH, expire_due
from ledger.services.forget_turns import forget_old_turns
from ledger.services.make_checkpoint import make_checkpoint
from ledger.services.reflect import learned_since
from ledger.services.run_job import run_job as run
from tenants import clock
from tenants.context import tenant_context
from tenants.directory import tenant_ids
from tenants.principals import AGENT_SCOPES, Principal

# A little longer than the beat's day: what was learned while one round was late is in the next.
REFLECTED_EVERY = timedelta(hours=26)


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
def run_job(tenant_id: str, job_id: str) -> None:
    """Do one job; a nudge that came twice finds that it is taken."""
    run(UUID(tenant_id), UUID(job_id))


@shared_task
def sweep_jobs() -> None:
    """Nudge for every job that should be running by now: finds lost nudges and lost runs."""
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            due = list(overdue().values_list("id", flat=True)[:BATCH])
        for job_id in due:
            nudge(tenant_id, job_id)


@shared_task
def sweep_turns() -> None:
    """Delete raw turns, and what belongs to them, whose time is over."""
    for tenant_id in tenant_ids():
        sweep_tenants_turns.delay(str(tenant_id))


@shared_task
def sweep_tenants_turns(tenant_id: str) -> None:
    """Delete one tenant's old turns, sessions without turns, and finished jobs."""
    with tenant_context(UUID(tenant_id)):
        forget_old_turns(current_policy().retention)


@shared_task
def reflect_daily() -> None:
    """Have insights drawn anew where something was learned since the last round."""
    for tenant_id in tenant_ids():
        reflect_tenant.delay(str(tenant_id))


@shared_task
def reflect_tenant(tenant_id: str) -> None:
    """Add a job of reflection for every subject of a tenant that learned something new."""
    principal = Principal(UUID(tenant_id), "beat:reflection", AGENT_SCOPES)
    with tenant_context(principal.tenant_id):
        for subject in learned_since(clock.now() - REFLECTED_EVERY):
            enqueue(principal, subject, JobKind.REFLECT, total=1)


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
