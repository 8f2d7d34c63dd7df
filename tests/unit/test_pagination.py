"""Cursors: what this server did not give out is refused, whatever it is."""

import base64
import json
import uuid
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.api.pagination import InvalidCursor, _decode, _encode

MAY = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)
ROW = uuid.uuid4()


def cursor(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_a_cursor_leads_back_to_its_row() -> None:
    assert _decode(_encode(MAY, ROW)) == (MAY, ROW)


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "!!!!",
        "游标",
        "\ud83d",
        "=" * 8,
        cursor(None),
        cursor(5),
        cursor("ab"),
        cursor([]),
        cursor([MAY.isoformat()]),
        cursor([MAY.isoformat(), str(ROW), 1]),
        cursor([MAY.isoformat(), "not an id"]),
        cursor([MAY.isoformat(), 5]),
        cursor([MAY.isoformat(), None]),
        cursor(["soon", str(ROW)]),
        cursor(["2024-05-01T09:30:00", str(ROW)]),
        cursor([5, str(ROW)]),
        cursor({"0": MAY.isoformat(), "1": str(ROW)}),
        base64.urlsafe_b64encode(b"[" * 300).decode(),
        base64.urlsafe_b64encode(b"\xff\xfe").decode(),
    ],
)
def test_a_made_up_cursor_is_refused(text: str) -> None:
    with pytest.raises(InvalidCursor) as said:
        _decode(text)
    assert (said.value.code, said.value.field, said.value.status) == (
        "invalid_cursor",
        "cursor",
        400,
    )


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda b: base64.b64encode(b).decode()))
def test_no_text_at_all_makes_it_fail_otherwise(text: str) -> None:
    with pytest.raises(InvalidCursor):
        _decode(text)
