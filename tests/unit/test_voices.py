"""Voices: what in a text is another's or supposed, and not said by its speaker."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import voices
from ledger.voices import hearsay, others, unasserted, without


def left(text: str, speaker: str = "") -> str:
    """What the speaker says to be so."""
    return without(text, unasserted(text, speaker)).replace(voices.LEFT_OUT, "").strip()


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Bob says: I moved. I am ill.", "Bob says:"),
        ("My mum: I moved", "My mum:"),
        ("Bob: I moved. I am well.", "Bob: I am well."),
        ("Bob said, I moved", "Bob said,"),
        ("小王说：我搬家了", "小王说："),
        ("妈妈跟我说，我变了", "妈妈跟我说，"),
        ("He said 'I moved to Rome' again", "He said  again"),
        ("“我搬家了”是歌词", "是歌词"),
        ("> I moved\nWhy?", "Why?"),
        ("Well. Say I moved", "Well."),
        ("翻译：我搬家了", ""),
        ("我搬家了用英语怎么说", "说"),
        ("I am well. If I move, I will be sad.", "I am well."),
        ("I run. If you ask, I live in Rome", "I run. , I live in Rome"),
        ("如果我搬家，我会难过。我很好", "我很好"),
        ("我搬家的话，我会难过", ""),
        ("When I move I will tell you, I am well", ", I am well"),
    ],
)
def test_what_others_say_and_what_is_supposed_is_not_said_to_be_so(text: str, own: str) -> None:
    assert left(text) == own


@pytest.mark.parametrize(
    "text",
    [
        "Note: I moved",
        "I told him: I moved",
        "老实说：我搬家了",
        "我跟他说：我搬家了",
        "My dogs' names are Bo and Al, I'm Al's friend",
        "I like the film “Frozen” and the 'blue' one",
        "When I moved last year I was happy",
        "The deadline: 5 March",
        "It was 10:30, I left http://a.org/b",
        "That said, I moved",
        "怎么说呢，我搬家了",
        "Mum says I'm ill",
    ],
)
def test_own_words_are_said_to_be_so(text: str) -> None:
    assert left(text) == text


def test_the_speakers_name_before_a_colon_makes_words_nobody_elses() -> None:
    assert left("[NAME_1]: I moved", "[NAME_1]") == "[NAME_1]: I moved"
    assert left("[NAME_2]: I moved", "[NAME_1]") == "[NAME_2]:"


def test_hearsay_is_what_another_says_of_the_speaker() -> None:
    assert hearsay("Mum says I'm ill") == ((9, 16),)
    assert hearsay("小王说我搬家了") == ((3, 7),)
    assert hearsay("I said I moved") == ()


@given(st.lists(st.sampled_from([*"\"'“”：:,.。\n >", "I ", "我", "if ", "Bob says", "翻译"])))
def test_spans_are_in_order_within_the_text_and_leave_its_length(words: list[str]) -> None:
    text = "".join(words)
    for spans in (others(text), unasserted(text), hearsay(text)):
        edges = [edge for span in spans for edge in span]
        assert edges == sorted(edges)
        assert all(0 <= edge <= len(text) for edge in edges)
        assert len(without(text, spans)) == len(text)


def test_the_end_of_a_sentence_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """L13: the work grows with the length of the text, not with its square."""
    ends = []
    found = voices._end

    def counted(pattern: re.Pattern[str], low: str, at: int) -> int:
        ends.append(at)
        return found(pattern, low, at)

    monkeypatch.setattr(voices, "_end", counted)
    for unit in ("if i ", "x: i ", "say i ", "Bob says, i ", "Bob says I "):
        text = (unit * 20_000)[:19_000]
        voices.unasserted.__wrapped__(text)
        voices.hearsay.__wrapped__(text)
    assert 0 < len(ends) <= 10
