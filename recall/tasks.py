"""Celery tasks of recall: nudges that take ids, do idempotent work and may come twice or never."""

from uuid import UUID

from celery import shared_task

from recall.encoding import crowd, encode_waiting, follow_setting, waiting
from recall.index import nudge
from recall.models import Trace
from recall.traces import forget_traces
from tenants import clock
from tenants.context import tenant_context
from tenants.directory import tenant_ids

# Few, so that other subjects, and jobs, soon get their turn: a long memory has many chunks.
TASK_LIMIT = 32


@shared_task
def encode_subject(tenant_id: str, subject_id: str) -> None:
    """Encode what waits for one subject; a long list is taken in turns with other subjects'."""
    done = encode_waiting(UUID(tenant_id), UUID(subject_id), TASK_LIMIT)
    if done == TASK_LIMIT or crowd(UUID(tenant_id), UUID(subject_id)):
        encode_subject.delay(tenant_id, subject_id)


@shared_task
def sweep_unindexed() -> None:
    """Nudge for every subject with waiting versions: finds what a lost nudge left behind, and what
    another encoder has to encode now.
    """
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            follow_setting()
            subjects = set(waiting().values_list("subject_id", flat=True)[:10_000])
        for subject_id in subjects:
            nudge(tenant_id, subject_id)


@shared_task
def sweep_traces() -> None:
    """Delete the traces whose time is over."""
    for tenant_id in tenant_ids():
        with tenant_context(tenant_id):
            forget_traces(Trace.objects.filter(expires_at__lte=clock.now()))
