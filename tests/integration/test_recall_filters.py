"""Filters of a question choose which memories an answer may be of, before the best are taken."""

import html
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from ledger.statements import METADATA_BYTES
from recall import reading
from recall.api.serializers import LABEL_NAME_LENGTH, MAX_LABELS
from recall.encoding import crowd, encode_waiting
from recall.filters import Filters
from recall.models import Corpus
from tenants.context import tenant_context
from tenants.models import Role, Subject
from tenants.principals import AGENT_SCOPES
from tenants.services.members import add_member, create_user
from tests.cast import HOST, Actor, Api
from tests.integration.noting import refusal
from tests.integration.talking import key_with, say, set_policy
from tests.integration.tools import in_threads

RECALL = "/api/v1/recall"
QUESTION = "What does she drink?"
TEA, COFFEE, WATER = "She drinks tea", "She drinks coffee", "她喝水 (she drinks water)"
MATTE = "She drinks matte"


@pytest.fixture(autouse=True)
def everything_answers(api: Api) -> None:
    """What is near enough to be returned is no matter of filters."""
    set_policy(api, ranking={"answerable_from": 0})


@pytest.fixture
def shelf(api: Api) -> Api:
    note(api, TEA, attribute="drink", session="s1", metadata={"project": "x", "tier": 2})
    note(api, COFFEE, agent="support", session="s1", metadata={"project": "x", "tier": "2"})
    note(api, WATER, attribute="drink", agent="support", metadata={"project": "y", "new": True})
    note(api, MATTE, session="会话", metadata={"project": ["x"], "tier": 2.5, "new": 1})
    api.write("bob", "She drinks milk", session="s1", attribute="drink", metadata={"project": "x"})
    return api


def note(api: Api, content: str, **more: Any) -> Any:
    """Write one memory of alice as it is given."""
    return api.write("alice", content, verbatim=True, **more)["memory"]


def ask(api: Api, filters: dict[str, Any] | None = None, **more: Any) -> Any:
    given = {} if filters is None else {"filters": filters}
    return api.recall("alice", QUESTION, **given, **more)


def told(answer: Any) -> set[str]:
    return {memory["content"] for memory in answer["memories"]}


def traced(api: Api, answer: Any) -> Any:
    return api.get(f"{RECALL}/{answer['trace']}").json()


def subject_of(tenant: Actor) -> UUID:
    with tenant_context(tenant.tenant_id):
        return Subject.objects.get(external_id="alice").id


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({}, {TEA, COFFEE, WATER, MATTE}),
        ({"metadata": {}}, {TEA, COFFEE, WATER, MATTE}),
        ({"attribute": "drink"}, {TEA, WATER}),
        ({"attribute": "Drink"}, set()),
        ({"attribute": "home_city"}, set()),
        ({"session": "s1"}, {TEA, COFFEE}),
        ({"session": "会话"}, {MATTE}),
        ({"session": "s"}, set()),
        ({"agent": "support"}, {COFFEE, WATER}),
        ({"agent": "sales"}, set()),
        ({"attribute": "drink", "agent": "support"}, {WATER}),
        ({"attribute": "drink", "session": "s1", "metadata": {"tier": 2}}, {TEA}),
        ({"attribute": "drink", "session": "s1", "metadata": {"tier": 3}}, set()),
        ({"metadata": {"project": "x"}}, {TEA, COFFEE}),
        ({"metadata": {"project": "X"}}, set()),
        ({"metadata": {"project": "x", "tier": 2}}, {TEA}),
        ({"metadata": {"project": "y", "tier": 2}}, set()),
        ({"metadata": {"tier": 2.0}}, {TEA}),
        ({"metadata": {"tier": "2"}}, {COFFEE}),
        ({"metadata": {"tier": 2.5}}, {MATTE}),
        ({"metadata": {"new": True}}, {WATER}),
        ({"metadata": {"new": 1}}, {MATTE}),
        ({"metadata": {"new": False}}, set()),
        ({"metadata": {"%": "x"}}, set()),
    ],
)
def test_all_that_is_asked_must_hold_exactly(shelf: Api, filters: dict, found: set[str]) -> None:
    """Of one subject: bob's memory of that session, attribute and label is never among them."""
    assert told(ask(shelf, filters)) == found


def test_what_is_filtered_out_is_told_of_and_so_are_the_filters(shelf: Api) -> None:
    filters = {"session": "s1", "metadata": {"project": "x", "tier": 2}}
    answer = ask(shelf, filters, kinds=["fact"])
    assert answer["withheld"] == {"filtered_out": 3}
    assert COFFEE not in answer["context"]
    trace = traced(shelf, answer)
    assert trace["filters"] == filters
    verdicts = {c["content"]: c["verdict"] for c in trace["candidates"]}
    assert verdicts == {TEA: "returned"} | dict.fromkeys((COFFEE, WATER, MATTE), "filtered_out")
    assert traced(shelf, ask(shelf))["filters"] is None


def test_filters_come_before_the_best_are_taken(api: Api) -> None:
    """A hundred better ones neither fill the answer nor say how well the others fit."""
    for number in range(100):
        note(api, f"{QUESTION} She drinks tea number {number}", importance=10)
    note(api, "Plumber came by", metadata={"project": "x"}, importance=1)
    (only,) = ask(api, {"metadata": {"project": "x"}}, top_k=1)["memories"]
    assert only["content"] == "Plumber came by"
    assert only["score_breakdown"]["relevance"] == 1


def test_the_answer_to_other_filters_is_another_answer(shelf: Api) -> None:
    """The cache tells them apart, and equal ones not."""
    label = {"tier": 2, "project": "x"}
    for filters, found in (
        ({}, {TEA, COFFEE, WATER, MATTE}),
        ({"agent": "support"}, {COFFEE, WATER}),
        ({"session": "s1"}, {TEA, COFFEE}),
        ({"metadata": label}, {TEA}),
        ({"metadata": label | {"tier": "2"}}, {COFFEE}),
    ):
        first, again = ask(shelf, filters), ask(shelf, filters)
        assert (first["cached"], again["cached"]) == (False, True)
        assert told(first) == told(again) == found
    assert ask(shelf, {"metadata": {"project": "x", "tier": 2}})["cached"]


def test_a_caller_for_one_agent_stays_with_it(shelf: Api, tenant: Actor) -> None:
    support = key_with(tenant, *AGENT_SCOPES, agent="support")
    assert told(ask(support, {"agent": "support"})) == {COFFEE, WATER}
    assert told(ask(support, {"session": "s1"})) == {COFFEE}
    assert told(ask(support, {"session": "会话"})) == set()
    body = {"subject": "alice", "query": QUESTION, "filters": {"agent": "sales"}}
    assert refusal(support.post(RECALL, body)) == (403, "pinned", "filters.agent")
    assert shelf.post(RECALL, body).status_code == 200


def test_labels_are_those_of_the_time_that_is_asked_about(shelf: Api) -> None:
    (tea,) = (m for m in ask(shelf)["memories"] if m["content"] == TEA)
    before = traced(shelf, ask(shelf))["answered_at"]["seq"]
    body = {"version": tea["version"], "metadata": {"project": "z"}}
    assert shelf.post(f"/api/v1/memories/{tea['id']}/correct", body).status_code == 200
    assert told(ask(shelf, {"metadata": {"project": "z"}})) == {TEA}
    assert told(ask(shelf, {"metadata": {"project": "x"}})) == {COFFEE}
    then = {"known_at": f"seq:{before}"}
    assert told(ask(shelf, {"metadata": {"project": "x"}}, **then)) == {TEA, COFFEE}
    assert told(ask(shelf, {"metadata": {"project": "z"}}, **then)) == set()


def test_the_conversation_goes_on_whatever_the_filters_leave_of_memories(api: Api) -> None:
    """A session is asked for by its own name; only memories have the labels that filters name."""
    say(api, "I like green tea", session="now")
    note(api, COFFEE, metadata={"project": "x"})
    answer = ask(api, {"metadata": {"project": "x"}}, session="now")
    assert told(answer) == {COFFEE}
    assert '- [user] "I like green tea"' in answer["context"]
    assert "I like green tea" not in ask(api, {"metadata": {"project": "x"}})["context"]


def test_of_a_crowded_subject_what_is_filtered_out_takes_no_place(api: Api, tenant: Actor) -> None:
    """A hundred nearer ones, all that the approximate index brings, do not hide the one."""
    ranking = {"answerable_from": 0, "exact_up_to": 100, "approximate_candidates": 50}
    set_policy(api, ranking=ranking)
    note(api, "Plumber came by", metadata={"project": "x"}, session="s1", attribute="visit")
    for number in range(101):
        note(api, f"{QUESTION} Box {number}", agent="many")
    while encode_waiting(tenant.tenant_id, subject_of(tenant), 200):
        pass
    while crowd(tenant.tenant_id, subject_of(tenant)):
        pass
    with tenant_context(tenant.tenant_id):
        assert Corpus.objects.get().crowded
    for filters in ({"metadata": {"project": "x"}}, {"session": "s1"}, {"attribute": "visit"}):
        assert told(ask(api, filters)) == {"Plumber came by"}
    assert told(ask(api, {"agent": "nobody"})) == set()
    many = ask(api, {"agent": "many"}, top_k=10)
    assert len(many["memories"]) == 10
    assert traced(api, many)["strategy"]["vector"] == "approximate, then exact"


def test_a_memory_that_is_changed_meanwhile_is_not_missed(
    shelf: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the versions and their labels a writer may end a version: it is answered from."""
    (tea,) = (m for m in ask(shelf)["memories"] if m["content"] == TEA)
    read_matching, path = reading.read_matching, f"/api/v1/memories/{tea['id']}/change"

    def change(_: int) -> int:
        body = {"version": tea["version"], "content": "She drinks green tea"}
        status: int = Api(tenant.api_key).post(path, body).status_code
        return status

    def after_a_change(subject_id: UUID, filters: Filters, *at: Any) -> Any:
        assert in_threads(change, 1) == [200]
        return read_matching(subject_id, filters, *at)

    monkeypatch.setattr(reading, "read_matching", after_a_change)
    assert told(ask(shelf, {"metadata": {"tier": 2}})) == {TEA}


MANY = {f"label {number}": number for number in range(MAX_LABELS + 1)}


@pytest.mark.parametrize(
    ("filters", "code", "blamed"),
    [
        (None, "null", "filters"),
        ("session", "invalid", "filters"),
        ([{"session": "s1"}], "invalid", "filters"),
        ({"project": "x"}, "unknown_field", "filters.project"),
        ({"kind": "fact"}, "unknown_field", "filters.kind"),
        ({"OR": [{"session": "s1"}]}, "unknown_field", "filters.OR"),
        ({"attribute": 5}, "invalid", "filters.attribute"),
        ({"attribute": "home city"}, "invalid", "filters.attribute"),
        ({"attribute": ""}, "blank", "filters.attribute"),
        ({"attribute": None}, "null", "filters.attribute"),
        ({"session": ["s1", "s2"]}, "invalid", "filters.session"),
        ({"session": " "}, "blank", "filters.session"),
        ({"session": "s" * 256}, "max_length", "filters.session"),
        ({"session": "\0"}, "invalid_text", "filters.session"),
        ({"agent": {"in": ["a"]}}, "invalid", "filters.agent"),
        ({"agent": ""}, "blank", "filters.agent"),
        ({"metadata": "project"}, "not_a_dict", "filters.metadata"),
        ({"metadata": ["project"]}, "not_a_dict", "filters.metadata"),
        ({"metadata": None}, "null", "filters.metadata"),
        ({"metadata": {"tier": {"gt": 1}}}, "invalid", "filters.metadata.tier"),
        ({"metadata": {"tier": [1, 2]}}, "invalid", "filters.metadata.tier"),
        ({"metadata": {"tier": None}}, "null", "filters.metadata.tier"),
        ({"metadata": {"tier": "\0"}}, "invalid_text", "filters.metadata.tier"),
        ({"metadata": MANY}, "max_length", "filters.metadata"),
        ({"metadata": {"n" * (LABEL_NAME_LENGTH + 1): 1}}, "too_long", "filters.metadata"),
        ({"metadata": {"note": "x" * METADATA_BYTES}}, "too_long", "filters.metadata"),
    ],
)
def test_a_bad_filter_is_an_error_and_no_empty_answer(
    api: Api, filters: Any, code: str, blamed: str
) -> None:
    body = {"subject": "alice", "query": QUESTION, "filters": filters}
    assert refusal(api.post(RECALL, body)) == (400, code, blamed)


def test_the_limits_themselves_are_allowed(api: Api) -> None:
    labels = dict.fromkeys(list(MANY)[:-2], 1) | {"n" * LABEL_NAME_LENGTH: "绿"}
    assert len(labels) == MAX_LABELS
    note(api, TEA, metadata=labels)
    assert told(ask(api, {"metadata": labels})) == {TEA}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            {
                "Only from the conversation": "s1",
                "Only from the agent": "support",
                "Only with the label project": "x",
                "Only with the label tier": "2",
            },
        ),
        (
            "zh-hans",
            {
                "仅限对话": "s1",
                "仅限智能体": "support",
                "仅限带有标签 project": "x",
                "仅限带有标签 tier": "2",
            },
        ),
    ],
)
def test_the_page_of_an_answer_shows_its_filters(
    shelf: Api, tenant: Actor, language: str, words: dict[str, str]
) -> None:
    reader = Client(SERVER_NAME=HOST)
    user = create_user(f"reader-{tenant.tenant_id}", "a-password")
    with tenant_context(tenant.tenant_id):
        add_member(user, Role.OWNER)
    reader.force_login(user)

    def page(answer: Any) -> str:
        headers = {"Accept-Language": language}
        response = reader.get(f"/recalls/{answer['trace']}", headers=headers)
        return html.unescape(response.content.decode())

    filters = {"session": "s1", "agent": "support", "metadata": {"tier": "2", "project": "x"}}
    shown, without = page(ask(shelf, filters)), page(ask(shelf))
    for heading, wanted in words.items():
        assert f'<dt dir="auto">{heading}</dt><dd dir="auto">{wanted}</dd>' in shown
        assert heading not in without
