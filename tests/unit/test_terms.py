"""Search terms: CJK bigrams, English stems, everything else as it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall.terms import LONGEST_WORD, terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("我五月搬到了杭州", ["我五", "五月", "月搬", "搬到", "到了", "了杭", "杭州"]),
        ("外币汇率换算", ["外币", "币汇", "汇率", "率换", "换算"]),
        ("猫", ["猫"]),
        ("go 部署 deployment", ["go", "部署", "deploy"]),
        ("用docker部署", ["用", "docker", "部署"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("moved moving moves", ["move", "move", "move"]),
        ("Running RUNS", ["run", "run"]),
        ("order 4711-B, 3.5 kg", ["order", "4711", "b", "3", "5", "kg"]),
        ("snake_case", ["snake", "case"]),
    ],
)
def test_a_text_is_cut_into_terms(text: str, terms: list[str]) -> None:
    """L1: Chinese is found by its parts, and Latin words by their stems."""
    assert terms_of(text) == terms


def test_a_long_chinese_question_shares_terms_with_a_short_note() -> None:
    """L2: the whole question is not one phrase."""
    question = terms_of("请问我之前说过的那个外币汇率换算的小工具现在在哪里可以找到")
    assert {"外币", "汇率", "换算"} <= set(question) & set(terms_of("外币汇率换算工具在docker里"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＨＥＬＬＯ　１２３", "hello 123"),
        ("ﾄｳｷｮｳ", "トウキョウ"),
        ("ﬁne", "fine"),
        ("STRASSE", "straße"),
        ("cafe\u0301", "café"),
    ],
)
def test_spellings_of_one_word_give_the_same_terms(one: str, other: str) -> None:
    assert terms_of(one) == terms_of(other)


@pytest.mark.parametrize("mark", ["'", "’"])
def test_an_apostrophe_stays_inside_its_word(mark: str) -> None:
    assert terms_of(f"Alice{mark}s dog doesn{mark}t bark") == terms_of("Alice's dog doesn't bark")
    assert len(terms_of(f"don{mark}t")) == 1


def test_quotation_marks_are_no_part_of_a_word() -> None:
    assert terms_of("she said 'hello'") == terms_of("she said hello")


@pytest.mark.parametrize(
    "text", ["don't部署", "don’t部署", "abc部署", "部署abc", "x\U00020bb7部署"]
)
def test_han_glued_to_latin_letters_is_cut_from_them(text: str) -> None:
    assert "部署" in terms_of(text)


def test_rare_han_are_cut_like_the_others() -> None:
    assert terms_of("\U00020bb7野家") == ["\U00020bb7野", "野家"]
    assert terms_of("abc\U00020bb7") == ["abc", "\U00020bb7"]


@pytest.mark.parametrize("text", ["", "   ", "🎉🎉", "👩‍👩‍👧", "!?…。，、", "___", "\u200b"])
def test_what_holds_no_word_gives_no_term(text: str) -> None:
    assert terms_of(text) == []


def test_a_term_has_an_upper_length() -> None:
    assert [len(term) for term in terms_of("7" * 500)] == [LONGEST_WORD]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text())
def test_any_text_has_terms_that_are_stable_under_case_and_white_space(text: str) -> None:
    terms = terms_of(text)
    assert all(term.strip() for term in terms)
    assert terms_of(f"  {text}\n") == terms
