"""What recall keeps in Valkey of a subject: its packed index while it is active, and its answers.

Everything is sealed under the subject's key and carries the stamp of what it was made from: one
that is not of the newest state is never used. The server may be away or forget at any time, and
what it has may be damaged or another release's: that is as if it had nothing.
"""

import json
import logging
from collections.abc import Callable
from typing import Any, TypeVar
from uuid import UUID

from django_redis import get_redis_connection
from redis import RedisError

from ledger.policy.recall import Cache
from recall.room import room
from recall.snapshot import Packed
from tenants import ids
from tenants.context import current_tenant
from tenants.crypto import SubjectCipher
from tenants.errors import ContentDamaged

log = logging.getLogger(__name__)

T = TypeVar("T")

# Of all that is kept; one more whenever the packed rows or the form of an answer change. It is part
# of what a sealed value is bound to and not of a key's name: else what an older release kept would
# outlive the erasure after an upgrade.
LAYOUT = 3
LENGTH_BYTES = 4
# Questions of which an answer is kept for one subject; one more, and all begin anew.
MOST_ANSWERS = 256


def read_packed(cipher: SubjectCipher, seq: int, revision: int) -> Packed | None:
    """The subject's packed index, if it is of this state and can be read. Raises RedisError."""
    sealed = get_redis_connection("default").get(_active(cipher.subject_id))
    if sealed is None:
        return None
    packed = or_unreadable(lambda: _unpacked(cipher, sealed))
    if packed is None or (packed.header["seq"], packed.header["revision"]) != (seq, revision):
        return None
    return packed


def _unpacked(cipher: SubjectCipher, sealed: bytes) -> Packed:
    opened = cipher.open(_row(cipher, "hot"), sealed)
    start = LENGTH_BYTES + int.from_bytes(opened[:LENGTH_BYTES], "big")
    header = json.loads(opened[LENGTH_BYTES:start])
    parts = []
    for length in header.pop("bytes"):
        parts.append(opened[start : start + length])
        start += length
    return Packed(header, *parts)


def keep_packed(cipher: SubjectCipher, packed: Packed, rules: Cache) -> None:
    """Keep a packed index as long as the policy says, if there is room. Raises RedisError."""
    client = get_redis_connection("default")
    if not room.left(client):
        client.delete(_active(cipher.subject_id))  # of an older state by now
        return
    parts = (packed.versions, packed.traits, packed.vectors)
    header = json.dumps(packed.header | {"bytes": [len(part) for part in parts]}).encode()
    start = len(header).to_bytes(LENGTH_BYTES, "big")
    sealed = cipher.seal(_row(cipher, "hot"), b"".join([start, header, *parts]))
    client.set(_active(cipher.subject_id), sealed, ex=rules.active_minutes * 60)


def read_answer(cipher: SubjectCipher, question: str) -> dict[str, Any] | None:
    """What was answered to a question, by its fingerprint, if it can be read. Raises RedisError."""
    sealed = get_redis_connection("default").hget(_answers(cipher.subject_id), question)
    if sealed is None:
        return None
    kept: dict[str, Any] | None = or_unreadable(
        lambda: json.loads(cipher.open(_row(cipher, question), sealed))
    )
    return kept


def keep_answer(cipher: SubjectCipher, question: str, answer: dict[str, Any], rules: Cache) -> None:
    """Keep an answer as long as the policy says, if there is room. Raises RedisError."""
    client, key = get_redis_connection("default"), _answers(cipher.subject_id)
    if not room.left(client):
        return
    sealed = cipher.seal(_row(cipher, question), json.dumps(answer).encode())
    with client.pipeline(transaction=False) as pipe:
        pipe.hset(key, question, sealed)
        pipe.expire(key, rules.answer_seconds)
        pipe.hlen(key)
        kept = pipe.execute()[-1]
    if kept > MOST_ANSWERS:
        client.delete(key)


def or_none(work: Callable[[], T], missing: list[str]) -> T | None:
    """The work's result; None while the server is away, and `missing` says so."""
    try:
        return work()
    except RedisError:
        if "cache" not in missing:
            missing.append("cache")
        return None


def or_unreadable(work: Callable[[], T]) -> T | None:
    """What the work reads of something kept; None where it cannot be read."""
    try:
        return work()
    except (ContentDamaged, ValueError, LookupError, TypeError):
        log.warning("something that was kept cannot be read", exc_info=True)
        return None


def count(subject_id: UUID) -> int:
    """How many keys are kept of a subject."""
    return int(get_redis_connection("default").exists(_active(subject_id), _answers(subject_id)))


def forget(subject_id: UUID) -> None:
    """Drop all that is kept of a subject."""
    get_redis_connection("default").delete(_active(subject_id), _answers(subject_id))


def _active(subject_id: UUID) -> str:
    return f"memoryhub:active:{current_tenant()}:{subject_id}"


def _answers(subject_id: UUID) -> str:
    return f"memoryhub:answers:{current_tenant()}:{subject_id}"


def _row(cipher: SubjectCipher, name: str) -> UUID:
    """What a sealed value is bound to, in the place of a row's id."""
    return ids.derived_id(cipher.subject_id, f"{LAYOUT}:{name}")
