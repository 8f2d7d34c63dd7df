"""Sensitive topics: which marks a memory gets, and which of them a question must not bring."""

import pytest

from ledger.policy.recall import Occasion, Sensitive
from ledger.reflection.lexicon import read_data
from recall.sensitive import MARK, marks_of, withheld_marks
from recall.terms import terms_of


def test_the_policy_has_a_rule_for_every_topic_that_is_known() -> None:
    assert set(read_data("sensitive.json")["sensitive"]) - {""} == set(Sensitive.model_fields)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("I am allergic to peanuts", ["!health"]),
        ("我对花生过敏", ["!health"]),
        ("She goes to church on Sundays", ["!religion"]),
        ("我每周五去清真寺做礼拜", ["!religion"]),
        ("I live in Berlin", []),
        ("我住在杭州", []),
    ],
)
def test_a_memory_is_marked_with_what_it_speaks_of(text: str, marks: list[str]) -> None:
    assert marks_of(text) == marks


def test_its_attribute_and_value_count_as_well() -> None:
    assert marks_of("The result came back", "health.hiv_status", "positive") == ["!health"]
    assert marks_of("检查结果出来了", "result", "糖尿病") == ["!health"]


def test_no_word_of_a_text_is_such_a_mark() -> None:
    assert not {term for term in terms_of("!health ! health ！健康") if term.startswith(MARK)}


@pytest.mark.parametrize(
    ("question", "rule", "marks"),
    [
        ("What can I eat?", Occasion.ALWAYS, []),
        ("What can I eat?", Occasion.WHEN_ASKED, ["!health"]),
        ("What am I allergic to?", Occasion.WHEN_ASKED, []),
        ("我对什么过敏？", Occasion.WHEN_ASKED, []),
        ("What am I allergic to?", Occasion.NEVER, ["!health"]),
    ],
)
def test_a_question_brings_what_it_asks_about(
    question: str, rule: Occasion, marks: list[str]
) -> None:
    assert withheld_marks(question, Sensitive(health=rule)) == marks
