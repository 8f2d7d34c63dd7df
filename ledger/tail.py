"""The recent turns of a session, at hand in a Redis stream; all of them are in PostgreSQL.

A stream holds sealed turns and nothing else, for as long as the policy says. It may be away or
gone at any time: whoever reads gets the turns from PostgreSQL then.
"""

import json
import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django_redis import get_redis_connection
from redis import RedisError

from ledger.models import Session, Turn
from ledger.policy.storage import Sessions
from tenants.context import current_tenant
from tenants.crypto import SubjectCipher

# The list of a subject's streams outlives each of them (policy: at most 720 hours).
LONGEST = timedelta(hours=721)

log = logging.getLogger(__name__)


def push(session: Session, turns: Sequence[Turn], rules: Sessions) -> None:
    """Add turns that were stored, oldest first. A server that is away is no reason to fail."""
    key = _key(session.subject_id, session.id)
    try:
        with get_redis_connection("default").pipeline(transaction=True) as pipe:
            for turn in turns:
                entry = {"id": str(turn.id), "number": turn.number, "sealed": bytes(turn.sealed)}
                pipe.xadd(key, entry, maxlen=rules.tail_turns, approximate=False)
            pipe.expire(key, timedelta(hours=rules.tail_hours))
            pipe.sadd(_index(session.subject_id), key)
            pipe.expire(_index(session.subject_id), LONGEST)
            pipe.execute()
    except RedisError:
        log.warning("the server of recent turns is away", exc_info=True)


def recent(session: Session, cipher: SubjectCipher, limit: int) -> list[dict[str, Any]]:
    """Up to `limit` of the newest turns, oldest first: {"id", "number", "role", "content", …}."""
    return _from_stream(session, cipher, limit) or _from_database(session, cipher, limit)


def forget(subject_id: UUID) -> None:
    """Drop all streams of a subject."""
    client = get_redis_connection("default")
    keys = client.smembers(_index(subject_id))
    client.delete(_index(subject_id), *keys)


def count(subject_id: UUID) -> int:
    """How many turns the streams of a subject hold."""
    client = get_redis_connection("default")
    return sum(client.xlen(key) for key in client.smembers(_index(subject_id)))


def _from_stream(session: Session, cipher: SubjectCipher, limit: int) -> list[dict[str, Any]]:
    """The turns of the stream, if it holds the session's last one without a gap."""
    try:
        client = get_redis_connection("default")
        rows = client.xrevrange(_key(session.subject_id, session.id), count=limit)
    except RedisError:
        return []
    entries = [fields for _, fields in reversed(rows)]
    numbers = [int(fields[b"number"]) for fields in entries]
    whole = bool(numbers) and numbers == list(range(numbers[0], session.turns + 1))
    if not whole or len(numbers) < min(limit, session.turns):
        return []
    return [
        _opened(UUID(fields[b"id"].decode()), number, fields[b"sealed"], cipher)
        for fields, number in zip(entries, numbers, strict=True)
    ]


def _from_database(session: Session, cipher: SubjectCipher, limit: int) -> list[dict[str, Any]]:
    rows = Turn.objects.filter(session=session).order_by("-number")[:limit]
    return [_opened(row.id, row.number, row.sealed, cipher) for row in reversed(rows)]


def _opened(
    turn_id: UUID, number: int, sealed: bytes | memoryview, cipher: SubjectCipher
) -> dict[str, Any]:
    return {"id": turn_id, "number": number, **json.loads(cipher.open(turn_id, sealed))}


def _key(subject_id: UUID, session_id: UUID) -> str:
    return f"memoryhub:tail:{current_tenant()}:{subject_id}:{session_id}"


def _index(subject_id: UUID) -> str:
    return f"memoryhub:tails:{current_tenant()}:{subject_id}"
