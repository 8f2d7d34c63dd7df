"""The profile: every fact in its section, once, with the memory it comes from."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection import ProfileItem, Remembered, profile
from tests.unit.test_reflection_insights import FACTS

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
POLICY = Reflection()
SECTIONS = [
    "identity", "places", "work_and_school", "relations", "health_and_diet", "likes", "dislikes",
    "habits_and_interests", "plans_and_commitments", "instructions", "recent_events", "insights",
    "problems", "other",
]  # fmt: skip


def fact(number: int, content: str, kind: str = Kind.FACT, **changes: Any) -> Remembered:
    """A memory of `number` days before NOW."""
    return Remembered(
        memory=UUID(int=number + 1_000),
        content=content,
        kind=kind,
        **{"valid_from": NOW - timedelta(days=number), **changes},
    )


def placed(*facts: Remembered, policy: Reflection = POLICY) -> dict[str, list[ProfileItem]]:
    return {
        section: items for section, items in profile(facts, NOW, policy).sections.items() if items
    }


def texts(items: list[ProfileItem]) -> list[str]:
    return [item.text for item in items]


def test_all_sections_are_there_in_their_order() -> None:
    assert list(profile([], NOW, POLICY).sections) == SECTIONS


@pytest.mark.parametrize(
    ("section", "attribute", "value"),
    [
        ("identity", "birthday", "5月3日"),
        ("places", "home_city", "Berlin"),
        ("work_and_school", "job_title", "工程师"),
        ("relations", "pet_name", "Miso"),
        ("health_and_diet", "allergy", "花生"),
        ("likes", "favorite_colour", "blue"),
        ("dislikes", "dislikes", "虾"),
        ("habits_and_interests", "hobby", "cello"),
    ],
)
def test_an_attribute_has_its_section_and_shows_its_value(
    section: str, attribute: str, value: str
) -> None:
    one = fact(3, f"The whole sentence with {value}", attribute=attribute, value=value)
    assert placed(one) == {
        section: [
            ProfileItem(
                label=attribute,
                text=value,
                memory=one.memory,
                since=one.valid_from,
                confidence=one.confidence,
            )
        ]
    }


@pytest.mark.parametrize(
    ("section", "content", "kind"),
    [
        ("identity", "我今年三十岁", Kind.FACT),
        ("identity", "Please call me Al", Kind.FACT),
        ("places", "Lives in Lisbon", Kind.FACT),
        ("places", "我住在成都", Kind.FACT),
        ("work_and_school", "Works as a nurse", Kind.FACT),
        ("work_and_school", "我在銀行上班", Kind.FACT),
        ("relations", "My sister lives in Munich", Kind.FACT),
        ("relations", "我老婆是老师", Kind.FACT),
        ("health_and_diet", "Allergic to penicillin", Kind.FACT),
        ("health_and_diet", "我对花生過敏", Kind.FACT),
        ("likes", "喜欢爵士乐", Kind.PREFERENCE),
        ("likes", "Loves jazz", Kind.FACT),
        ("dislikes", "不喜欢加班", Kind.PREFERENCE),
        ("dislikes", "Doesn't like coriander", Kind.FACT),
        ("habits_and_interests", "Plays the cello", Kind.FACT),
        ("habits_and_interests", "每天背单词", Kind.FACT),
        ("habits_and_interests", "每天骑车上班", Kind.FACT),
        ("habits_and_interests", "Doing yoga", Kind.FACT),
        ("plans_and_commitments", "明年春天想去日本", Kind.FACT),
        ("plans_and_commitments", "Will send the report", Kind.COMMITMENT),
        ("instructions", "Answer in bullet points", Kind.INSTRUCTION),
        ("recent_events", "去了一趟苏州", Kind.EVENT),
        ("recent_events", "So stressed today", Kind.FACT),
        ("insights", "Seems to be price-sensitive", Kind.INSIGHT),
        ("problems", "打印机又坏了", Kind.EVENT),
        ("problems", "The VPN is not working", Kind.FACT),
        ("other", "Drives a red Volvo", Kind.FACT),
    ],
)
def test_a_memory_by_hand_is_placed_by_its_kind_and_words(
    section: str, content: str, kind: str
) -> None:
    assert {name: texts(items) for name, items in placed(fact(1, content, kind)).items()} == {
        section: [content]
    }


def test_a_summary_is_in_no_profile() -> None:
    assert placed(fact(1, "住在杭州", Kind.SUMMARY)) == {}


def test_a_denied_value_is_shown_as_the_whole_sentence() -> None:
    """L15: a negation is never lost."""
    one = fact(1, "Doesn't smoke", attribute="smoking", value="smoking", details={"polarity": -1})
    assert texts(placed(one)["health_and_diet"]) == ["Doesn't smoke"]


def test_a_liking_that_is_denied_is_a_dislike() -> None:
    one = fact(1, "不喜欢咖啡", attribute="likes", value="咖啡", details={"polarity": -1})
    assert texts(placed(one)["dislikes"]) == ["咖啡"]


def test_plans_are_soonest_first_and_those_past_are_left_out() -> None:
    def due(number: int, text: str, at: str) -> Remembered:
        return fact(number, text, Kind.COMMITMENT, details={"due_at": at})

    found = placed(
        due(1, "past", "2026-05-01T19:59:00+08:00"),
        due(2, "late", "2026-06-01T09:00:00+08:00"),
        due(3, "soon", "2026-05-01T20:00:00+08:00"),
        due(4, "today", "2026-05-01"),
        due(5, "yesterday", "2026-04-30"),
        fact(6, "undated", Kind.COMMITMENT),
        due(7, "unreadable", "soon"),
        fact(-5, "trip to come", Kind.EVENT),
    )
    assert texts(found.pop("plans_and_commitments")) == [
        "soon", "today", "trip to come", "late", "undated", "unreadable",
    ]  # fmt: skip
    assert found == {}


def test_events_are_newest_first_and_recent() -> None:
    facts = [fact(day, f"event {day}", Kind.EVENT) for day in (3, 1, 2, 61, 60)]
    assert texts(placed(*facts)["recent_events"]) == ["event 1", "event 2", "event 3", "event 60"]


def test_the_important_comes_before_the_new_and_the_new_before_the_old() -> None:
    facts = [
        fact(1, "新", Kind.PREFERENCE),
        fact(2, "旧", Kind.PREFERENCE),
        fact(3, "重要", Kind.PREFERENCE, importance=9),
    ]
    assert texts(placed(*facts)["likes"]) == ["重要", "新", "旧"]


def test_the_name_comes_first() -> None:
    facts = [
        fact(1, "三十岁", attribute="age", value="30", importance=10),
        fact(9, "我叫[NAME_1]", attribute="name", value="[NAME_1]", importance=1),
    ]
    assert texts(placed(*facts)["identity"]) == ["[NAME_1]", "30"]


def test_the_same_is_shown_once_by_its_newest_memory() -> None:
    old, new = fact(5, "喜歡咖啡", Kind.PREFERENCE), fact(1, "喜欢咖啡", Kind.PREFERENCE)
    (item,) = placed(old, new)["likes"]
    assert item.memory == new.memory


def test_sections_are_bounded() -> None:
    likes = [fact(day, f"likes {day}", Kind.PREFERENCE) for day in range(20)]
    events = [fact(day, f"event {day}", Kind.EVENT) for day in range(20, 40)]
    found = placed(*likes, *events, policy=Reflection(profile_items=3, profile_events=2))
    assert texts(found["likes"]) == ["likes 0", "likes 1", "likes 2"]
    assert texts(found["recent_events"]) == ["event 20", "event 21"]


def test_what_is_said_of_a_named_person_is_a_relation_once_the_subjects_name_is_known() -> None:
    other = fact(1, "[NAME_2] lives in Munich")
    name = fact(2, "I am [NAME_1]", attribute="name", value="[NAME_1]")
    assert texts(placed(other)["places"]) == [other.content]
    assert texts(placed(other, name)["relations"]) == [other.content]


@settings(max_examples=80, deadline=None)
@given(FACTS)
def test_any_memories_give_a_profile_with_each_in_one_section(facts: list[Remembered]) -> None:
    found = profile(facts, NOW, POLICY)
    assert list(found.sections) == SECTIONS
    shown = [item.memory for items in found.sections.values() for item in items]
    assert len(shown) == len(set(shown))
    assert set(shown) <= {one.memory for one in facts}
    shuffled = random.Random(7).sample(facts, len(facts))
    assert profile(shuffled, NOW, POLICY) == found


def test_what_else_the_same_words_tell_is_an_item_of_its_own() -> None:
    slots = {"slots": {"job_title": "teacher"}}
    teacher = fact(1, "I'm a 30-year-old teacher", attribute="age", value="30", details=slots)
    told = {i.label: (i.text, i.memory) for items in placed(teacher).values() for i in items}
    assert told == {"age": ("30", teacher.memory), "job_title": ("teacher", teacher.memory)}
