"""The ledger over REST: a subject's entries, in pages, for those who may see them."""

from typing import Any

import pytest

from ledger.models import Entry
from tenants.context import tenant_context
from tenants.models import Subject
from tenants.principals import Scope
from tenants.services.api_keys import create_api_key
from tests.cast import Actor, Api, Cast

LEDGER = "/api/v1/ledger"


@pytest.fixture
def written(api: Api) -> list[Any]:
    return [api.write("alice", f"Fact number {number}")["entry"] for number in range(5)]


def test_entries_come_newest_first_and_say_what_was_done_and_no_content(
    api: Api, tenant: Actor, written: list[Any]
) -> None:
    answer = api.get(LEDGER, subject="alice")
    found = answer.json()["results"]
    assert [entry["id"] for entry in found] == [entry["id"] for entry in reversed(written)]
    assert [entry["seq"] for entry in found] == [5, 4, 3, 2, 1]
    assert {entry["verb"] for entry in found} == {"assert"}
    with tenant_context(tenant.tenant_id):
        newest = Entry.objects.get(id=found[0]["id"])
    assert found[0]["hash"] == bytes(newest.hash).hex()
    assert found[0]["memory"] == str(newest.memory_id)
    assert found[0]["actor"].startswith("key:")
    assert b"Fact number" not in answer.content


def test_pages_follow_each_other_without_gap_or_repetition(api: Api, written: list[Any]) -> None:
    seen: list[int] = []
    query: dict[str, Any] = {"subject": "alice", "limit": 2}
    while True:
        page = api.get(LEDGER, **query).json()
        seen += [entry["seq"] for entry in page["results"]]
        if page["next"] is None:
            break
        api.write("alice", f"Written meanwhile, after {len(seen)}")
        query["cursor"] = page["next"]
    assert seen == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ({}, 400, "required"),
        ({"subject": "nobody"}, 404, "not_found"),
        ({"subject": "alice", "limit": 0}, 400, "min_value"),
        ({"subject": "alice", "cursor": "x"}, 400, "invalid_cursor"),
        ({"subject": "alice", "verb": "assert"}, 400, "unknown_field"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    api: Api, written: list[Any], query: dict[str, Any], status: int, code: str
) -> None:
    answer = api.get(LEDGER, **query)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_another_tenants_subject_is_as_missing_as_any(cast: Cast, written: list[Any]) -> None:
    assert Api(cast.charlie.api_key).get(LEDGER, subject="alice").status_code == 404


def test_who_is_pinned_sees_their_own_entries_only(
    api: Api, tenant: Actor, written: list[Any]
) -> None:
    own = api.write("bob", "Said by an agent", agent="a")["entry"]["id"]
    api.write("bob", "Said by nobody in particular")
    with tenant_context(tenant.tenant_id):
        bob = Subject.objects.get(external_id="bob")
        scopes = frozenset({Scope.READ})
        of_bob = Api(create_api_key(name="of bob", scopes=scopes, subject=bob)[1])
        of_agent = Api(create_api_key(name="of an agent", scopes=scopes, agent="a")[1])
        no_reader = Api(create_api_key(name="no reader", scopes=frozenset({Scope.WRITE}))[1])
    assert len(of_bob.get(LEDGER, subject="bob").json()["results"]) == 2
    assert of_bob.get(LEDGER, subject="alice").json()["error"]["code"] == "pinned"
    seen = of_agent.get(LEDGER, subject="bob").json()["results"]
    assert [entry["id"] for entry in seen] == [own]
    assert no_reader.get(LEDGER, subject="bob").json()["error"]["code"] == "scope_missing"


def test_an_erased_subject_keeps_its_entries_under_another_name(
    api: Api, tenant: Actor, written: list[Any]
) -> None:
    with tenant_context(tenant.tenant_id):
        alice = Subject.objects.get(external_id="alice")
    assert api.client.delete("/api/v1/subjects/alice", headers=api._headers()).status_code == 200
    assert api.get(LEDGER, subject="alice").status_code == 404
    found = api.get(LEDGER, subject=f"erased:{alice.id}").json()["results"]
    assert [entry["verb"] for entry in found] == ["erase", *["assert"] * 5]
