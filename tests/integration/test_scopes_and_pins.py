"""What a key may do: its scopes, its one subject, its one agent, and nothing beyond."""

from typing import Any

import pytest

from tenants.context import tenant_context
from tenants.models import AccessEvent
from tenants.principals import AGENT_SCOPES, Scope
from tenants.services.api_keys import create_api_key
from tenants.services.ensure_subject import ensure_subject
from tests.cast import Actor, Api

NOBODY = "00000000-0000-4000-8000-000000000000"


def api_with(tenant: Actor, *, subject: str = "", **options: Any) -> Api:
    with tenant_context(tenant.tenant_id):
        pin = ensure_subject(subject) if subject else None
        return Api(create_api_key(name="test", subject=pin, **options)[1])


def refusal(response: Any) -> tuple[int, str, str | None]:
    error = response.json()["error"]
    return response.status_code, error["code"], error.get("field")


@pytest.mark.parametrize(
    ("scopes", "may_write", "may_read"),
    [
        ({Scope.READ}, False, True),
        ({Scope.WRITE}, True, False),
        (AGENT_SCOPES, True, True),
        ({Scope.ADMIN, Scope.ERASE}, False, False),
    ],
)
def test_each_route_asks_for_its_scope(
    tenant: Actor, api: Api, scopes: Any, may_write: bool, may_read: bool
) -> None:
    memory = api.write("alice", "I like tea")["memory"]
    trace = api.recall("alice", "tea?")["trace"]
    key = api_with(tenant, scopes=frozenset(scopes))
    answers = {
        "write": key.post("/api/v1/memories", {"subject": "alice", "content": "I like tea"}),
        "list": key.get("/api/v1/memories", subject="alice"),
        "read": key.get(f"/api/v1/memories/{memory['id']}"),
        "recall": key.post("/api/v1/recall", {"subject": "alice", "query": "tea?"}),
        "trace": key.get(f"/api/v1/recall/{trace}"),
    }
    for name, response in answers.items():
        if may_write if name == "write" else may_read:
            assert response.status_code == 200, name
        else:
            assert refusal(response)[:2] == (403, "scope_missing"), name


def test_a_missing_scope_does_not_tell_whether_a_memory_exists(tenant: Actor, api: Api) -> None:
    memory = api.write("alice", "I like tea")["memory"]
    key = api_with(tenant, scopes=frozenset({Scope.WRITE}))
    assert refusal(key.get(f"/api/v1/memories/{memory['id']}")) == refusal(
        key.get(f"/api/v1/memories/{NOBODY}")
    )


def test_a_key_pinned_to_a_subject_reaches_that_one_only(tenant: Actor, api: Api) -> None:
    """I5: another subject's name in the body is refused, whatever the body says."""
    theirs = api.write("bob", "Bob's secret")["memory"]
    trace = api.recall("bob", "secret?")["trace"]
    own = api_with(tenant, subject="alice")
    mine = own.write("alice", "Alice's own")["memory"]

    assert [m["id"] for m in own.get("/api/v1/memories").json()["results"]] == [mine["id"]]
    assert own.get(f"/api/v1/memories/{mine['id']}").status_code == 200
    assert own.recall("alice", "own?")["memories"][0]["id"] == mine["id"]

    pinned = (403, "pinned", "subject")
    for response in (
        own.get("/api/v1/memories", subject="bob"),
        own.get("/api/v1/memories", subject="bob", q="secret"),
        own.post("/api/v1/memories", {"subject": "bob", "content": "x"}),
        own.post("/api/v1/recall", {"subject": "bob", "query": "secret?"}),
        own.post("/api/v1/tokens", {"subject": "bob"}),
    ):
        assert refusal(response) == pinned
    for path in (f"/api/v1/memories/{theirs['id']}", f"/api/v1/recall/{trace}"):
        assert refusal(own.get(path)) == (404, "not_found", None)


def test_a_key_pinned_to_an_agent_writes_as_it_and_sees_only_its_own(
    tenant: Actor, api: Api
) -> None:
    others = api.write("alice", "said to the bank", agent="bank")["memory"]
    nobodys = api.write("alice", "said to nobody in particular")["memory"]
    trace = api.recall("alice", "said?")["trace"]
    shop = api_with(tenant, agent="shop")
    mine = shop.write("alice", "said to the shop")["memory"]
    named = shop.write("alice", "said again", agent="shop")["memory"]

    assert mine["provenance"]["agent"] == named["provenance"]["agent"] == "shop"
    assert refusal(
        shop.post("/api/v1/memories", {"subject": "alice", "content": "x", "agent": "bank"})
    ) == (403, "pinned", "agent")
    listed = shop.get("/api/v1/memories", subject="alice").json()["results"]
    assert {m["id"] for m in listed} == {mine["id"], named["id"]}
    assert shop.get("/api/v1/memories", agent="bank").json()["results"] == []
    answer = shop.recall("alice", "What was said to whom?")
    assert {m["id"] for m in answer["memories"]} == {mine["id"], named["id"]}
    for path in (
        f"/api/v1/memories/{others['id']}",
        f"/api/v1/memories/{nobodys['id']}",
        f"/api/v1/recall/{trace}",
    ):
        assert refusal(shop.get(path)) == (404, "not_found", None)
    assert shop.get(f"/api/v1/recall/{answer['trace']}").status_code == 200


def test_a_refused_look_at_one_object_is_audited(tenant: Actor, api: Api) -> None:
    """I4: by its id, with the outcome and the request's id, and without content."""
    theirs = api.write("bob", "Bob's secret")["memory"]
    own = api_with(tenant, subject="alice")
    response = own.get(f"/api/v1/memories/{theirs['id']}")
    with tenant_context(tenant.tenant_id):
        event = AccessEvent.objects.get(object_id=theirs["id"])
        assert (event.action, event.outcome) == ("GET memory", "not_found")
        assert event.request_id == response.json()["error"]["request_id"]
        assert event.actor.startswith("key:mh_")
        assert not AccessEvent.objects.filter(outcome="allowed", object_id="bob").exists()
