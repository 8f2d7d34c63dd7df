"""The building blocks of a request: nothing is guessed, nothing is taken for something else."""

from datetime import UTC, datetime
from typing import Any

import pytest
from rest_framework import serializers

from ledger.api.serializers import AttributeField, KnownAtField, MemoryIn, MetadataField
from ledger.statements import CONTENT_LENGTH
from tenants.api.fields import (
    AwareDateTimeField,
    FlagField,
    IdField,
    NumberField,
    StrictCharField,
    StrictSerializer,
    WholeNumberField,
    moment_text,
)


def code_of(field: serializers.Field, value: Any) -> str:
    """The code with which the field refuses the value."""
    with pytest.raises(serializers.ValidationError) as said:
        field.run_validation(value)
    detail: Any = said.value.detail
    while not hasattr(detail, "code"):
        detail = next(iter(detail.values())) if isinstance(detail, dict) else detail[0]
    return str(detail.code)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2024-05-01T09:30:00+08:00", datetime(2024, 5, 1, 1, 30, tzinfo=UTC)),
        ("2024-05-01T09:30:00Z", datetime(2024, 5, 1, 9, 30, tzinfo=UTC)),
        ("2024-05-01 09:30:00.123456-03:30", datetime(2024, 5, 1, 13, 0, 0, 123456, tzinfo=UTC)),
        ("2025-07-25T02:00:00-07:00", datetime(2025, 7, 25, 9, tzinfo=UTC)),
        ("0001-01-01T00:00:00Z", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31T23:59:59.999999Z", datetime.max.replace(tzinfo=UTC)),
    ],
)
def test_a_moment_with_an_offset_is_kept_in_utc(text: str, moment: datetime) -> None:
    """T1, T4: the day does not slip, whatever the offset."""
    found = AwareDateTimeField().run_validation(text)
    assert found == moment
    assert found.tzinfo is UTC
    assert AwareDateTimeField().run_validation(moment_text(found)) == moment


@pytest.mark.parametrize("text", ["2024-05-01T09:30:00", "2024-05-01 09:30", "2024-05-01"])
def test_a_naive_moment_is_refused_and_never_guessed(text: str) -> None:
    """T4."""
    assert code_of(AwareDateTimeField(), text) == "naive"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "yesterday",
        "2024-13-01T00:00:00Z",
        "2024-02-30T00:00:00Z",
        "2024-05-01T09:30:00+25:00",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "10000-01-01T00:00:00Z",
        "-0044-03-15T00:00:00Z",
        "2024-05-01T09:30:00+08:00\x00",
        "十万年前",
        1_700_000_000,
        1.5,
        True,
        ["2024-05-01T09:30:00Z"],
        {},
    ],
)
def test_what_is_no_moment_is_refused(value: Any) -> None:
    """T6: far offsets are refused, and crash nothing."""
    assert code_of(AwareDateTimeField(), value) == "invalid"


@pytest.mark.parametrize(
    ("value", "known"),
    [("seq:0", 0), ("seq:17", 17), ("seq:" + "9" * 18, 10**18 - 1)],
)
def test_known_at_may_be_the_number_of_an_entry(value: str, known: int) -> None:
    assert KnownAtField().run_validation(value) == known


@pytest.mark.parametrize("value", ["seq:", "seq:-1", "seq:1.5", "seq:x", "seq:" + "9" * 19, 17])
def test_known_at_is_nothing_else(value: Any) -> None:
    assert code_of(KnownAtField(), value) == "invalid"


@pytest.mark.parametrize("value", ["5", "", True, False, 5.5, [5], {"in": 5}, "五", 1e300])
def test_a_whole_number_is_not_a_text_a_boolean_or_a_fraction(value: Any) -> None:
    assert code_of(WholeNumberField(), value) == "invalid"


@pytest.mark.parametrize("value", ["0.5", "nan", "", True, [0.5], {"gt": 5}])
def test_a_number_is_not_a_text_or_a_boolean(value: Any) -> None:
    """Q3: an operator is not made a text and compared."""
    assert code_of(NumberField(), value) == "invalid"


def test_numbers_are_numbers() -> None:
    assert WholeNumberField().run_validation(5) == 5
    assert WholeNumberField().run_validation(5.0) == 5
    assert NumberField().run_validation(1) == 1.0
    assert NumberField().run_validation(0.25) == 0.25


@pytest.mark.parametrize("value", ["true", "yes", "", 1, 0, 1.0, [], {}, [True]])
def test_a_flag_is_true_or_false_and_no_other_word(value: Any) -> None:
    assert code_of(FlagField(), value) == "invalid"
    assert FlagField().run_validation(True) is True
    assert FlagField().run_validation(False) is False


@pytest.mark.parametrize("value", [5, 1.5, True, ["alice"], {"in": "alice"}])
def test_a_text_is_not_made_of_something_else(value: Any) -> None:
    """I16: `{"in": "alice"}` is not the users a, l, i, c, e."""
    assert code_of(StrictCharField(), value) == "invalid"


@pytest.mark.parametrize("value", ["", "   ", "\n\t", "\u3000", "\u00a0", "\u200b\u200d", "\ufeff"])
def test_a_blank_or_invisible_id_is_refused(value: str) -> None:
    """I15, L12."""
    assert code_of(IdField(), value) == "blank"
    assert code_of(StrictCharField(), value) == "blank"


@pytest.mark.parametrize("value", ["a\x00b", "\ud83d", "x\udc00y"])
def test_a_text_that_cannot_be_stored_is_refused(value: str) -> None:
    """L8."""
    assert code_of(StrictCharField(), value) == "invalid_text"


@pytest.mark.parametrize(
    "value", ["alice", " alice ", "john_doe", "a:b", "用户一", "👩‍👩‍👧", "x" * 255]
)
def test_an_id_is_kept_as_it_is(value: str) -> None:
    """I10, I11."""
    assert IdField().run_validation(value) == value


def test_an_id_has_an_upper_length() -> None:
    assert code_of(IdField(), "x" * 256) == "max_length"


def test_lengths_are_counted_in_characters_and_not_in_bytes() -> None:
    """L13: Chinese has as much room as English."""
    longest = {"subject": "用" * 255, "content": "我" * CONTENT_LENGTH}
    assert MemoryIn(data=longest).is_valid()
    for name, text in longest.items():
        form = MemoryIn(data=longest | {name: text + "x"})
        assert not form.is_valid()
        assert form.errors[name][0].code == "max_length"


@pytest.mark.parametrize("value", ["home_city", "diet", "a.b-c", "城市", "x" * 64])
def test_an_attribute_is_a_name(value: str) -> None:
    assert AttributeField().run_validation(value) == value


@pytest.mark.parametrize("value", ["9lives", "_x", "a b", "a\n", "a'--", "x" * 65])
def test_an_attribute_is_nothing_but_a_name(value: str) -> None:
    assert code_of(AttributeField(), value) == "invalid"


def test_metadata_is_one_small_object() -> None:
    assert MetadataField().run_validation({"a": [1, None, {"b": "城"}]}) == {
        "a": [1, None, {"b": "城"}]
    }
    assert code_of(MetadataField(), {"a": "x" * 8_192}) == "too_long"
    for value in ([], "x", 5, True):
        assert code_of(MetadataField(), value) == "not_a_dict"


def test_a_name_that_is_not_known_is_refused_and_not_ignored() -> None:
    """I1, I2."""

    class Form(StrictSerializer):
        name = StrictCharField()

    form = Form(data={"name": "x", "tenant_id": "y"})
    assert not form.is_valid()
    assert form.errors["tenant_id"][0].code == "unknown_field"
    assert Form(data={"name": "x"}).is_valid()
