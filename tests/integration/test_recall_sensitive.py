"""Sensitive memories: which question brings them is the policy's to say."""

import pytest

from tests.cast import Api
from tests.integration.talking import set_policy

ALLERGY, TEA = "I am allergic to peanuts", "I eat noodles for breakfast"


@pytest.fixture
def told(api: Api) -> Api:
    api.write("alice", ALLERGY)
    api.write("alice", TEA)
    return api


def brought(api: Api, question: str) -> tuple[set[str], dict[str, int]]:
    """What a question brings, and what was withheld by which rule."""
    answer = api.recall("alice", question)
    return {m["content"] for m in answer["memories"]}, answer["withheld"]


def test_by_default_they_are_recalled_as_all_others(told: Api) -> None:
    assert brought(told, "What should I eat?") == ({ALLERGY, TEA}, {})


def test_when_asked_only_a_question_about_the_topic_brings_them(told: Api) -> None:
    set_policy(told, sensitive={"health": "when_asked"})
    assert brought(told, "What should I eat?") == ({TEA}, {"sensitive": 1})
    assert ALLERGY in brought(told, "What am I allergic to?")[0]


def test_never_means_never_in_recall_and_the_list_still_shows_them(told: Api) -> None:
    set_policy(told, sensitive={"health": "never"})
    memories, withheld = brought(told, "What am I allergic to?")
    assert ALLERGY not in memories
    assert withheld["sensitive"] == 1
    listed = told.get("/api/v1/memories", subject="alice").json()["results"]
    assert {m["content"] for m in listed} == {ALLERGY, TEA}


def test_the_trace_names_the_rule(told: Api) -> None:
    set_policy(told, sensitive={"health": "never"})
    answer = told.recall("alice", "What should I eat?")
    trace = told.get(f"/api/v1/recall/{answer['trace']}").json()
    verdicts = {c["content"]: c["verdict"] for c in trace["candidates"]}
    assert verdicts == {ALLERGY: "sensitive", TEA: "returned"}


def test_a_chinese_memory_is_guarded_as_well(api: Api) -> None:
    set_policy(api, sensitive={"health": "when_asked"})
    api.write("alice", "我对花生过敏")
    api.write("alice", "我早餐吃面条")
    assert brought(api, "我早餐吃什么？")[0] == {"我早餐吃面条"}
    assert "我对花生过敏" in brought(api, "我对什么过敏？")[0]
