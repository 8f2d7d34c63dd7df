"""What a question asks for: exact things before anything is guessed, times, and who said it."""

from datetime import UTC, datetime

import pytest

from recall.asking import Anchor, attributes_named, take_apart
from recall.speakers import label_of, marks_of

NOW = datetime(2024, 5, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "exact"),
    [
        ("Is order AB-1234 on its way?", {"ab", "1234"}),
        ("Who said “to be or not”?", {"to", "be", "or", "not"}),
        ("《小王子》是谁推荐的?", {"小王", "王子"}),
        ("Whose is [PHONE_1]?", {"phone_1"}),
        ("What is the code 48213?", {"48213"}),
        ("Where do I live?", set()),
        ("Did I say 2 or 3?", set()),
    ],
)
def test_exact_things_are_found(question: str, exact: set[str]) -> None:
    assert set(take_apart(question, question, NOW, UTC).exact) == exact


def test_a_question_speaks_of_its_time() -> None:
    found = take_apart("What did I do last week?", "", NOW, UTC).dates
    assert [(one.begins.day, one.ends and one.ends.day) for one in found] == [(6, 13)]
    assert take_apart("Where do I live?", "", NOW, UTC).dates == ()


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("What did I do before I moved to Oslo?", True),
        ("What happened after we sold the house?", False),
        ("我搬到杭州之前住在哪里", True),
        ("他毕业以后去了哪里", False),
    ],
)
def test_a_question_may_lie_on_one_side_of_what_happened(question: str, earlier: bool) -> None:
    anchor = take_apart(question, question, NOW, UTC).anchor
    assert anchor is not None
    assert anchor.earlier is earlier
    assert anchor.terms


def test_words_of_the_question_as_asked_are_searched_too() -> None:
    """Masking may have missed a name in some of the memories."""
    found = take_apart("Where does [NAME_1] live?", "Where does Ann live?", NOW, UTC)
    assert {"name_1", "ann"} <= set(found.terms)
    assert {"@name_1", "@ann"} <= set(found.marks)


def test_who_speaks_is_no_word_of_the_question() -> None:
    found = take_apart("What did Ann paint?", "", NOW, UTC)
    assert found.content_without({"@ann"}) == ["paint"]


def test_an_attribute_is_named_by_all_words_of_its_name() -> None:
    attributes = ["home_city", "home.office", "diet"]
    assert attributes_named("Which is my home city?", attributes) == {"home_city"}
    assert attributes_named("Am I at home?", attributes) == set()


@pytest.mark.parametrize(
    ("question", "attribute"),
    [
        ("Where does she live?", "home_city"),
        ("他住哪儿", "home_city"),
        ("What's my job?", "job_title"),
        ("What must she not eat?", "allergy"),
        ("我多高", "height"),
    ],
)
def test_an_attribute_is_asked_for_in_the_words_of_people(question: str, attribute: str) -> None:
    attributes = ["allergy", "height", "home_city", "job_title"]
    assert attributes_named(question, attributes) == {attribute}


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ann: I moved.", "Ann"),
        ("[NAME_1]: I moved.", "[NAME_1]"),
        ("张曼婷：我搬家了", "张曼婷"),
        ("AI: 好的", "AI"),
        ("https://example.org is down", ""),
        ("12:30 is lunch", ""),
        ("What I need from the shop tomorrow: milk", ""),
        ("no label here", ""),
        ("", ""),
    ],
)
def test_who_says_it_stands_before_a_colon(text: str, label: str) -> None:
    assert label_of(text) == label


def test_marks_are_no_words_of_a_text() -> None:
    assert marks_of("Peter Ann: hello") == ["@peter", "@ann"]


@pytest.mark.parametrize("question", ["", "。。。", "\ud83d", "before", "之前", "a" * 4_000])
def test_any_text_is_a_question(question: str) -> None:
    """L8: a lone surrogate is handled."""
    found = take_apart(question, question, NOW, UTC)
    assert found.anchor is None or isinstance(found.anchor, Anchor)
