"""The gate: each refusal names its rule, and the ends of periods are half-open."""

from datetime import timedelta

import numpy as np
import pytest

from recall.gate import RULES, gate, with_min_score
from tests.unit.snapshots import NOW, row, snapshot

TICK = timedelta(microseconds=1)


def verdict(
    one: dict,
    kinds: frozenset[str] = frozenset(),
    matches: bool | None = None,
    sensitive: bool | None = None,
    min_score: float | None = None,
    score: float = 0.0,
) -> str | None:
    verdicts = gate(
        snapshot(one),
        valid_at=NOW,
        sensitive=None if sensitive is None else np.array([sensitive]),
        kinds=kinds,
        matching=None if matches is None else np.array([matches]),
    )
    (found,) = with_min_score(verdicts, np.array([score]), min_score)
    return RULES[found] if found >= 0 else None


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
        ({"pending": True, "valid_to": NOW}, "pending_review"),
    ],
)
def test_time_and_review_decide(given: dict, rule: str | None) -> None:
    assert verdict(row(**given)) == rule


def test_only_the_kinds_asked_for_pass_and_none_means_all() -> None:
    event = row(kind="event")
    assert verdict(event, kinds=frozenset({"fact"})) == "other_kind"
    assert verdict(event, kinds=frozenset({"fact", "event"})) is None
    assert verdict(event) is None


@pytest.mark.parametrize(("matches", "rule"), [(False, "filtered_out"), (True, None), (None, None)])
def test_only_what_the_filters_match_passes_and_none_means_all(
    matches: bool | None, rule: str | None
) -> None:
    assert verdict(row(), matches=matches) == rule
    assert verdict(row(kind="event"), kinds=frozenset({"fact"}), matches=matches) == "other_kind"


@pytest.mark.parametrize(("sensitive", "rule"), [(True, "sensitive"), (False, None), (None, None)])
def test_what_is_too_sensitive_for_the_question_is_held_back(
    sensitive: bool | None, rule: str | None
) -> None:
    assert verdict(row(), sensitive=sensitive) == rule
    assert verdict(row(expires_at=NOW), sensitive=sensitive) == "expired"


@pytest.mark.parametrize(("score", "rule"), [(0.49, "below_min_score"), (0.5, None), (0.51, None)])
def test_a_least_score_holds_back_what_is_below_it(score: float, rule: str | None) -> None:
    assert verdict(row(), min_score=0.5, score=score) == rule
