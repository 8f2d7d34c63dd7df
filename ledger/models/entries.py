"""The append-only ledger: heads, entries, and their sealed words."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tenants.models import Subject
from tenants.scoped import TenantForeignKey, TenantModel, Wall

HASH_BYTES = 32
# What a bigint column holds.
BIGGEST_SEQ = 2**63 - 1


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
