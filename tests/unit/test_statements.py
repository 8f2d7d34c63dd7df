"""Statements: when two of them say the same, and when a period holds nothing."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.rectangles import EmptyPeriod, Period
from ledger.statements import Statement

MAY = datetime(2024, 5, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"content": "I like tea"}, {"content": "I like tea"}, True),
        ({"content": "I like tea"}, {"content": "  I  like\n tea "}, True),
        ({"content": "I like tea"}, {"content": "I like Tea"}, False),
        ({"content": "tea"}, {"content": "tea", "kind": "preference"}, False),
        ({"content": "tea"}, {"content": "tea", "attribute": "drink"}, False),
        ({"content": "tea"}, {"content": "tea", "value": "tea"}, False),
        ({"content": "tea"}, {"content": "tea", "importance": 9, "metadata": {"a": 1}}, True),
        ({"content": "a  b", "verbatim": True}, {"content": "a b", "verbatim": True}, False),
        (
            {"content": "Hi", "verbatim": True, "session": "1", "turns": ("1:1",)},
            {"content": "Hi", "verbatim": True, "session": "1", "turns": ("1:2",)},
            False,
        ),
        (
            {"content": "Hi", "verbatim": True, "session": "1", "turns": ("1:1",)},
            {"content": "Hi", "verbatim": True, "session": "1", "turns": ("1:1",)},
            True,
        ),
    ],
)
def test_what_two_statements_mean(one: dict, other: dict, same: bool) -> None:
    assert (Statement(**one).meaning == Statement(**other).meaning) is same


def test_a_period_holds_at_least_one_moment() -> None:
    Period(MAY, None)
    Period(MAY, MAY + timedelta(microseconds=1))
    for end in (MAY, MAY - timedelta(days=1)):
        with pytest.raises(EmptyPeriod) as caught:
            Period(MAY, end)
        assert caught.value.field == "valid_to"
