"""Idempotency-Key: a retry of a write answers like the first try, and changes nothing.

The key is claimed in the transaction of the write's own effect: a unique row is inserted first, the
effect follows, the answer is stored, and all of it commits or none. A second request with the same
key waits at the unique index until the first one has ended, then finds its answer, or, if the first
one failed, does the work itself.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils.crypto import salted_hmac

from ledger.chain import canonical
from ledger.models import IdempotentAnswer
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.errors import Conflict, Invalid
from tenants.models import Subject
from tenants.principals import Principal

KEY_LENGTH = 255
SALT = "memoryhub.idempotency"
KEPT_FOR = timedelta(hours=24)
# How long a retry waits for the first try to end. Longer than any honest write takes.
LEASE_MILLISECONDS = 10_000


class KeyReused(Conflict):
    """This Idempotency-Key was used for another request: make a new key for a new request."""

    code = "idempotency_key_reused"


class StillRunning(Conflict):
    """The first request with this Idempotency-Key is still running: try again in a moment."""

    code = "idempotency_in_progress"


@dataclass(frozen=True)
class Result:
    """What a write answers, and the subject under whose key the answer is kept.

    Without a subject it is kept as it is: for answers that repeat no word, such as receipts, which
    have to outlive the subject's key.
    """

    status: int
    body: dict[str, Any]
    subject: Subject | None


def once(
    principal: Principal, key: str | None, request: dict[str, Any], work: Callable[[], Result]
) -> tuple[int, dict[str, Any]]:
    """Do `work` inside the tenant, once per key; gives status and body.

    `request` is what has to be the same on a retry. Raises KeyReused, StillRunning, Invalid.
    """
    with tenant_context(principal.tenant_id):
        if key is None:
            result = work()
            return result.status, result.body
        claim = _claim(principal, key, request)
        if claim.sealed is not None:
            return _kept_answer(claim)
        result = work()
        kept = json.dumps(result.body).encode()
        if result.subject is not None:
            kept = keys.cipher_for(result.subject).seal(claim.id, kept)
        IdempotentAnswer.objects.filter(id=claim.id).update(
            subject=result.subject, status=result.status, sealed=kept
        )
        return result.status, result.body


def _claim(principal: Principal, key: str, request: dict[str, Any]) -> IdempotentAnswer:
    """The row of this key: a new one, or the one that the first try left."""
    if not 0 < len(key) <= KEY_LENGTH or not key.isprintable():
        raise Invalid(
            f"An Idempotency-Key has 1 to {KEY_LENGTH} printable characters.",
            field="Idempotency-Key",
        )
    moment = clock.now()
    key_digest = hashlib.sha256(key.encode()).digest()
    # Keyed: what was sent could otherwise be guessed from a dump.
    request_digest = salted_hmac(SALT, canonical(request), algorithm="sha256").digest()
    found = IdempotentAnswer.objects.filter(actor=principal.actor, key_digest=key_digest)
    found.filter(expires_at__lte=moment).delete()
    claim = IdempotentAnswer(
        actor=principal.actor,
        key_digest=key_digest,
        request_digest=request_digest,
        expires_at=moment + KEPT_FOR,
    )
    try:
        with transaction.atomic():
            _wait_at_most(LEASE_MILLISECONDS)
            claim.save(force_insert=True)
            _wait_at_most(0)  # the write itself waits for its subject as long as it takes
        return claim
    except IntegrityError:
        first = found.first()
        if first is None:  # erased since, with all that it answered
            raise StillRunning from None
    except OperationalError as error:
        raise StillRunning from error
    if bytes(first.request_digest) != request_digest:
        raise KeyReused(field="Idempotency-Key")
    return first


def _wait_at_most(milliseconds: int) -> None:
    """Bound every wait for a lock from here on in this transaction; 0 lifts the bound."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [f"{milliseconds}ms"])


def _kept_answer(claim: IdempotentAnswer) -> tuple[int, dict[str, Any]]:
    assert claim.sealed is not None
    kept = bytes(claim.sealed)
    if claim.subject is not None:
        kept = keys.cipher_for(claim.subject).open(claim.id, kept)
    body: dict[str, Any] = json.loads(kept)
    return claim.status, body
