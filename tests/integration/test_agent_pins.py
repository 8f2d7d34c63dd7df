"""A key pinned to one agent reads, revises and erases what that agent has said, and no more."""

from typing import Any

import pytest

from tenants.context import tenant_context
from tenants.principals import ALL_SCOPES
from tenants.services.api_keys import create_api_key
from tests.cast import Actor, Api

SUBJECT = "/api/v1/subjects/alice"


@pytest.fixture
def pinned(tenant: Actor) -> Api:
    with tenant_context(tenant.tenant_id):
        return Api(create_api_key(name="test", scopes=ALL_SCOPES, agent="cook")[1])


@pytest.fixture
def theirs(api: Api) -> dict[str, Any]:
    return api.write("alice", "I am in debt", agent="banker", session="monday")["memory"]


def test_a_memory_of_another_agent_cannot_be_erased(api: Api, pinned: Api, theirs: Any) -> None:
    own = pinned.write("alice", "I like leeks", session="monday")["memory"]
    assert pinned.post(f"/api/v1/memories/{own['id']}/erase", {}).status_code == 200
    assert pinned.post(f"/api/v1/memories/{theirs['id']}/erase", {}).status_code == 404
    assert api.get(f"/api/v1/memories/{theirs['id']}").status_code == 200


@pytest.mark.parametrize("verb", ["retract", "erase"])
def test_a_source_is_the_agent_s_own(api: Api, pinned: Api, theirs: Any, verb: str) -> None:
    own = pinned.write("alice", "I like leeks", session="monday")["memory"]
    assert pinned.post(f"{SUBJECT}/{verb}", {"session": "monday"}).status_code == 200
    assert api.get(f"/api/v1/memories/{own['id']}").status_code == 404
    assert api.get(f"/api/v1/memories/{theirs['id']}").status_code == 200
    assert pinned.post(f"{SUBJECT}/{verb}", {"agent": "banker"}).json()["error"]["code"] == "pinned"


def test_what_concerns_all_agents_is_refused(api: Api, pinned: Api, theirs: Any) -> None:
    assert api.get(f"{SUBJECT}/export").status_code == 200
    export = pinned.get(f"{SUBJECT}/export")
    erase = pinned.client.delete(SUBJECT, headers={"Authorization": f"Bearer {pinned.credential}"})
    for refused in (export, erase):
        assert refused.status_code == 403
        assert refused.json()["error"]["code"] == "pinned"
    assert api.get(f"/api/v1/memories/{theirs['id']}").status_code == 200


def test_what_another_agent_has_said_is_not_told_to_be_known(pinned: Api, theirs: Any) -> None:
    """An acknowledged write can be read back by the one who wrote it."""
    own = pinned.write("alice", theirs["content"])
    assert own["disposition"] == "stored"
    assert pinned.write("alice", theirs["content"])["disposition"] == "unchanged"
    assert pinned.get(f"/api/v1/memories/{own['memory']['id']}").status_code == 200
