"""Filters: each narrows the list to exactly what it names, and a bad one is an error."""

from typing import Any

import pytest

from tests.cast import Api


@pytest.fixture
def shelf(api: Api) -> Api:
    api.write("alice", "I like green tea", kind="preference", attribute="drink", agent="shop")
    api.write("alice", "I moved to Hangzhou", kind="event", session="s-1", agent="shop")
    api.write("alice", "我喜欢喝绿茶", kind="preference", session="s-2")
    api.write("bob", "I like coffee", kind="preference", attribute="drink", session="s-1")
    return api


def listed(api: Api, **query: Any) -> list[str]:
    response = api.get("/api/v1/memories", **query)
    assert response.status_code == 200, response.content
    return [m["content"] for m in response.json()["results"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (
            {},
            ["I like coffee", "我喜欢喝绿茶", "I moved to Hangzhou", "I like green tea"],
        ),
        ({"subject": "alice"}, ["我喜欢喝绿茶", "I moved to Hangzhou", "I like green tea"]),
        ({"subject": "bob"}, ["I like coffee"]),
        ({"subject": "nobody"}, []),
        ({"kind": "event"}, ["I moved to Hangzhou"]),
        ({"attribute": "drink"}, ["I like coffee", "I like green tea"]),
        ({"session": "s-1"}, ["I like coffee", "I moved to Hangzhou"]),
        ({"session": "s-1", "subject": "alice"}, ["I moved to Hangzhou"]),
        ({"agent": "shop"}, ["I moved to Hangzhou", "I like green tea"]),
        ({"agent": "shop", "kind": "preference"}, ["I like green tea"]),
        ({"subject": "alice", "q": "tea"}, ["I like green tea"]),
        ({"subject": "alice", "q": "TEA green"}, ["I like green tea"]),
        ({"subject": "alice", "q": "moving"}, ["I moved to Hangzhou"]),
        ({"subject": "alice", "q": "绿茶"}, ["我喜欢喝绿茶"]),
        ({"subject": "alice", "q": "coffee"}, []),
        ({"subject": "alice", "q": "tea coffee"}, []),
        ({"subject": "alice", "q": "🎉"}, []),
    ],
)
def test_a_filter_shows_what_it_names_newest_first(
    shelf: Api, query: dict, found: list[str]
) -> None:
    """I20, L1: one session id of two subjects does not mix them."""
    assert listed(shelf, **query) == found


@pytest.mark.parametrize("other", ["john-doe", "john%doe", "johnXdoe", "John_Doe", "john_doe "])
def test_ids_that_look_alike_are_different_subjects(api: Api, other: str) -> None:
    """I10: neither `_` nor `%` nor case stands for anything else."""
    api.write("john_doe", "note of john_doe")
    api.write(other, "note of the other")
    assert listed(api, subject="john_doe") == ["note of john_doe"]
    assert listed(api, subject=other) == ["note of the other"]
    recalled = api.recall("john_doe", "What is the secret?")["memories"]
    assert [m["content"] for m in recalled] == ["note of john_doe"]


@pytest.mark.parametrize("one", ["acme", "a:b", "a"])
def test_a_prefix_of_an_id_is_another_subject(api: Api, one: str) -> None:
    """I11."""
    api.write(one, "of the shorter")
    api.write(f"{one}-corp", "of the longer")
    assert listed(api, subject=one) == ["of the shorter"]


def test_metadata_moves_nothing_anywhere(api: Api) -> None:
    """I1, I2: labels are labels, whatever their names."""
    labels = {"subject": "victim", "user_id": "victim", "agent": "victim", "tenant_id": "victim"}
    memory = api.write("attacker", "planted", metadata=labels)["memory"]
    assert (memory["subject"], memory["provenance"]["agent"]) == ("attacker", None)
    assert memory["metadata"] == labels
    assert listed(api, subject="victim") == []
    assert listed(api, agent="victim") == []
    assert api.recall("victim", "planted")["memories"] == []


def test_searching_words_needs_a_subject(shelf: Api) -> None:
    """I8: without a scope it fails; it never searches everything, or nothing."""
    response = shelf.get("/api/v1/memories", q="tea")
    assert response.status_code == 400
    assert response.json()["error"]["field"] == "subject"
