"""Snapshots for tests, from plain values: what PostgreSQL would have packed."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from recall.snapshot import KINDS, NEVER, VERSION, Packed, Snapshot, moment

NOW = datetime(2024, 5, 1, tzinfo=UTC)


def row(**given: Any) -> dict[str, Any]:
    """One version: what is not given is as it mostly is."""
    values: dict[str, Any] = {
        "id": uuid.uuid4(),
        "memory": uuid.uuid4(),
        "agent": b"",
        "session": 0,
        "attribute": 0,
        "valid_from": NOW,
        "valid_to": None,
        "expires_at": None,
        "weight": 1.0,
        "kind": "fact",
        "importance": 5,
        "pending": False,
        "vector": None,
        "context": None,
    }
    return values | given


def packed(rows: Sequence[dict[str, Any]], **header: Any) -> Packed:
    """The rows as the statements of recall.reading give them."""
    versions = np.zeros(len(rows), VERSION)
    for place, one in enumerate(rows):
        versions[place] = (
            one["id"].bytes,
            one["memory"].bytes,
            one["agent"],
            one["session"],
            one["attribute"],
            *(_moment(one[name]) for name in ("valid_from", "valid_to", "expires_at")),
            one["weight"],
            KINDS.index(one["kind"]) + 1,
            one["importance"],
            one["pending"],
        )
    vectors = b"".join(
        _vector(one["id"], chunk, one[name])
        for one in rows
        for chunk, name in ((0, "vector"), (-1, "context"))
        if one[name] is not None
    )
    values = {
        "seq": 1,
        "revision": 1,
        "documents": len(rows),
        "terms": 10 * len(rows),
        "encoder": "test",
        "attributes": {},
    }
    return Packed(values | header, versions=versions.tobytes(), vectors=vectors)


def snapshot(*rows: dict[str, Any], **header: Any) -> Snapshot:
    return Snapshot.of(packed(rows, **header))


def _moment(at: datetime | None) -> int:
    return NEVER if at is None else moment(at)


def _vector(version: uuid.UUID, chunk: int, values: Sequence[float]) -> bytes:
    halves = np.array(values, ">f2")
    header = len(halves).to_bytes(2, "big") + bytes(2)
    return version.bytes + chunk.to_bytes(2, "big", signed=True) + header + halves.tobytes()
