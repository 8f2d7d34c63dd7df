"""A checkpoint as a file to be kept elsewhere, out of reach of whoever owns the database.

The file is one JSON object and needs no database to be checked: its heads give its heads digest,
that and the other members give its hash, and the signature is that of its public key.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice, pairwise
from typing import Any
from uuid import UUID

from ledger.checkpoint_checks import (
    BrokenCheckpoint,
    Reason,
    own_public_key,
    signature_problem,
    unanswered_head,
)
from ledger.checkpoints import BATCH, SignedHead, heads_digest, newest_heads
from ledger.models import BIGGEST_SEQ, Checkpoint
from ledger.services.make_checkpoint import make_checkpoint
from tenants.errors import Conflict, Invalid
from tenants.models import Subject

FORMAT = "memoryhub-checkpoint/1"
DIGESTS = ("previous", "changes_digest", "heads_digest", "hash", "signature", "public_key")


class NothingToPublish(Conflict):
    """Nothing was ever written here, so there is nothing to sign."""

    code = "nothing_to_publish"


class HeadsAltered(Conflict):
    """The stored heads are not those that were signed: see verify_ledger."""

    code = "heads_altered"


class NotACheckpoint(Invalid):
    """This file is not a checkpoint that MemoryHub published."""

    code = "not_a_checkpoint"


@dataclass(frozen=True)
class Published:
    """A checkpoint from a file, with all its heads, and the subjects' names if it tells them."""

    checkpoint: Checkpoint
    heads: list[SignedHead]
    names: dict[UUID, str]


def publish(*, names: bool) -> Iterator[str]:
    """The lines of a file that tells where every chain of the tenant in context stands now.

    With `names` it holds the tenant's own ids of the subjects, which no erasure can reach there.
    Raises NothingToPublish, HeadsAltered.
    """
    make_checkpoint()
    newest = Checkpoint.objects.order_by("-number").first()
    if newest is None:
        raise NothingToPublish
    if heads_digest(newest_heads()) != bytes(newest.heads_digest):
        raise HeadsAltered
    told: dict[str, Any] = {
        "format": FORMAT,
        "tenant": str(newest.tenant_id),
        "number": newest.number,
        "at": newest.at.isoformat(),
        **{name: bytes(getattr(newest, name)).hex() for name in DIGESTS},
    }
    yield json.dumps(told)[:-1] + ', "heads": ['
    for number, line in enumerate(_head_lines(names=names)):
        yield f",{line}" if number else line
    yield "]}"


def read_published(text: str) -> Published:
    """A file's checkpoint, not believed yet. Raises NotACheckpoint."""
    try:
        told = json.loads(text)
        if told["format"] != FORMAT:
            raise NotACheckpoint
        checkpoint = Checkpoint(
            tenant_id=UUID(told["tenant"]),
            number=int(told["number"]),
            at=datetime.fromisoformat(told["at"]),
            **{name: bytes.fromhex(told[name]) for name in DIGESTS},
        )
        heads = [_head(head) for head in told["heads"]]
        names = {UUID(h["subject"]): str(h["name"]) for h in told["heads"] if h.get("name")}
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise NotACheckpoint from error
    return Published(checkpoint, heads, names)


def published_problems(published: Published) -> list[BrokenCheckpoint]:
    """What does not hold of a file, in the context of its tenant: by itself, then in the ledger."""
    checkpoint, heads = published.checkpoint, published.heads
    in_order = all(one.subject < next_.subject for one, next_ in pairwise(heads))
    if not in_order or heads_digest(heads) != checkpoint.heads_digest:
        return [BrokenCheckpoint(checkpoint.number, Reason.ALTERED)]
    found = []
    if reason := signature_problem(checkpoint, own_public_key()):
        found.append(BrokenCheckpoint(checkpoint.number, reason))
        if reason != Reason.KEY:
            return found
    if broken := unanswered_head(checkpoint.number, heads):
        found.append(_named(broken, published.names))
    if not Checkpoint.objects.filter(number=checkpoint.number, hash=checkpoint.hash).exists():
        found.append(BrokenCheckpoint(checkpoint.number, Reason.MISSING))
    return found


def _head_lines(*, names: bool) -> Iterator[str]:
    waiting = newest_heads()
    while batch := list(islice(waiting, BATCH)):
        subjects = Subject.objects.in_bulk([head.subject for head in batch]) if names else {}
        for head in batch:
            told = {"subject": str(head.subject), "seq": head.seq, "hash": head.hash.hex()}
            if subject := subjects.get(head.subject):
                told["name"] = subject.external_id
            yield json.dumps(told, ensure_ascii=False)


def _named(broken: BrokenCheckpoint, names: dict[UUID, str]) -> BrokenCheckpoint:
    """With the subject's name from the file, if the database has it no more."""
    if broken.subject is not None or broken.subject_id is None:
        return broken
    return replace(broken, subject=names.get(broken.subject_id))


def _head(told: dict[str, Any]) -> SignedHead:
    head = SignedHead(UUID(told["subject"]), int(told["seq"]), bytes.fromhex(told["hash"]))
    if not 0 < head.seq <= BIGGEST_SEQ:
        raise NotACheckpoint
    return head
