"""What keeps the ledger: policies, kept answers, rebuilds, signatures."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from encrypted_model_fields.fields import EncryptedTextField

from tenants.models import Subject
from tenants.scoped import TenantForeignKey, TenantModel, Wall


class PolicyVersion(TenantModel):
    """One version of a tenant's policy, as it was written; the newest rules (ledger.policies)."""

    wall = Wall(append_only=True)

    number = models.IntegerField(_("version"))
    document = models.JSONField(_("rules"))
    actor = models.CharField(_("who"), max_length=300)
    created_at = models.DateTimeField(_("created"))

    class Meta(TenantModel.Meta):
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tenant", "number"], name="policy_number")
        ]

    def __str__(self) -> str:
        return str(self.number)


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
