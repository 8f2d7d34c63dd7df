"""Writing: what says nothing new writes nothing, and what is new is the next entry of its chain."""

import pytest

from ledger.models import Entry, Memory
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api


def entries(tenant: Actor) -> int:
    with tenant_context(tenant.tenant_id):
        return Entry.objects.count()


def test_the_same_thing_said_twice_is_kept_once(api: Api, tenant: Actor) -> None:
    """C3: the second time neither doubles the memory nor deletes it."""
    first = api.write("alice", "I moved to Hangzhou in May 2024")
    second = api.write("alice", "I moved to Hangzhou in May 2024")
    assert (first["disposition"], second["disposition"]) == ("stored", "unchanged")
    assert second["memory"]["id"] == first["memory"]["id"]
    assert second["entry"] == first["entry"]
    assert entries(tenant) == 1
    listed = api.get("/api/v1/memories", subject="alice").json()["results"]
    assert [m["id"] for m in listed] == [first["memory"]["id"]]


def test_a_write_that_stores_answers_201_and_one_that_does_not_200(api: Api) -> None:
    body = {"subject": "alice", "content": "I like tea"}
    assert api.post("/api/v1/memories", body).status_code == 201
    assert api.post("/api/v1/memories", body).status_code == 200


def test_white_space_makes_no_difference_and_the_first_spelling_is_kept(api: Api) -> None:
    api.write("alice", "I  like\ntea ")
    again = api.write("alice", "I like tea")
    assert again["disposition"] == "unchanged"
    assert again["memory"]["content"] == "I  like\ntea "


def test_verbatim_white_space_is_part_of_what_was_said(api: Api) -> None:
    api.write("alice", "a  b", verbatim=True)
    assert api.write("alice", "a b", verbatim=True)["disposition"] == "stored"
    assert api.write("alice", "a b", verbatim=True)["disposition"] == "unchanged"


@pytest.mark.parametrize(
    "other",
    [
        {"kind": "event"},
        {"attribute": "drink"},
        {"value": "green tea"},
        {"content": "I like tea with milk"},
        {"subject": "bob"},
    ],
)
def test_another_meaning_is_another_memory(api: Api, other: dict) -> None:
    said = {"subject": "alice", "content": "I like tea"}
    first = api.write(**said)
    second = api.write(**(said | other))
    assert second["disposition"] == "stored"
    assert second["memory"]["id"] != first["memory"]["id"]


def test_the_same_for_a_time_that_is_not_covered_yet_is_new(api: Api) -> None:
    known = api.write(
        "alice",
        "I keep bees in the garden",
        valid_from="2024-01-01T00:00:00Z",
        valid_to="2024-06-01T00:00:00Z",
    )
    within = api.write(
        "alice",
        "I keep bees in the garden",
        valid_from="2024-02-01T00:00:00Z",
        valid_to="2024-03-01T00:00:00Z",
    )
    beyond = api.write("alice", "I keep bees in the garden", valid_from="2024-02-01T00:00:00Z")
    before = api.write(
        "alice",
        "I keep bees in the garden",
        valid_from="2023-12-01T00:00:00Z",
        valid_to="2024-03-01T00:00:00Z",
    )
    assert within["disposition"] == "unchanged"
    assert within["memory"]["id"] == known["memory"]["id"]
    assert (beyond["disposition"], before["disposition"]) == ("stored", "stored")


def test_everything_that_was_given_comes_back(api: Api) -> None:
    given = {
        "kind": "preference",
        "attribute": "drink",
        "value": "龙井",
        "valid_from": "2024-05-01T09:30:00+08:00",
        "valid_to": "2034-05-01T01:30:00Z",
        "expires_at": "2033-01-01T00:00:00Z",
        "importance": 8,
        "confidence": 0.75,
        "agent": "shop",
        "session": "s-1",
        "metadata": {"colour": ["绿", 1, None]},
    }
    memory = api.write("用户一", "I like 龙井 tea", **given)["memory"]
    shown = api.get(f"/api/v1/memories/{memory['id']}").json()
    shown.pop("answered_at")
    assert shown == memory
    assert memory["subject"] == "用户一"
    assert memory["content"] == "I like 龙井 tea"
    assert memory["valid_from"] == "2024-05-01T01:30:00Z"
    for name in ("kind", "attribute", "value", "valid_to", "expires_at", "importance"):
        assert memory[name] == given[name], name
    for name in ("confidence", "metadata"):
        assert memory[name] == given[name], name
    assert memory["weight"] == 1
    assert memory["status"] == "active"
    provenance = memory["provenance"]
    assert (provenance["session"], provenance["agent"]) == ("s-1", "shop")
    assert provenance["dated_by"] == "client"
    assert provenance["actor"].startswith("key:mh_")


def test_a_memory_without_a_time_is_dated_by_its_recording_and_says_so(api: Api) -> None:
    """T11."""
    memory = api.write("alice", "I like tea")["memory"]
    assert memory["valid_from"] == memory["recorded_at"]
    assert memory["provenance"]["dated_by"] == "recording"


@pytest.mark.parametrize(
    "content", ["<|endoftext|>", "'; DROP TABLE ledger_entry; --", "%s %(x)s {0}", "🎉", "مرحبا"]
)
def test_odd_texts_are_stored_as_they_are(api: Api, content: str) -> None:
    """L10."""
    memory_id = api.write("alice", content, verbatim=True)["memory"]["id"]
    assert api.get(f"/api/v1/memories/{memory_id}").json()["content"] == content


def test_a_refused_write_leaves_nothing_behind(api: Api, tenant: Actor) -> None:
    response = api.post(
        "/api/v1/memories",
        {
            "subject": "nobody-yet",
            "content": "I live in Oslo",
            "valid_from": "2024-05-01T00:00:00Z",
            "valid_to": "2024-05-01T00:00:00Z",
        },
    )
    assert response.status_code == 400
    with tenant_context(tenant.tenant_id):
        assert not Subject.objects.filter(external_id="nobody-yet").exists()
        assert not Entry.objects.exists()
        assert not Memory.objects.exists()
