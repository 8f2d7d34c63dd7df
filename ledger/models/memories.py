"""What is believed: memories, their versions, and from what the derived ones come."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from ledger.models.entries import Entry
from tenants.models import SUBJECT_ID_LENGTH, Subject
from tenants.scoped import TenantForeignKey, TenantModel, Wall

ATTRIBUTE_LENGTH = 64


class Kind(models.TextChoices):
    """What sort of thing is remembered."""

    FACT = "fact", _("fact")
    PREFERENCE = "preference", _("preference")
    EVENT = "event", _("event")
    COMMITMENT = "commitment", _("commitment")
    INSTRUCTION = "instruction", _("instruction")
    INSIGHT = "insight", _("insight")
    SUMMARY = "summary", _("summary")


# What MemoryHub drew from other memories: nobody said it.
DERIVED = frozenset({Kind.SUMMARY, Kind.INSIGHT})


class Memory(TenantModel):
    """Something believed about a subject, with a stable id. What is believed is in its versions."""

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    created_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "subject"], name="memory_of_subject")]


class MemoryVersion(TenantModel):
    """One rectangle: [valid_from, valid_to) × [recorded_from, recorded_to); NULL is an open end.

    `seq_from` and `seq_to` are the recorded axis in entries instead of microseconds. `entry` is the
    one whose words these are, which for a clipped copy is older than the one that opened it.
    `sealed` holds content and value; `fingerprint` is equal for equal meanings, so that the same is
    stored once. `single_valued` versions of one attribute never overlap on both axes: the database
    enforces it over `slot_high` and `slot_low`, the attribute's 128-bit name within its subject
    (an exclusion constraint needs integers, unless an extension is installed).
    """

    wall = Wall(update=("recorded_to", "seq_to"), delete=True)

    memory = TenantForeignKey(Memory)
    subject = TenantForeignKey(Subject)
    entry = TenantForeignKey(Entry)
    kind = models.CharField(max_length=16, choices=Kind.choices)
    attribute = models.CharField(max_length=ATTRIBUTE_LENGTH, blank=True, db_collation="C")
    sealed = models.BinaryField()
    fingerprint = models.BinaryField()
    single_valued = models.BooleanField(default=False)
    slot_high = models.BigIntegerField(null=True)
    slot_low = models.BigIntegerField(null=True)
    pending = models.BooleanField(default=False)
    valid_from = models.DateTimeField()
    valid_to = models.DateTimeField(null=True)
    recorded_from = models.DateTimeField()
    recorded_to = models.DateTimeField(null=True)
    seq_from = models.BigIntegerField()
    seq_to = models.BigIntegerField(null=True)
    expires_at = models.DateTimeField(null=True)
    importance = models.SmallIntegerField()
    confidence = models.FloatField()
    weight = models.FloatField(default=1.0)
    agent = models.CharField(max_length=SUBJECT_ID_LENGTH, blank=True)
    session = models.CharField(max_length=SUBJECT_ID_LENGTH, blank=True)
    metadata = models.JSONField(default=dict)

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(valid_to=None) | models.Q(valid_to__gt=models.F("valid_from")),
                name="version_valid_time_runs_forward",
            ),
            models.CheckConstraint(
                condition=models.Q(recorded_to=None)
                | models.Q(recorded_to__gt=models.F("recorded_from")),
                name="version_recorded_time_runs_forward",
            ),
            models.CheckConstraint(
                condition=models.Q(importance__gte=1, importance__lte=10),
                name="version_importance_1_to_10",
            ),
            models.CheckConstraint(
                condition=models.Q(confidence__gte=0, confidence__lte=1),
                name="version_confidence_0_to_1",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["tenant", "subject", "-recorded_from", "-id"], name="version_of_subject"
            ),
            models.Index(fields=["tenant", "-recorded_from", "-id"], name="version_of_tenant"),
            models.Index(fields=["tenant", "memory"], name="version_of_memory"),
            models.Index(
                fields=["tenant", "subject", "fingerprint"],
                name="version_current_meaning",
                condition=models.Q(recorded_to=None),
            ),
        ]


class MemorySource(TenantModel):
    """A memory that was derived (a summary, an insight), and one of those from which it was.

    A view of the entries' headers: what loses a source is withdrawn with it (ledger.derivations).
    """

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    memory = TenantForeignKey(Memory)
    source = TenantForeignKey(Memory)

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "memory", "source"], name="memory_source")
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "source"], name="derived_from_source"),
            models.Index(fields=["tenant", "subject"], name="source_of_subject"),
        ]
