"""Relevance: what answers comes first, on a scale that also says when nothing does."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.policy.recall import Ranking
from recall.neighbours import Lending, with_neighbours
from recall.relevance import Signals, rarity_of, relevance

RANKING = Ranking()


def signals(n: int, **given: Any) -> Signals:
    """Signals of n versions of one session that nothing speaks for, but for what is given."""
    values: dict[str, Any] = {
        "frequencies": np.zeros((1, n)),
        "rarity": np.array([3.0]),
        "length": np.full(n, 10.0),
        "mean_length": 10.0,
        "vector": np.full(n, 0.8),
        "context": np.full(n, np.nan),
        "session": np.zeros(n, int),
        "named": np.zeros(n, bool),
        "exact": np.zeros(n),
        "period": np.zeros(n),
        "asking": np.zeros(n),
        "holds_time": np.zeros(n, bool),
    }
    return Signals(**(values | given))


def only(place: int, n: int, value: float = 1.0) -> Any:
    found = np.zeros(n)
    found[place] = value
    return found


def judged(found: Signals, **changed: float) -> Any:
    return relevance(found, RANKING.model_copy(update=changed)).relevance


@pytest.mark.parametrize(
    "given",
    [
        {"frequencies": only(1, 3)[None]},
        {"vector": np.array([0.8, 0.9, 0.8])},
        {"context": np.array([0.8, 0.9, 0.8])},
        {"named": only(1, 3) > 0},
        {"exact": only(1, 3)},
        {"period": only(1, 3)},
        {"holds_time": only(1, 3) > 0, "asks_when": True},
        {"asking": np.array([1.0, 0.0, 1.0])},
        {"length": np.array([10.0, 30.0, 10.0])},
    ],
    ids=lambda given: next(iter(given)),
)
def test_every_signal_speaks_for_the_version_that_has_it(given: dict[str, Any]) -> None:
    assert judged(signals(3, **given)).argmax() == 1


def test_without_signals_all_are_alike() -> None:
    assert np.ptp(judged(signals(4))) == 0


def test_the_parts_say_what_the_sum_is_made_of() -> None:
    found = relevance(signals(2, exact=only(0, 2), named=only(1, 2) > 0), RANKING)
    total = np.sum(list(found.parts.values()), axis=0)
    assert found.relevance == pytest.approx(
        1 / (1 + np.exp(-RANKING.steepness * (total - RANKING.middle)))
    )
    assert found.parts["exact"].tolist() == [RANKING.exact_weight, 0]


def test_a_rare_word_says_more_than_a_common_one() -> None:
    frequencies = np.array([[1.0, 0.0], [0.0, 1.0]])
    rarity = rarity_of(100, np.array([60, 2]))
    found = judged(signals(2, frequencies=frequencies, rarity=rarity, session=np.array([1, 2])))
    assert found[1] > found[0]


def test_a_word_that_nobody_said_is_as_rare_as_one_said_once() -> None:
    never, once, twice = rarity_of(100, np.array([0, 1, 2]))
    assert never == once > twice


def test_words_count_for_what_stands_beside_them_in_the_session() -> None:
    words = only(1, 4)[None]
    found = judged(signals(4, frequencies=words))
    assert found[1] > found[2] > found[3]
    assert found[0] > found[3]


def test_words_do_not_reach_into_another_session() -> None:
    found = judged(signals(3, frequencies=only(0, 3)[None], session=np.array([1, 2, 2])))
    assert found[0] > found[1] == found[2]


def test_what_was_said_outside_sessions_has_no_neighbours() -> None:
    found = judged(signals(3, frequencies=only(0, 3)[None], session=np.full(3, -1)))
    assert found[0] > found[1] == found[2]


def test_neighbours_lend_by_their_place() -> None:
    lent = with_neighbours(
        only(2, 6)[None], np.zeros(6, int), Lending(before=0.4, after=0.3, fade=0.5, reach=2)
    )
    assert lent[0] == pytest.approx([0.15, 0.3, 1, 0.4, 0.2, 0])


def test_what_is_not_encoded_yet_is_taken_for_average() -> None:
    found = judged(signals(3, vector=np.array([0.7, np.nan, 0.9])))
    assert found[0] < found[1] < found[2]


def test_without_any_vector_words_decide() -> None:
    found = judged(signals(2, vector=np.full(2, np.nan), frequencies=only(1, 2)[None]))
    assert found[1] > found[0]


def test_a_name_that_all_bear_tells_nothing() -> None:
    parts = relevance(signals(2, named=np.ones(2, bool)), RANKING).parts
    assert parts["named"].tolist() == [0, 0]


def test_a_time_is_no_sign_where_none_is_asked_for() -> None:
    assert np.ptp(judged(signals(2, holds_time=np.array([True, False])))) == 0


def test_a_question_of_which_something_is_found_is_more_answerable() -> None:
    nothing = relevance(signals(3, vector=np.full(3, 0.75)), RANKING).relevance.max()
    near = signals(3, vector=np.array([0.75, 0.75, 0.9]), frequencies=only(2, 3)[None])
    assert relevance(near, RANKING).relevance.max() > 2 * nothing


def test_one_common_word_does_not_make_an_answer() -> None:
    def of(holding: int) -> float:
        rarity = rarity_of(100, np.array([holding]))
        found = signals(1, frequencies=np.ones((1, 1)), rarity=rarity)
        return float(relevance(found, RANKING).parts["words"][0])

    assert of(90) < of(1) / 2


def test_arms_find_what_has_their_signal() -> None:
    nothing = np.full(3, np.nan)
    found = signals(3, vector=nothing, frequencies=only(0, 3)[None], exact=only(1, 3))
    assert found.found.tolist() == [True, True, False]
    assert np.isnan(found.arms["lexical"]).tolist() == [False, True, True]
    assert np.isnan(found.arms["exact"]).tolist() == [True, False, True]


NUMBERS = st.floats(-1, 1) | st.just(float("nan"))


@given(st.data(), st.integers(0, 7), st.integers(0, 3))
@settings(deadline=None, max_examples=100)
def test_relevance_is_a_number_from_0_to_1_whatever_is_known(
    data: st.DataObject, n: int, terms: int
) -> None:
    def array(of: Any, size: int = n) -> Any:
        return np.array(data.draw(st.lists(of, min_size=size, max_size=size)), float)

    found = signals(
        n,
        frequencies=array(st.integers(0, 5), terms * n).reshape(terms, n),
        rarity=array(st.floats(0, 12), terms),
        length=array(st.integers(0, 500)),
        mean_length=data.draw(st.floats(0, 50)),
        vector=array(NUMBERS),
        context=array(NUMBERS),
        session=np.sort(array(st.integers(-1, 2)).astype(int)),
        named=array(st.booleans()).astype(bool),
    )
    values = relevance(found, RANKING).relevance
    assert values.shape == (n,)
    assert ((values >= 0) & (values <= 1)).all()
    assert found.found.shape == (n,)


def test_the_extremes_of_the_policy_are_numbers_too() -> None:
    found = signals(2, frequencies=only(0, 2)[None])
    assert np.isfinite(judged(found, bm25_k1=0.0, bm25_b=1.0, words_caution=0.0)).all()
    assert np.isfinite(judged(found, steepness=50.0, meaning_weight=10.0)).all()
