"""Scoring: every part is a number from 0 to 1, and every number can be told."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.policy.recall import Decay, Ranking
from recall import scoring
from recall.snapshot import moment
from tests.unit.snapshots import NOW, row, snapshot

RANKING = Ranking()
BY_ACTIVITY = Ranking(decay=Decay.ACTIVITY)


def recency(ranking: Ranking, *ages: timedelta) -> list[float]:
    moments = np.array([moment(NOW - age) for age in ages])
    found: list[float] = scoring.recency(moments, ranking, NOW).tolist()
    return found


def hours(*counts: float) -> list[timedelta]:
    return [timedelta(hours=count) for count in counts]


def test_the_half_life_halves() -> None:
    days = RANKING.recency_half_life_days
    found = recency(RANKING, timedelta(0), timedelta(days=days), timedelta(days=2 * days))
    assert found == pytest.approx([1.0, 0.5, 0.25])


def test_what_is_still_to_come_is_as_recent_as_can_be() -> None:
    assert recency(RANKING, -timedelta(days=400)) == [1.0]


def test_by_activity_a_day_is_whole_and_three_days_are_at_the_plateau() -> None:
    assert recency(BY_ACTIVITY, *hours(0, 24, 48, 72)) == pytest.approx([1, 1, 0.85, 0.7])


def test_by_activity_the_memories_of_the_quiet_last_longer() -> None:
    old = timedelta(days=40)
    quiet = recency(BY_ACTIVITY, old)[0]
    talkative = recency(BY_ACTIVITY, old, *(timedelta(days=day) for day in range(30)))[0]
    assert talkative < quiet < BY_ACTIVITY.plateau


def test_without_decay_age_does_not_count() -> None:
    assert recency(Ranking(decay=Decay.NONE), timedelta(days=10_000)) == [1.0]


def test_the_score_is_the_weighted_sum_of_its_parts() -> None:
    one = snapshot(row(weight=1.5, importance=7, valid_from=NOW - timedelta(days=3)))
    parts = scoring.parts(one.versions, np.array([0.8]), RANKING, NOW)
    assert parts["relevance"].tolist() == [0.8]
    assert parts["importance"].tolist() == [0.7]
    assert scoring.score(one.versions, parts, RANKING)[0] == pytest.approx(
        1.5
        * (
            RANKING.relevance * 0.8
            + RANKING.recency * parts["recency"][0]
            + RANKING.importance * 0.7
        )
    )


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.lists(st.datetimes(timezones=st.just(UTC)), max_size=12),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from(Decay),
)
def test_any_times_give_numbers_from_0_to_1(
    begun: list[datetime], valid_at: datetime, decay: Decay
) -> None:
    """T6, T7: far times crash nothing."""
    moments = np.array([moment(one) for one in begun], np.int64)
    found = scoring.recency(moments, Ranking(decay=decay), valid_at)
    assert ((found >= 0) & (found <= 1)).all()
