"""A memory is answered as its schema says, though it is written out by hand."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework.serializers import Serializer

from ledger.api.serializers import MemoryOut
from ledger.selectors import MemoryView

MOMENT = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)


def memory(**changed: Any) -> MemoryView:
    parts: dict[str, Any] = {
        "id": uuid.uuid4(),
        "version": uuid.uuid4(),
        "subject": "alice",
        "content": "我住在杭州",
        "kind": "fact",
        "attribute": "home_city",
        "value": "杭州",
        "valid_from": MOMENT,
        "valid_to": MOMENT,
        "recorded_at": MOMENT,
        "status": "active",
        "importance": 5,
        "weight": 1.5,
        "confidence": 0.9,
        "expires_at": MOMENT,
        "metadata": {"tier": 2, "team": None},
        "details": {"polarity": 1},
        "provenance": {
            "entry": uuid.uuid4(),
            "seq": 3,
            "session": "s",
            "turns": ["1"],
            "agent": "a",
            "actor": "key:x",
            "dated_by": "words",
        },
    }
    return MemoryView(**(parts | changed))


@pytest.mark.parametrize(
    "one",
    [
        memory(),
        memory(attribute=None, value=None, valid_to=None, expires_at=None, metadata={}),
    ],
)
def test_the_body_is_what_the_fields_of_the_schema_would_make_of_it(one: MemoryView) -> None:
    assert MemoryOut(one).data == Serializer.to_representation(MemoryOut(), one)
    assert list(MemoryOut(one).data) == list(MemoryOut().fields)
