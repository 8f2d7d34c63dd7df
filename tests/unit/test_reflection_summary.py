"""Summaries of a session: useful, without repetition, in the facts' own words."""

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection import Remembered, summarise

START = datetime(2026, 4, 1, 9, tzinfo=UTC)
POLICY = Reflection()
SMALL = Reflection(summary_facts=1, summary_length=80, summary_statements=3)


def told(*contents: str, importance: int = 5, first: int = 0) -> list[Remembered]:
    return [
        Remembered(
            memory=UUID(int=first + at + 1),
            content=content,
            kind=Kind.FACT,
            importance=importance,
            valid_from=START + timedelta(minutes=first + at),
        )
        for at, content in enumerate(contents)
    ]


CHINESE = told(
    "我下周搬到杭州",
    "搬家公司约在周六上午",
    "新公司是做游戏的",
    "我对花生过敏",
    "想找一家健身房",
)
ENGLISH = told(
    "Moving to Berlin next month",
    "The movers come on Saturday",
    "The new job is at a hospital",
    "Allergic to peanuts",
    "Looking for a gym near the flat",
)


@pytest.mark.parametrize("facts", [CHINESE, ENGLISH], ids=["zh", "en"])
def test_a_summary_is_in_the_facts_own_words_and_order(facts: list[Remembered]) -> None:
    """L5: Chinese in, Chinese out."""
    summary = summarise(facts, POLICY)
    assert summary is not None
    assert summary.content.split("\n") == [fact.content for fact in facts]
    assert summary.sources == tuple(fact.memory for fact in facts)


def test_too_few_facts_make_no_summary() -> None:
    assert summarise(CHINESE[:3], POLICY) is None
    assert summarise(CHINESE[:3], Reflection(summary_facts=3)) is not None
    assert summarise([], SMALL) is None


def test_the_important_is_kept_where_not_all_fits() -> None:
    important = told("Allergic to penicillin", importance=10, first=50)
    summary = summarise([*ENGLISH, *important], SMALL)
    assert summary is not None
    assert "Allergic to penicillin" in summary.content
    assert len(summary.sources) < len(ENGLISH) + 1


def test_what_the_subject_gave_weight_is_kept_where_not_all_fits() -> None:
    one, other = told("Plays the cello", "Rides a red bicycle")
    policy = Reflection(summary_facts=2, summary_statements=1)
    for heavier, lighter in ((one, other), (other, one)):
        heavy = Remembered(**{**heavier.__dict__, "weight": 5.0})
        summary = summarise([heavy, lighter], policy)
        assert summary is not None
        assert summary.sources == (heavier.memory,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("我下周要搬到杭州", "下周我要搬到杭州"),
        ("Moving to Berlin next month", "Next month, moving to Berlin!"),
        ("買了新相機", "买了新相机"),
    ],
)
def test_the_same_is_not_said_twice(one: str, other: str) -> None:
    summary = summarise(told(one, other), SMALL)
    assert summary is not None
    assert len(summary.sources) == 1


def test_what_is_new_comes_before_more_of_the_same() -> None:
    facts = told("Moving to Berlin with the cat", "Moving from Porto to Berlin", "Plays the cello")
    summary = summarise(facts, Reflection(summary_facts=1, summary_statements=2))
    assert summary is not None
    assert "Plays the cello" in summary.content


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like green tea", "I don't like green tea"),
        ("会议改到3点", "会议改到4点"),
        ("平台支持退款", "平台不支持退款"),
    ],
)
def test_a_negation_or_another_number_is_not_the_same(one: str, other: str) -> None:
    summary = summarise(told(one, other), SMALL)
    assert summary is not None
    assert len(summary.sources) == 2


def test_a_statement_that_does_not_fit_is_left_out_and_never_cut() -> None:
    long = told("很长的话" * 100, importance=10, first=50)
    summary = summarise([*CHINESE, *long], SMALL)
    assert summary is not None
    assert long[0].memory not in summary.sources
    assert summarise(long, SMALL) is None


def test_summaries_and_insights_are_not_summarised_again() -> None:
    derived = [
        Remembered(memory=UUID(int=90 + at), content="说过的话", kind=kind, valid_from=START)
        for at, kind in enumerate((Kind.SUMMARY, Kind.INSIGHT))
    ]
    assert summarise(derived, SMALL) is None
    assert summarise([*CHINESE, *derived], POLICY) == summarise(CHINESE, POLICY)


def test_the_order_of_the_input_does_not_matter() -> None:
    facts = [*CHINESE, *told(*(fact.content for fact in ENGLISH), first=10)]
    expected = summarise(facts, SMALL)
    for seed in range(10):
        shuffled = random.Random(seed).sample(facts, len(facts))
        assert summarise(shuffled, SMALL) == expected


CONTENTS = st.one_of(
    st.text(max_size=120),
    st.text(alphabet="我搬到杭州不3点 ab\n\ud83d\u202e", max_size=60),
    st.sampled_from(["9" * 100_000, "\x00", "\ud83d", "ﷺ" * 50]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(CONTENTS, max_size=8), st.integers(50, 300))
def test_a_summary_keeps_its_bound_and_quotes_its_sources(texts: list[str], length: int) -> None:
    facts = told(*texts)
    summary = summarise(facts, Reflection(summary_facts=1, summary_length=length))
    if summary is None:
        return
    contents = {fact.memory: " ".join(fact.content.split()) for fact in facts}
    assert len(summary.content) <= length
    assert len(set(summary.sources)) == len(summary.sources)
    assert summary.content == "\n".join(contents[source] for source in summary.sources)
