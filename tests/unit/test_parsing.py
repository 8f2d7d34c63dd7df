"""Reading a body: strict JSON in UTF-8, within its limits."""

import io
import json
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import override_settings
from hypothesis import given, settings
from hypothesis import strategies as st

from tenants.api.parsing import (
    BodyTooLarge,
    InvalidText,
    MalformedJSON,
    StrictJSONParser,
    TooDeep,
)
from tenants.errors import Invalid


def parse(body: bytes | str) -> Any:
    raw = body.encode() if isinstance(body, str) else body
    return StrictJSONParser().parse(io.BytesIO(raw))


def test_well_formed_json_is_read() -> None:
    body = {"a": ["杭州", 1, 1.5, True, None, {"b": "😀"}], "": ""}
    assert parse(json.dumps(body)) == body
    assert parse(json.dumps(body, ensure_ascii=False)) == body
    assert parse("5") == 5


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        '{"a":}',
        '{"a":1,}',
        "{'a':1}",
        "[1] [2]",
        "// comment\n{}",
        "NaN",
        '{"a":Infinity}',
        '{"a":-Infinity}',
        '{"a":1e400}',
        '{"a":[-1e999]}',
        '{"a":1,"a":2}',
        '{"x":{"a":1,"a":1}}',
        '{"a":"\n"}',
        '{"a":' + "9" * 5_000 + "}",
        b'{"a":"\xff"}',
        b'{"a":"\xed\xa0\xbd"}',
        b"\xef\xbb\xbf{}",
        '{"a":1}'.encode("utf-16"),
        b"\x00",
    ],
)
def test_anything_else_is_malformed(body: bytes | str) -> None:
    with pytest.raises(MalformedJSON) as said:
        parse(body)
    assert (said.value.code, said.value.status) == ("malformed_json", 400)


def nested(levels: int, opening: str = '{"a":', closing: str = "}") -> str:
    return opening * levels + "1" + closing * levels


def test_as_deep_as_the_limit_is_fine_and_one_deeper_is_not() -> None:
    deepest = configured.MAX_JSON_DEPTH
    assert parse(nested(deepest))
    assert parse(nested(deepest, "[", "]"))
    for body in (nested(deepest + 1), nested(deepest + 1, "[", "]")):
        with pytest.raises(TooDeep):
            parse(body)


@pytest.mark.parametrize("body", ["[" * 100_000, "[" * 100_000 + "]" * 100_000, nested(50_000)])
def test_absurd_nesting_is_refused_and_crashes_nothing(body: str) -> None:
    with pytest.raises(TooDeep) as said:
        parse(body)
    assert (said.value.code, said.value.status) == ("too_deep", 400)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"content":"a\\u0000b"}', "content"),
        ('{"content":"\\ud83d"}', "content"),
        ('{"content":"\\ude00\\ud83d"}', "content"),
        ('{"metadata":{"x":["ok","\\udfff"]}}', "metadata.x.1"),
        ('{"a\\u0000":1}', None),
        ('"\\ud83d"', None),
    ],
)
def test_text_that_cannot_be_stored_is_refused_and_its_place_named(
    body: str, field: str | None
) -> None:
    """L8: a lone surrogate is the caller's mistake, not the server's."""
    with pytest.raises(InvalidText) as said:
        parse(body)
    assert said.value.field == field


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert parse('"\\ud83d\\ude00"') == "😀"


@override_settings(MAX_BODY_BYTES=100)
def test_a_body_may_be_as_large_as_the_limit_and_not_larger() -> None:
    assert parse('"' + "x" * 98 + '"') == "x" * 98
    with pytest.raises(BodyTooLarge) as said:
        parse('"' + "x" * 99 + '"')
    assert (said.value.code, said.value.status) == ("body_too_large", 413)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=80) | st.text('{}[]":,\\u0d8 1eE.-nulNa', max_size=60))
def test_no_body_at_all_makes_it_fail_otherwise(body: bytes | str) -> None:
    try:
        value = parse(body)
    except Invalid:
        return
    json.dumps(value, allow_nan=False)
