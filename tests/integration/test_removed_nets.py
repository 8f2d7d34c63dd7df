"""Safety nets of the write path, each removed once: the suite notices."""

from types import SimpleNamespace

import pytest

from ledger import masking
from ledger.services import learn as learning
from ledger.services import take_turns
from tests.cast import Actor, Api
from tests.integration import test_believing, test_derived, test_masking, test_turns


def test_without_the_filter_of_echoes_memories_breed_from_themselves(
    api: Api, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_turns, "without_echo", lambda text: text)
    with pytest.raises(AssertionError):
        test_turns.test_a_context_that_recall_gave_is_not_something_said(api, unheard)


def test_without_the_mark_that_a_turn_was_learned_from_it_is_learned_from_twice(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "clock", SimpleNamespace(now=lambda: None))
    with pytest.raises(AssertionError):
        test_turns.test_a_turn_is_learned_once_though_two_workers_are_at_it(
            api, tenant, unheard, monkeypatch
        )


def test_without_settling_placeholders_two_values_get_one_number(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(masking.Masks, "settle", lambda masks, cipher: {})
    with pytest.raises(AssertionError):
        test_masking.test_values_written_at_once_get_a_number_each(api, tenant, monkeypatch)


def test_without_blinding_a_question_the_number_is_not_found(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_are_found() -> None:
        for question, content in test_masking.ASKED:
            test_masking.test_it_is_recalled_by_the_number_or_the_name(api, question, content)

    all_are_found()
    monkeypatch.setattr("recall.pipeline.blind", lambda text, *_: text)
    with pytest.raises(AssertionError):
        all_are_found()


def test_without_withdrawing_what_was_derived_it_outlives_its_source(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.writing.orphaned", lambda verb, closed: [])
    insight = test_derived.drawn(api, tenant)
    with pytest.raises(AssertionError):
        test_derived.test_what_takes_a_source_away_withdraws_what_was_derived(
            api, tenant, insight, "retract"
        )


def test_without_knowing_that_news_came_later_the_old_city_stays(
    api: Api, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.meeting.UNDATED", frozenset())
    with pytest.raises(AssertionError):
        test_believing.test_news_of_a_move_is_news_though_the_old_city_was_named_the_same_day(
            api, unheard
        )
