"""Which: the search index over memory versions, and the traces of what was recalled."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from ledger.models import MemoryVersion
from tenants import clock
from tenants.models import Subject
from tenants.scoped import TenantForeignKey, TenantModel, TenantRow, Wall

ENCODER_LENGTH = 255
IN_CONTEXT = -1


class Term(TenantRow):
    """One posting: a version holds a term. The term is a keyed hash, readable by nobody.

    Scalars only, tenant first: under row-level security other operators cannot use an index.
    """

    wall = Wall(delete=True)

    pk = models.CompositePrimaryKey("tenant", "subject", "term", "version")
    subject = TenantForeignKey(Subject)
    term = models.BigIntegerField()
    version = TenantForeignKey(MemoryVersion)
    frequency = models.SmallIntegerField()

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "version"], name="term_of_version")]


class Traits(TenantRow):
    """What the words of a version show of themselves, since the words are sealed.

    `length` counts terms; `asking` is the share of the text that is in questions, per cent.
    """

    wall = Wall(delete=True)

    pk = models.CompositePrimaryKey("tenant", "subject", "version")
    subject = TenantForeignKey(Subject)
    version = TenantForeignKey(MemoryVersion)
    length = models.IntegerField()
    asking = models.SmallIntegerField()
    holds_time = models.BooleanField()

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "version"], name="traits_of_version")]


class Corpus(TenantModel):
    """One subject's index as a whole. Its `id` is the subject's id.

    `documents` and `terms` count all versions, for BM25. `encoder` is the one in use for the
    subject; `coming` the one that takes its place when it has encoded everything ('' mostly).
    `revision` grows with every change of the index, of which the ledger may know nothing. A
    `crowded` subject has so many versions that an approximate index finds candidates.
    """

    wall = Wall(
        update=("documents", "terms", "encoder", "coming", "revision", "crowded"), delete=True
    )

    subject = TenantForeignKey(Subject)
    documents = models.BigIntegerField(default=0)
    terms = models.BigIntegerField(default=0)
    encoder = models.CharField(max_length=ENCODER_LENGTH, blank=True, db_collation="C")
    coming = models.CharField(max_length=ENCODER_LENGTH, blank=True, db_collation="C")
    revision = models.BigIntegerField(default=0)
    crowded = models.BooleanField(default=False)


class Waiting(TenantRow):
    """A version that an encoder has still to encode: the worker's list of work, mostly empty."""

    wall = Wall(delete=True)

    pk = models.CompositePrimaryKey("tenant", "subject", "encoder", "version")
    subject = TenantForeignKey(Subject)
    encoder = models.CharField(max_length=ENCODER_LENGTH, db_collation="C")
    version = TenantForeignKey(MemoryVersion)


class Embedding(TenantRow):
    """One chunk of one version as a vector. A table of its own, and narrow: it is scanned.

    The chunk IN_CONTEXT is the version's beginning, heard after what was said before it in its
    session: the words of the version `after`. `crowded` rows are in the approximate index.
    """

    wall = Wall(update=("crowded",), delete=True)

    pk = models.CompositePrimaryKey("tenant", "subject", "version", "encoder", "chunk")
    subject = TenantForeignKey(Subject)
    version = TenantForeignKey(MemoryVersion)
    encoder = models.CharField(max_length=ENCODER_LENGTH, db_collation="C")
    chunk = models.SmallIntegerField()
    # Kept by recall.index: a key to it would make every erasure search the whole table.
    after = models.UUIDField(null=True)
    vector = HalfVectorField()
    crowded = models.BooleanField(default=False)

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "version"], name="vector_of_version")]


class Trace(TenantModel):
    """The record of one recall: what was considered, how it scored, what was held back and why.

    `sealed` holds question and candidates (by id, without their words). An answer that was given
    once more from the cache `repeats` the trace of the first time.
    """

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    at = models.DateTimeField(_("time"), default=clock.now)
    actor = models.CharField(_("who"), max_length=300)
    agent = models.CharField(max_length=255, blank=True)
    expires_at = models.DateTimeField()
    repeats = TenantForeignKey("self", null=True)
    sealed = models.BinaryField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "subject", "-at", "-id"], name="trace_of_subject"),
            models.Index(fields=["tenant", "expires_at"], name="trace_expiry"),
            models.Index(
                fields=["tenant", "repeats"],
                name="trace_repeated",
                condition=models.Q(repeats__isnull=False),
            ),
        ]


class Reply(TenantModel):
    """What an agent said with an answer, sealed, linked to the trace of the recall behind it."""

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    trace = TenantForeignKey(Trace)
    at = models.DateTimeField(_("time"), default=clock.now)
    actor = models.CharField(_("who"), max_length=300)
    sealed = models.BinaryField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "trace", "at"], name="reply_of_trace"),
            models.Index(fields=["tenant", "subject"], name="reply_of_subject"),
        ]
