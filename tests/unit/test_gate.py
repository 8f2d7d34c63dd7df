"""The gate: each refusal names its rule, and the ends of periods are half-open."""

from datetime import UTC, datetime, timedelta

import pytest

from recall.candidates import Candidate
from recall.gate import gate
from tests.unit.test_scoring import candidate

NOW = datetime(2024, 5, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)


def verdict(
    one: Candidate, kinds: frozenset[str] = frozenset(), min_score: float | None = None
) -> str | None:
    gate([one], valid_at=NOW, kinds=kinds, min_score=min_score)
    return one.withheld_by


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({}, None),
        ({"valid_from": NOW}, None),
        ({"valid_from": NOW + TICK}, "not_yet_valid"),
        ({"valid_from": NOW - TICK, "valid_to": NOW}, "ended"),
        ({"valid_from": NOW - TICK, "valid_to": NOW + TICK}, None),
        ({"expires_at": NOW}, "expired"),
        ({"expires_at": NOW + TICK}, None),
        ({"valid_from": NOW - TICK, "valid_to": NOW, "expires_at": NOW}, "ended"),
    ],
)
def test_time_decides(given: dict, rule: str | None) -> None:
    assert verdict(candidate(**given)) == rule


def test_only_the_kinds_asked_for_pass_and_none_means_all() -> None:
    assert verdict(candidate(kind="event"), kinds=frozenset({"fact"})) == "other_kind"
    assert verdict(candidate(kind="event"), kinds=frozenset({"fact", "event"})) is None
    assert verdict(candidate(kind="event")) is None


def test_a_least_score_holds_back_what_is_below_it() -> None:
    below, at, above = candidate(score=0.49), candidate(score=0.5), candidate(score=0.51)
    assert [verdict(c, min_score=0.5) for c in (below, at, above)] == [
        "below_min_score",
        None,
        None,
    ]


def test_a_second_look_forgets_the_first() -> None:
    one = candidate(kind="event")
    assert verdict(one, kinds=frozenset({"fact"})) == "other_kind"
    assert verdict(one) is None
