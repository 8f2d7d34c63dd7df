"""Do a tenant's checkpoints hold, and does the ledger still hold what they say?

The stored ones are checked against each other, against the tenant's key and against the ledger. One
that was published and kept elsewhere (ledger.publication) is checked by itself and then against the
ledger: it notices also a database that was set back as a whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef

from ledger.chain import GENESIS
from ledger.checkpoints import (
    BATCH,
    BEFORE_ALL,
    SignedHead,
    checkpoint_hash,
    heads_digest,
    is_signed,
    newest_heads,
)
from ledger.models import Checkpoint, CheckpointHead, Entry, SigningKey, Verb
from ledger.signing import lock_signing, signing_key
from tenants.context import current_tenant, tenant_context
from tenants.errors import KeyUnavailable
from tenants.models import Subject

PAGE = 100

# Those of the heads given that no entry answers for, in their order.
UNANSWERED = """
    SELECT subject, seq, hash
    FROM unnest(%(subjects)s::uuid[], %(seqs)s::bigint[], %(hashes)s::bytea[])
        WITH ORDINALITY AS head (subject, seq, hash, number)
    WHERE NOT EXISTS (
        SELECT FROM ledger_entry AS entry WHERE entry.tenant_id = %(tenant)s
        AND entry.subject_id = head.subject AND entry.seq = head.seq AND entry.hash = head.hash
    ) ORDER BY number LIMIT 1
"""


class Reason(StrEnum):
    """Why a checkpoint is broken; the value is the stable code."""

    MISSING = "checkpoint_missing"
    ALTERED = "checkpoint_altered"
    SIGNATURE = "signature"
    KEY = "signing_key"
    SUBJECT_MISSING = "subject_missing"
    ENTRY_MISSING = "entry_missing"
    ENTRY_CHANGED = "entry_changed"


SENTENCES = {
    Reason.MISSING: "This checkpoint is missing from the database, or another stands in its place.",
    Reason.ALTERED: "This checkpoint, or a head in it, was altered: its digests do not agree.",
    Reason.SIGNATURE: "The signature of this checkpoint is not that of its public key.",
    Reason.KEY: "This checkpoint was signed with another key than the tenant has now.",
    Reason.SUBJECT_MISSING: "A subject of which this checkpoint tells is gone.",
    Reason.ENTRY_MISSING: "An entry of which this checkpoint tells is gone.",
    Reason.ENTRY_CHANGED: "An entry of which this checkpoint tells is another one now.",
}


@dataclass(frozen=True)
class BrokenCheckpoint:
    """The first checkpoint that does not hold, and if it is about one subject, which and where."""

    number: int
    reason: Reason
    subject: str | None = None
    subject_id: UUID | None = None
    seq: int | None = None

    @property
    def message(self) -> str:
        return SENTENCES[self.reason]


@dataclass(frozen=True)
class CheckpointReport:
    """How many checkpoints there are, the newest, and the first that is broken."""

    count: int
    latest: Checkpoint | None
    broken: BrokenCheckpoint | None


def verify_checkpoints(tenant_id: UUID, subject: Subject | None = None) -> CheckpointReport:
    """Verify the stored checkpoints; with a subject, what they say of it and not of the others."""
    with tenant_context(tenant_id):
        latest = Checkpoint.objects.order_by("-number").first()
        count = Checkpoint.objects.count()
    broken = _chain_problem(tenant_id, with_heads=subject is None)
    with tenant_context(tenant_id):
        broken = broken or (None if subject else _newest_problem()) or _stored_head_problem(subject)
    return CheckpointReport(count, latest, broken)


def own_public_key() -> bytes | None:
    """The key that the tenant in context signs with; None if there is none, or it does not open."""
    try:
        key = signing_key()
    except KeyUnavailable:
        return None
    return key.public_key().public_bytes_raw() if key else None


def signature_problem(checkpoint: Checkpoint, own_key: bytes | None) -> Reason | None:
    """Whether a checkpoint is whole, and signed with the tenant's own key."""
    if checkpoint_hash(checkpoint) != bytes(checkpoint.hash):
        return Reason.ALTERED
    if not is_signed(checkpoint):
        return Reason.SIGNATURE
    return None if own_key == bytes(checkpoint.public_key) else Reason.KEY


def unanswered_head(number: int, heads: Iterable[SignedHead]) -> BrokenCheckpoint | None:
    """The first of a checkpoint's heads that no entry of the tenant in context answers for."""
    waiting = iter(heads)
    while batch := list(islice(waiting, BATCH)):
        asked: dict[str, Any] = {
            "tenant": current_tenant(),
            "subjects": [head.subject for head in batch],
            "seqs": [head.seq for head in batch],
            "hashes": [head.hash for head in batch],
        }
        with connection.cursor() as cursor:
            cursor.execute(UNANSWERED, asked)
            row = cursor.fetchone()
        if row is not None:
            return _head_problem(number, row[0], row[1])
    return None


def _chain_problem(tenant_id: UUID, *, with_heads: bool) -> BrokenCheckpoint | None:
    """Walk the checkpoints in order, a page to a transaction."""
    number, previous = 0, GENESIS
    while True:
        with tenant_context(tenant_id):
            own_key = own_public_key()
            rows = Checkpoint.objects.filter(number__gt=number).order_by("number")[:PAGE]
            page = list(rows)
            for checkpoint in page:
                if checkpoint.number != number + 1:
                    return BrokenCheckpoint(number + 1, Reason.MISSING)
                if bytes(checkpoint.previous) != previous:
                    return BrokenCheckpoint(checkpoint.number, Reason.ALTERED)
                altered = with_heads and _changes(checkpoint) != bytes(checkpoint.changes_digest)
                reason = Reason.ALTERED if altered else signature_problem(checkpoint, own_key)
                if reason is not None:
                    return BrokenCheckpoint(checkpoint.number, reason)
                number, previous = checkpoint.number, bytes(checkpoint.hash)
        if not page:
            return None


def _changes(checkpoint: Checkpoint) -> bytes:
    """The digest of the heads that are stored with a checkpoint."""
    return heads_digest(_heads_of(checkpoint))


def _heads_of(checkpoint: Checkpoint) -> Iterator[SignedHead]:
    after = BEFORE_ALL
    rows = CheckpointHead.objects.filter(checkpoint_id=checkpoint.id).order_by("subject_id")
    while page := list(rows.filter(subject_id__gt=after)[:BATCH]):
        yield from (SignedHead(head.subject_id, head.seq, bytes(head.hash)) for head in page)
        after = page[-1].subject_id


def _newest_problem() -> BrokenCheckpoint | None:
    """Whether the newest checkpoint covers the newest stored heads, while none is being made."""
    lock_signing()
    newest = Checkpoint.objects.order_by("-number").first()
    if newest is None:
        # The key was made with the first checkpoint, or for the erasure of a subject.
        otherwise_made = Entry.objects.filter(verb=Verb.ERASE).exists()
        made = SigningKey.objects.exists() and not otherwise_made
        return BrokenCheckpoint(1, Reason.MISSING) if made else None
    if heads_digest(newest_heads()) == bytes(newest.heads_digest):
        return None
    return BrokenCheckpoint(newest.number, Reason.ALTERED)


def _stored_head_problem(subject: Subject | None) -> BrokenCheckpoint | None:
    """The first stored head that no entry answers for."""
    answers = Entry.objects.filter(
        subject_id=OuterRef("subject_id"), seq=OuterRef("seq"), hash=OuterRef("hash")
    )
    rows = CheckpointHead.objects.filter(~Exists(answers))
    if subject is not None:
        rows = rows.filter(subject_id=subject.id)
    head = rows.select_related("checkpoint").order_by("checkpoint__number", "subject_id").first()
    return _head_problem(head.checkpoint.number, head.subject_id, head.seq) if head else None


def _head_problem(number: int, subject_id: UUID, seq: int) -> BrokenCheckpoint:
    """What has become of the entry that a checkpoint names."""
    subject = Subject.objects.filter(id=subject_id).first()
    if subject is None:
        reason = Reason.SUBJECT_MISSING
    elif Entry.objects.filter(subject_id=subject_id, seq=seq).exists():
        reason = Reason.ENTRY_CHANGED
    else:
        reason = Reason.ENTRY_MISSING
    name = subject.external_id if subject else None
    return BrokenCheckpoint(number, reason, name, subject_id, seq)
