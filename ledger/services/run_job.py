"""Run one job: whatever goes wrong, the row says how it stands."""

import logging
from uuid import UUID

from ledger import jobs
from ledger.metrics import JOBS
from ledger.models import Job, JobKind
from ledger.policies import PolicyBroken, current_policy
from ledger.policy.storage import Jobs
from ledger.services.learn import as_agent, learn
from ledger.services.reflect import reflect
from tenants.context import tenant_context
from tenants.errors import MemoryHubError

log = logging.getLogger(__name__)


def run_job(tenant_id: UUID, job_id: UUID) -> None:
    """Take the job and do it, if nobody else does. Raises nothing: a failure is in the row."""
    with tenant_context(tenant_id):
        rules = _rules()
        job = jobs.take(job_id, rules)
    if job is None:
        return
    outcome = "done"
    try:
        _do(tenant_id, job, rules)
        with tenant_context(tenant_id):
            if jobs.finish(job):
                _reflect_if_due(tenant_id, job)
    except Exception as error:
        # Nobody waits for this run: the row has to say it, and the log why.
        log.exception("a job failed", extra={"job": str(job_id), "kind": job.kind})
        outcome = error.code if isinstance(error, MemoryHubError) else type(error).__name__
        with tenant_context(tenant_id):
            jobs.fail(job, outcome[:64], rules)
    JOBS.labels(job.kind, outcome).inc()


def _rules() -> Jobs:
    """How jobs are tried. A broken policy stops the work itself, not its being tried again."""
    try:
        return current_policy().jobs
    except PolicyBroken:
        return Jobs()


def _do(tenant_id: UUID, job: Job, rules: Jobs) -> None:
    principal = as_agent(tenant_id, job)

    def progress(done: int) -> None:
        with tenant_context(tenant_id):
            jobs.progress(job, done, rules)

    if job.kind == JobKind.LEARN:
        learn(principal, job, progress)
    else:
        reflect(principal, job.subject_id, job.session)


def _reflect_if_due(tenant_id: UUID, job: Job) -> None:
    """After so many turns a session is summarised without waiting for its end."""
    every = current_policy().reflection.every_turns
    crossed = job.last_turn // every > (job.first_turn - 1) // every
    if job.kind == JobKind.LEARN and crossed:
        jobs.enqueue(
            as_agent(tenant_id, job), job.subject, JobKind.REFLECT, session=job.session, total=1
        )
