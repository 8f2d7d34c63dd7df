"""Jobs: work that outlives its request. A row in PostgreSQL is the work; a task is only a nudge.

A run takes the row for a while (`due_at`), so that a run that is killed is found again by the
sweeper; one that fails waits longer each time, and after the last attempt the job is given up: it
stays in the list until somebody sends it again.
"""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from ledger.models import Job, JobKind, JobState, Session
from ledger.policy.storage import Jobs
from tenants import clock, nudges
from tenants.context import current_tenant
from tenants.errors import Conflict, NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.subject_lock import share_subject


class NotGivenUp(Conflict):
    """Only a job that was given up can be sent again."""

    code = "job_not_given_up"


def enqueue(
    principal: Principal,
    subject: Subject,
    kind: JobKind,
    *,
    session: Session | None = None,
    turns: tuple[int, int] = (0, 0),
    total: int = 0,
    nudged: bool = True,
) -> Job:
    """Add a job in the open transaction; a worker is nudged once that is committed.

    Not `nudged` is the job that the request itself will run: a worker must not be faster, and the
    sweeper finds it should the request die.
    A reflection that waits already covers what is new since: it is not added twice. Raises
    NotFound for a subject that was erased meanwhile.
    """
    if not share_subject(subject.id):
        raise NotFound
    if kind == JobKind.REFLECT:
        same = Job.objects.filter(
            subject=subject,
            session=session,
            kind=kind,
            agent=principal.agent or "",
            state=JobState.WAITING,
            attempts=0,
        ).first()
        if same is not None:
            return same
    moment = clock.now()
    job = Job(
        subject=subject,
        session=session,
        kind=kind,
        actor=principal.actor,
        agent=principal.agent or "",
        due_at=moment,
        total=total,
        first_turn=turns[0],
        last_turn=turns[1],
        created_at=moment,
    )
    job.save(force_insert=True)
    if nudged:
        tenant_id = current_tenant()
        transaction.on_commit(lambda: nudge(tenant_id, job.id))
    return job


def nudge(tenant_id: UUID, job_id: UUID) -> None:
    """Tell a worker about a job."""
    from ledger.tasks import run_job

    nudges.nudge(run_job, tenant_id, job_id)


def take(job_id: UUID, rules: Jobs) -> Job | None:
    """Take a job for one run, or None if it is not to be run now: somebody else has it."""
    moment = clock.now()
    free = Q(state=JobState.WAITING) | Q(state=JobState.RUNNING, due_at__lte=moment)
    taken = Job.objects.filter(free, id=job_id, due_at__lte=moment).update(
        state=JobState.RUNNING,
        attempts=F("attempts") + 1,
        due_at=moment + timedelta(seconds=rules.lease_seconds),
    )
    return Job.objects.select_related("subject", "session").get(id=job_id) if taken else None


def _own_run(job: Job) -> QuerySet[Job]:
    """The job's row while this run has it: another may have taken it when the lease was over."""
    return Job.objects.filter(id=job.id, state=JobState.RUNNING, attempts=job.attempts)


def progress(job: Job, done: int, rules: Jobs) -> None:
    """Note how far a run has come, and keep the job for it."""
    due_at = clock.now() + timedelta(seconds=rules.lease_seconds)
    _own_run(job).update(done=done, due_at=due_at)


def finish(job: Job) -> bool:
    """The work is done. False if the run has lost the job: erased meanwhile, or taken over."""
    share_subject(job.subject_id)
    finished = _own_run(job).update(
        state=JobState.DONE, done=F("total"), error="", finished_at=clock.now()
    )
    return finished > 0


def fail(job: Job, error: str, rules: Jobs) -> None:
    """Put a job back for a later attempt, or give it up. `error` is a stable code, no content."""
    if job.attempts >= rules.attempts:
        _own_run(job).update(state=JobState.DEAD, error=error, finished_at=clock.now())
        return
    wait = min(rules.first_wait_seconds * 2 ** (job.attempts - 1), rules.longest_wait_seconds)
    _own_run(job).update(
        state=JobState.WAITING, error=error, due_at=clock.now() + timedelta(seconds=wait)
    )


def send_again(principal: Principal, job_id: UUID) -> Job:
    """Give a job that was given up all its attempts again. Raises NotFound, NotGivenUp."""
    principal.require(Scope.ADMIN)
    job = get_job(principal, job_id)
    moved = Job.objects.filter(id=job.id, state=JobState.DEAD).update(
        state=JobState.WAITING, attempts=0, error="", due_at=clock.now(), finished_at=None
    )
    if not moved:
        raise NotGivenUp
    tenant_id = current_tenant()
    transaction.on_commit(lambda: nudge(tenant_id, job.id))
    return job


def overdue() -> QuerySet[Job]:
    """The tenant's jobs that should be running by now."""
    return Job.objects.filter(
        state__in=(JobState.WAITING, JobState.RUNNING), due_at__lte=clock.now()
    ).order_by("due_at", "id")


def get_job(principal: Principal, job_id: UUID) -> Job:
    """One job. Raises NotFound for a missing and for a foreign id alike."""
    principal.require(Scope.READ)
    job = Job.objects.select_related("subject", "session").filter(id=job_id).first()
    if job is None or (principal.agent and job.agent != principal.agent):
        raise NotFound
    principal.require_visible(job.subject.external_id)
    return job
