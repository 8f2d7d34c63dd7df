"""What: the append-only ledger, and the memories that are derived from it."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from encrypted_model_fields.fields import EncryptedTextField

from tenants.models import SUBJECT_ID_LENGTH, Subject
from tenants.scoped import TenantForeignKey, TenantModel, Wall

ATTRIBUTE_LENGTH = 64
HASH_BYTES = 32


class Verb(models.TextChoices):
    """What an entry does; see docs/semantics and DESIGN's rules of time."""

    ASSERT = "assert", _("learned")
    CHANGE = "change", _("changed")
    CORRECT = "correct", _("corrected")
    END = "end", _("ended")
    RETRACT = "retract", _("withdrawn")
    APPROVE = "approve", _("approved")
    DECLINE = "decline", _("declined")
    WEIGH = "weigh", _("weighed")
    LINK = "link", _("linked")
    ERASE = "erase", _("erased")


class Kind(models.TextChoices):
    """What sort of thing is remembered."""

    FACT = "fact", _("fact")
    PREFERENCE = "preference", _("preference")
    EVENT = "event", _("event")
    COMMITMENT = "commitment", _("commitment")
    INSTRUCTION = "instruction", _("instruction")
    INSIGHT = "insight", _("insight")
    SUMMARY = "summary", _("summary")


class Head(TenantModel):
    """The newest entry of one subject's chain; locking this row is the subject's lock.

    Its `id` is the subject's id. It is a table of its own so that holding the lock does not hold
    up foreign key checks, which touch the subject's row.
    """

    wall = Wall(update=("seq", "recorded_at", "hash"))

    subject = TenantForeignKey(Subject)
    seq = models.BigIntegerField(default=0)
    recorded_at = models.DateTimeField(null=True)
    hash = models.BinaryField(default=bytes(HASH_BYTES))


class Entry(TenantModel):
    """One append-only event. `header` is what stays readable; the words are in EntryPayload.

    hash = H(previous hash, seq, header, H(salt ‖ payload)); see ledger.chain.
    """

    wall = Wall(append_only=True)

    subject = TenantForeignKey(Subject)
    seq = models.BigIntegerField()
    recorded_at = models.DateTimeField(_("recorded"))
    verb = models.CharField(_("verb"), max_length=16, choices=Verb.choices)
    memory_id = models.UUIDField(_("memory"), null=True)
    actor = models.CharField(_("who"), max_length=300)
    header = models.JSONField(_("header"))
    payload_digest = models.BinaryField()
    hash = models.BinaryField()

    class Meta(TenantModel.Meta):
        verbose_name = _("ledger entry")
        verbose_name_plural = _("ledger entries")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "subject", "seq"], name="entry_seq")
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "memory_id", "seq"], name="entry_of_memory"),
            models.Index(
                fields=["tenant", "subject", "-recorded_at", "-id"], name="entry_of_subject"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.verb}"


class EntryPayload(TenantModel):
    """The words of one entry, sealed; its `id` is the entry's. Only erasure deletes it."""

    wall = Wall(delete=True)

    entry = TenantForeignKey(Entry)
    subject = TenantForeignKey(Subject)
    sealed = models.BinaryField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "subject"], name="payload_of_subject")]


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


class RebuildRun(TenantModel):
    """How far a tenant's rebuilding of views has come. Its `id` is the tenant's; gone when done."""

    wall = Wall(update=("last_subject",), delete=True)

    last_subject = models.UUIDField()


class IdempotentAnswer(TenantModel):
    """The answer to a write that carried an Idempotency-Key, kept so that a retry repeats it."""

    wall = Wall(update=("subject_id", "status", "sealed"), delete=True)

    actor = models.CharField(max_length=300)
    key_digest = models.BinaryField()
    request_digest = models.BinaryField()
    subject = TenantForeignKey(Subject, null=True)
    status = models.SmallIntegerField(default=0)
    sealed = models.BinaryField(null=True)
    expires_at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["tenant", "actor", "key_digest"], name="idempotent_answer_key"
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["tenant", "subject"], name="answer_of_subject"),
            models.Index(fields=["tenant", "expires_at"], name="answer_expiry"),
        ]


class SigningKey(TenantModel):
    """The tenant's Ed25519 key, wrapped (ledger.signing); made with the first signature.

    Whoever owns the database can delete this row but cannot make another that opens.
    """

    wrapped_key = EncryptedTextField()

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [models.UniqueConstraint(fields=["tenant"], name="signing_key_one")]


class Checkpoint(TenantModel):
    """A signed statement about the heads of all of a tenant's chains; see ledger.checkpoints.

    `changes_digest` covers the heads that are stored with this checkpoint, `heads_digest` the
    newest head of every subject as of this checkpoint.
    """

    wall = Wall(append_only=True)

    number = models.BigIntegerField()
    at = models.DateTimeField()
    previous = models.BinaryField()
    changes_digest = models.BinaryField()
    heads_digest = models.BinaryField()
    hash = models.BinaryField()
    signature = models.BinaryField()
    public_key = models.BinaryField()

    class Meta(TenantModel.Meta):
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "number"], name="checkpoint_number")
        ]


class CheckpointHead(TenantModel):
    """The head of one subject's chain, stored with the first checkpoint that found it there."""

    wall = Wall(append_only=True)

    checkpoint = TenantForeignKey(Checkpoint)
    subject = TenantForeignKey(Subject)
    seq = models.BigIntegerField()
    hash = models.BinaryField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "subject", "-seq"], name="checkpoint_head_newest"),
            models.Index(fields=["tenant", "checkpoint", "subject"], name="checkpoint_heads"),
        ]
