"""Make a checkpoint: sign the heads of all chains of the tenant in context."""

from collections.abc import Iterator

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from ledger.chain import GENESIS
from ledger.checkpoints import (
    BATCH,
    BEFORE_ALL,
    SignedHead,
    checkpoint_hash,
    heads_digest,
    newest_heads,
)
from ledger.models import Checkpoint, CheckpointHead, Head
from ledger.signing import ensure_signing_key, lock_signing
from tenants import clock, ids
from tenants.context import current_tenant


def make_checkpoint() -> Checkpoint | None:
    """A signed statement of where every chain stands; None if none has moved since the last one.

    Only the heads that moved are stored with it. Waits for another that is being made.
    """
    lock_signing()
    previous = Checkpoint.objects.order_by("-number").first()
    made = Checkpoint(
        id=ids.new_id(),
        tenant_id=current_tenant(),
        number=previous.number + 1 if previous else 1,
        at=clock.now(),
        previous=bytes(previous.hash) if previous else GENESIS,
    )
    made.changes_digest = heads_digest(_store_moved_heads(made))
    if made.changes_digest == heads_digest([]):
        return None
    made.heads_digest = heads_digest(newest_heads())
    key = ensure_signing_key()
    made.public_key = key.public_key().public_bytes_raw()
    made.hash = checkpoint_hash(made)
    made.signature = key.sign(made.hash)
    # Last, since nothing may be updated in it; its heads' reference to it is checked at commit.
    made.save(force_insert=True)
    return made


def _store_moved_heads(checkpoint: Checkpoint) -> Iterator[SignedHead]:
    """The heads that are further on than any checkpoint has them; each is stored with this one."""
    known = CheckpointHead.objects.filter(subject_id=OuterRef("id")).order_by("-seq").values("seq")
    moved = Head.objects.annotate(known=Coalesce(Subquery(known[:1]), 0)).filter(seq__gt=F("known"))
    after = BEFORE_ALL
    while page := list(moved.filter(id__gt=after).order_by("id")[:BATCH]):
        CheckpointHead.objects.bulk_create(
            [
                CheckpointHead(
                    checkpoint_id=checkpoint.id, subject_id=head.id, seq=head.seq, hash=head.hash
                )
                for head in page
            ]
        )
        yield from (SignedHead(head.id, head.seq, bytes(head.hash)) for head in page)
        after = page[-1].id
