"""Reading as of a point on both time axes: what was true then, and what was believed then."""

from datetime import datetime
from typing import Any

import pytest

from ledger.models import MemoryVersion
from tenants.context import tenant_context
from tests.cast import Actor, Api

MARCH, MAY, JULY = ("2024-03-01T00:00:00Z", "2024-05-01T00:00:00Z", "2024-07-01T00:00:00Z")
APRIL, JUNE, NEVER = ("2024-04-01T00:00:00Z", "2024-06-01T00:00:00Z", "2044-01-01T00:00:00Z")


def contents(api: Api, **query: Any) -> set[str]:
    response = api.get("/api/v1/memories", subject="alice", **query)
    assert response.status_code == 200, response.content
    return {m["content"] for m in response.json()["results"]}


@pytest.fixture
def moved(api: Api) -> Api:
    """Alice lived in Peking from March to May, lives in Hangzhou since, and will move in 2044."""
    api.write("alice", "lives in Peking", valid_from=MARCH, valid_to=MAY)
    api.write("alice", "lives in Hangzhou", valid_from=MAY)
    api.write("alice", "lives on the Moon", valid_from=NEVER)
    api.write("alice", "has a day ticket", valid_from=MARCH, expires_at=JUNE)
    return api


@pytest.mark.parametrize(
    ("valid_at", "true_then"),
    [
        ("2024-02-29T23:59:59.999999Z", set()),
        (MARCH, {"lives in Peking", "has a day ticket"}),
        ("2024-04-30T23:59:59.999999Z", {"lives in Peking", "has a day ticket"}),
        (MAY, {"lives in Hangzhou", "has a day ticket"}),
        (JUNE, {"lives in Hangzhou"}),
        ("2024-05-01T07:59:59+08:00", {"lives in Peking", "has a day ticket"}),
        ("2024-05-01T08:00:00+08:00", {"lives in Hangzhou", "has a day ticket"}),
        (NEVER, {"lives in Hangzhou", "lives on the Moon"}),
        ("0001-01-01T00:00:00Z", set()),
        ("9999-12-31T23:59:59Z", {"lives in Hangzhou", "lives on the Moon"}),
        (None, {"lives in Hangzhou"}),
    ],
)
def test_periods_are_half_open_on_the_valid_axis(
    moved: Api, valid_at: str | None, true_then: set[str]
) -> None:
    """C1, T1: the new one is current, and the old one is what was true before."""
    query = {"valid_at": valid_at} if valid_at else {}
    assert contents(moved, **query) == true_then


@pytest.mark.parametrize(
    ("status", "listed"),
    [
        ("active", {"lives in Hangzhou"}),
        ("ended", {"lives in Peking"}),
        ("expired", {"has a day ticket"}),
        ("upcoming", {"lives on the Moon"}),
        (
            "any",
            {"lives in Peking", "lives in Hangzhou", "lives on the Moon", "has a day ticket"},
        ),
    ],
)
def test_a_list_can_ask_for_each_status(moved: Api, status: str, listed: set[str]) -> None:
    assert contents(moved, status=status) == listed
    results = moved.get("/api/v1/memories", subject="alice", status=status).json()["results"]
    if status != "any":
        assert {m["status"] for m in results} == {status}


def test_the_status_is_told_as_of_the_point_that_was_asked_for(moved: Api) -> None:
    (peking,) = moved.get("/api/v1/memories", subject="alice", status="ended").json()["results"]
    path = f"/api/v1/memories/{peking['id']}"
    assert moved.get(path).json()["status"] == "ended"
    assert moved.get(path, valid_at=APRIL).json()["status"] == "active"
    assert moved.get(path, valid_at="2024-01-01T00:00:00Z").json()["status"] == "upcoming"


def close(tenant: Actor, written: dict, by: dict) -> None:
    """End what was believed, as a later entry that says otherwise does."""
    entry = by["entry"]
    with tenant_context(tenant.tenant_id):
        changed = MemoryVersion.objects.filter(memory_id=written["memory"]["id"]).update(
            recorded_to=datetime.fromisoformat(entry["recorded_at"]), seq_to=entry["seq"]
        )
    assert changed == 1


def test_the_recorded_axis_shows_what_was_believed_then(api: Api, tenant: Actor) -> None:
    wrong = api.write("alice", "lives in Hangchow", valid_from=MARCH, verbatim=True)
    right = api.write("alice", "lives in Hangzhou", valid_from=MARCH, verbatim=True)
    close(tenant, wrong, by=right)
    before, after = wrong["entry"]["recorded_at"], right["entry"]["recorded_at"]

    assert contents(api) == {"lives in Hangzhou"}
    assert contents(api, known_at="seq:0") == set()
    assert (
        contents(api, known_at="seq:1") == contents(api, known_at=before) == {"lives in Hangchow"}
    )
    assert contents(api, known_at="seq:2") == contents(api, known_at=after) == {"lives in Hangzhou"}
    assert contents(api, known_at="seq:999") == {"lives in Hangzhou"}
    assert contents(api, known_at=JULY) == set()
    assert contents(api, known_at="seq:1", valid_at="2024-01-01T00:00:00Z") == set()

    path = f"/api/v1/memories/{wrong['memory']['id']}"
    assert api.get(path).status_code == 404
    assert api.get(path, known_at="seq:1").json()["content"] == "lives in Hangchow"
    assert api.get(path, known_at=before).json()["content"] == "lives in Hangchow"
    assert api.get(path, known_at="seq:2").status_code == 404
    assert api.get(path, known_at=after).status_code == 404


def test_recall_is_as_of_the_same_points(api: Api, tenant: Actor) -> None:
    wrong = api.write("alice", "lives in Hangchow", valid_from=MARCH, verbatim=True)
    right = api.write("alice", "lives in Hangzhou", valid_from=MARCH, verbatim=True)
    close(tenant, wrong, by=right)

    def recalled(**more: Any) -> list[str]:
        answer = api.recall("alice", "Where does Alice live?", **more)
        return [m["content"] for m in answer["memories"]]

    assert recalled() == ["lives in Hangzhou"]
    assert recalled(known_at="seq:1") == ["lives in Hangchow"]
    assert recalled(known_at=wrong["entry"]["recorded_at"]) == ["lives in Hangchow"]
    assert recalled(known_at="seq:0") == []
    assert recalled(valid_at="2024-01-01T00:00:00Z") == []
    answer = api.recall("alice", "Where?", valid_at="2024-01-01T00:00:00Z")
    assert answer["withheld"] == {"not_yet_valid": 1}


def test_both_axes_echo_in_every_answer(moved: Api) -> None:
    memory = moved.get("/api/v1/memories", subject="alice").json()["results"][0]
    at = {"valid_at": APRIL, "known_at": JULY}
    listed = moved.get("/api/v1/memories", subject="alice", **at).json()["answered_at"]
    assert listed == at | {"seq": None}
    recalled = moved.recall("alice", "Where?", **at)["answered_at"]
    assert (recalled["valid_at"], recalled["known_at"]) == (APRIL, JULY)
    one = moved.get(f"/api/v1/memories/{memory['id']}", valid_at=APRIL, known_at="seq:2")
    assert (one.json()["answered_at"]["valid_at"], one.json()["answered_at"]["seq"]) == (APRIL, 2)
    now = moved.get("/api/v1/memories", subject="alice").json()["answered_at"]
    assert now["valid_at"] == now["known_at"] > "2024"


def test_the_number_of_an_entry_means_nothing_without_its_subject(moved: Api) -> None:
    response = moved.get("/api/v1/memories", known_at="seq:1")
    assert response.status_code == 400
    assert response.json()["error"]["field"] == "subject"
