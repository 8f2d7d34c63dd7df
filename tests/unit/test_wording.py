"""What of a question tells, in both languages, and what of a memory is kept beside its words."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall.chunks import WINDOW, cost
from recall.traits import Traits, in_context, traits_of
from recall.wording import asks_when, content_terms

NOW = datetime(2024, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("When did she go to the lake?", ["go", "lake"]),
        ("What's my dentist called?", ["dentist", "call"]),
        ("她喜欢什么颜色的花？", ["喜欢", "颜色"]),
        ("我对花生过敏吗", ["对花", "花生", "生过", "过敏"]),
        ("go 部署 deployment", ["go", "部署", "deploy"]),
        ("以及红茶", ["及红", "红茶"]),
    ],
)
def test_function_words_are_dropped(question: str, content: list[str]) -> None:
    assert content_terms(question) == content


@pytest.mark.parametrize("question", ["Who is it?", "是什么？"])
def test_a_question_of_function_words_alone_keeps_them(question: str) -> None:
    assert content_terms(question)


@pytest.mark.parametrize(
    ("question", "when"),
    [
        ("When did we meet?", True),
        ("What year was that?", True),
        ("How long did it take?", True),
        ("她什么时候生日？", True),
        ("我几号到的？", True),
        ("他跑了多久", True),
        ("Where did we meet?", False),
        ("How many dogs does he have?", False),
        ("Whenever you like", False),
        ("她几岁？", False),
    ],
)
def test_a_question_for_a_time_is_known(question: str, when: bool) -> None:
    assert asks_when(question) is when


@pytest.mark.parametrize(
    ("text", "asking", "holds_time"),
    [
        ("How was it?", 1.0, False),
        ("你去哪儿了？", 1.0, False),
        ("I moved yesterday.", 0.0, True),
        ("我昨天搬家了。", 0.0, True),
        ("I like tea.", 0.0, False),
        ("", 0.0, False),
    ],
)
def test_traits_say_what_a_text_is_like(text: str, asking: float, holds_time: bool) -> None:
    found = traits_of(text, NOW, UTC)
    assert (found.asking, found.holds_time) == (asking, holds_time)


def test_a_text_asks_for_the_share_of_it_that_asks() -> None:
    assert traits_of("I am off to the sea. And you?", NOW, UTC).asking == pytest.approx(8 / 28)


def test_length_counts_terms() -> None:
    assert traits_of("红茶 is tea", NOW, UTC) == Traits(asking=0.0, holds_time=False, length=3)


def test_a_text_is_heard_after_the_one_before() -> None:
    assert in_context("What do you eat?", "Noodles.") == "What do you eat?\nNoodles."


def test_of_a_long_text_before_the_end_is_heard() -> None:
    before = "".join(f"Sentence number {i} of a long story. " for i in range(200)) + "The end."
    heard = in_context(before, "Well.")
    assert heard.endswith("The end.\nWell.")
    assert "number 0 " not in heard
    assert cost(heard) <= WINDOW + 1


def test_a_text_that_fills_the_window_is_not_heard_after_anything() -> None:
    assert in_context("Before.", "字" * 500) == ""


def test_after_nothing_there_is_nothing_to_hear() -> None:
    assert in_context("  ", "Well.") == ""


@given(st.text(), st.text())
def test_any_text_is_read(one: str, other: str) -> None:
    assert 0 <= traits_of(one, NOW, UTC).asking <= 1
    heard = in_context(one, other)
    assert not heard or heard.endswith("\n" + other)
    assert len(content_terms(one)) == len(set(content_terms(one)))
    asks_when(one)
