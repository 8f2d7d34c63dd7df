"""What was said: sessions and turns, the private values that were masked, and jobs."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tenants.models import SUBJECT_ID_LENGTH, Subject
from tenants.scoped import TenantForeignKey, TenantModel, Wall


class Session(TenantModel):
    """One conversation. `external_id` is the tenant's own id for it, unique within its subject.

    `turns` is the number of its last turn; whoever appends holds the subject's lock.
    """

    wall = Wall(update=("turns", "last_at", "ended_at"), delete=True)

    subject = TenantForeignKey(Subject)
    external_id = models.CharField(max_length=SUBJECT_ID_LENGTH, db_collation="C")
    turns = models.IntegerField(default=0)
    created_at = models.DateTimeField()
    last_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "subject", "external_id"], name="session_external_id"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["tenant", "last_at"], name="session_last")]


class TurnRole(models.TextChoices):
    """Who said it. Only what a person said becomes memory."""

    USER = "user", _("person")
    ASSISTANT = "assistant", _("agent")
    SYSTEM = "system", _("system")
    TOOL = "tool", _("tool")


class Turn(TenantModel):
    """One message of a session, masked and sealed.

    `identity` is equal for the same message sent again, where the client named it or its time.
    `sealed_outcome` is what the write path decided about it and why, once it has.
    """

    wall = Wall(update=("sealed_outcome", "learned_at"), delete=True)

    subject = TenantForeignKey(Subject)
    session = TenantForeignKey(Session)
    number = models.IntegerField()
    role = models.CharField(max_length=16, choices=TurnRole.choices)
    at = models.DateTimeField()
    dated_by = models.CharField(max_length=16)
    agent = models.CharField(max_length=SUBJECT_ID_LENGTH, blank=True)
    identity = models.BinaryField(null=True)
    content_fingerprint = models.BinaryField()
    sealed = models.BinaryField()
    sealed_outcome = models.BinaryField(null=True)
    created_at = models.DateTimeField()
    learned_at = models.DateTimeField(null=True)

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "session", "number"], name="turn_number"),
            models.UniqueConstraint(fields=["tenant", "session", "identity"], name="turn_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "subject"], name="turn_of_subject"),
            models.Index(fields=["tenant", "created_at"], name="turn_created"),
        ]


class MaskedValue(TenantModel):
    """What a placeholder stands for: `[PHONE_1]` is the value of kind PHONE and number 1.

    `fingerprint` is equal for equal values of one kind; `sealed` holds the value as first said.
    """

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    kind = models.CharField(max_length=16)
    number = models.IntegerField()
    fingerprint = models.BinaryField()
    sealed = models.BinaryField()

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "subject", "kind", "number"], name="masked_value_placeholder"
            ),
            models.UniqueConstraint(
                fields=["tenant", "subject", "fingerprint"], name="masked_value_once"
            ),
        ]


class JobKind(models.TextChoices):
    """What is to be done outside a request."""

    LEARN = "learn", _("learn from what was said")
    REFLECT = "reflect", _("summarise and reflect")


class JobState(models.TextChoices):
    """Where a job stands."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    DEAD = "dead", _("given up")


class Job(TenantModel):
    """Work that outlives its request. The row is the work; a task is only a nudge (ledger.jobs)."""

    wall = Wall(
        update=("state", "attempts", "due_at", "done", "total", "error", "finished_at"),
        delete=True,
    )

    subject = TenantForeignKey(Subject, verbose_name=_("subject"))
    session = TenantForeignKey(Session, null=True)
    kind = models.CharField(_("what"), max_length=16, choices=JobKind.choices)
    actor = models.CharField(_("who"), max_length=300)
    agent = models.CharField(max_length=SUBJECT_ID_LENGTH, blank=True)
    state = models.CharField(
        _("state"), max_length=16, choices=JobState.choices, default=JobState.WAITING
    )
    attempts = models.SmallIntegerField(_("attempts"), default=0)
    # Not before then: while it runs, when the run counts as lost.
    due_at = models.DateTimeField(_("due"))
    done = models.IntegerField(_("done"), default=0)
    total = models.IntegerField(_("of"), default=0)
    first_turn = models.IntegerField(default=0)
    last_turn = models.IntegerField(default=0)
    error = models.CharField(_("error"), max_length=64, blank=True)
    created_at = models.DateTimeField(_("created"))
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        indexes: ClassVar = [
            models.Index(
                fields=["tenant", "due_at"],
                name="job_due",
                condition=models.Q(state__in=("waiting", "running")),
            ),
            models.Index(fields=["tenant", "subject"], name="job_of_subject"),
            models.Index(fields=["tenant", "-created_at", "-id"], name="job_newest"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.get_state_display()})"
