"""Scoring: better in an arm is better in the end, and every number can be told."""

import math
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.policy.recall import Ranking
from recall import scoring
from recall.candidates import ArmScore, Candidate

NOW = datetime(2024, 5, 1, tzinfo=UTC)
RANKING = Ranking()


def candidate(**given: object) -> Candidate:
    values: dict = {
        "version_id": uuid.uuid4(),
        "memory_id": uuid.uuid4(),
        "kind": "fact",
        "valid_from": NOW,
        "valid_to": None,
        "expires_at": None,
        "importance": 5,
        "weight": 1.0,
    }
    return Candidate(**(values | given))


def ranked(candidates: list[Candidate], **arms: list[float | None]) -> list[Candidate]:
    """The candidates in their order, with the arms' raw scores; None: not found by that arm."""
    for name, scores in arms.items():
        found = {
            c.version_id: score
            for c, score in zip(candidates, scores, strict=True)
            if score is not None
        }
        scoring.keep_arm(candidates, name, found)
    scoring.fuse(candidates, RANKING)
    scoring.score(candidates, RANKING, NOW)
    return candidates


def test_the_nearer_one_comes_first() -> None:
    """Q2: similarity is not distance."""
    near, far = candidate(), candidate()
    assert ranked([far, near], vector=[0.2, 0.9])[0] is near


def test_an_arm_ranks_what_it_found_and_leaves_out_the_rest() -> None:
    a, b, c = candidate(), candidate(), candidate()
    ranked([a, b, c], lexical=[1.0, 3.0, None])
    assert (b.arms["lexical"], a.arms["lexical"]) == (ArmScore(3.0, 1), ArmScore(1.0, 2))
    assert "lexical" not in c.arms


def test_a_word_in_common_lifts_one_of_two_equals() -> None:
    with_word, without = candidate(), candidate()
    assert ranked([without, with_word], vector=[0.8, 0.8], lexical=[None, 2.0])[0] is with_word


def test_the_newer_of_two_equals_comes_first_and_the_half_life_halves() -> None:
    old = candidate(valid_from=NOW - timedelta(days=RANKING.recency_half_life_days))
    new = candidate()
    assert ranked([old, new], vector=[0.8, 0.8])[0] is new
    assert old.breakdown["recency"] == pytest.approx(0.5)
    assert new.breakdown["recency"] == 1


def test_the_more_important_of_two_equals_comes_first() -> None:
    dull, important = candidate(importance=1), candidate(importance=10)
    assert ranked([dull, important], vector=[0.8, 0.8])[0] is important


def test_a_persons_weight_moves_a_memory() -> None:
    light, heavy = candidate(weight=0.5), candidate(weight=2.0)
    assert ranked([light, heavy], vector=[0.8, 0.8])[0] is heavy


def test_the_score_is_the_weighted_sum_of_its_parts() -> None:
    one = candidate(weight=1.5, importance=7, valid_from=NOW - timedelta(days=3))
    ranked([one, candidate()], vector=[0.9, 0.1], lexical=[1.0, None])
    parts = one.breakdown
    assert one.score == pytest.approx(
        1.5
        * (
            RANKING.relevance * parts["relevance"]
            + RANKING.recency * parts["recency"]
            + RANKING.importance * parts["importance"]
        )
    )


@pytest.mark.parametrize("scores", [[0.5], [0.5, 0.5, 0.5]])
def test_without_a_difference_relevance_is_in_the_middle(scores: list[float]) -> None:
    found = ranked([candidate() for _ in scores], vector=list(scores))
    assert [c.breakdown["relevance"] for c in found] == [0.5] * len(scores)


def test_equal_scores_have_one_order() -> None:
    twins = [candidate() for _ in range(5)]
    forward = [c.version_id for c in ranked(list(twins), vector=[0.5] * 5)]
    assert [c.version_id for c in ranked(list(reversed(twins)), vector=[0.5] * 5)] == forward


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.lists(
        st.tuples(
            st.none() | st.floats(-1, 1),
            st.none() | st.floats(0, 1e6),
            st.datetimes(timezones=st.just(UTC)),
        ),
        max_size=12,
    )
)
def test_any_scores_and_times_give_finite_numbers_in_falling_order(rows: list[tuple]) -> None:
    """T6, T7: far times crash nothing."""
    found = ranked(
        [candidate(valid_from=moment) for _, _, moment in rows],
        vector=[v for v, _, _ in rows],
        lexical=[b for _, b, _ in rows],
    )
    scores = [c.score for c in found]
    assert all(math.isfinite(score) for score in scores)
    assert scores == sorted(scores, reverse=True)
    for one in found:
        assert 0 <= one.breakdown["relevance"] <= 1
        assert 0 <= one.breakdown["recency"] <= 1
