"""Which: the search index over memory versions, and the traces of what was recalled."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from ledger.models import MemoryVersion
from tenants import clock
from tenants.models import Subject
from tenants.scoped import TenantForeignKey, TenantModel, TenantRow, Wall


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
    # Terms in the whole version, repeated here so that BM25 needs no second table.
    length = models.IntegerField()

    class Meta(TenantRow.Meta):
        indexes: ClassVar = [models.Index(fields=["tenant", "version"], name="term_of_version")]


class Corpus(TenantModel):
    """What BM25 needs to know of all of a subject's versions. Its `id` is the subject's id."""

    wall = Wall(update=("documents", "terms"), delete=True)

    subject = TenantForeignKey(Subject)
    documents = models.BigIntegerField(default=0)
    terms = models.BigIntegerField(default=0)


class Embedding(TenantRow):
    """One chunk of one version as a vector. A table of its own, and narrow: it is scanned.

    A version without a row here is waiting to be encoded: that is the worker's list of work.
    """

    wall = Wall(delete=True)

    pk = models.CompositePrimaryKey("tenant", "subject", "version", "encoder", "chunk")
    subject = TenantForeignKey(Subject)
    version = TenantForeignKey(MemoryVersion)
    encoder = models.CharField(max_length=120, db_collation="C")
    chunk = models.SmallIntegerField()
    vector = HalfVectorField()


class Trace(TenantModel):
    """The record of one recall: what was considered, how it scored, what was held back and why.

    `sealed` holds question and candidates (by id, without their words).
    """

    wall = Wall(delete=True)

    subject = TenantForeignKey(Subject)
    at = models.DateTimeField(_("time"), default=clock.now)
    actor = models.CharField(_("who"), max_length=300)
    agent = models.CharField(max_length=255, blank=True)
    expires_at = models.DateTimeField()
    sealed = models.BinaryField()

    class Meta(TenantModel.Meta):
        indexes: ClassVar = [
            models.Index(fields=["tenant", "subject", "-at", "-id"], name="trace_of_subject"),
            models.Index(fields=["tenant", "expires_at"], name="trace_expiry"),
        ]
