"""Limits: who asks too often waits, who guesses credentials waits, and nobody else does."""

import uuid
from typing import Any

import pytest
from django.test import Client, override_settings
from redis import RedisError

from tenants import throttling
from tenants.context import tenant_context
from tenants.services.api_keys import create_api_key
from tenants.throttling import MOST_WINDOWS, OwnCounts
from tests.cast import HOST, Actor, Api, new_tenant


@pytest.fixture
def address() -> str:
    """An address of the test's own."""
    return f"fd00::{uuid.uuid4().hex[:4]}:{uuid.uuid4().hex[:4]}"


def require_throttled(response: Any) -> None:
    assert response.status_code == 429
    error = response.json()["error"]
    assert error["code"] == "rate_limited"
    assert error["message"]
    assert error["request_id"] == response["X-Request-ID"]
    assert 1 <= int(response["Retry-After"]) <= 61


@override_settings(RATE_LIMIT="3/minute")
def test_a_credential_that_asks_too_often_is_told_when_to_come_back(
    api: Api, tenant: Actor
) -> None:
    for _ in range(3):
        assert api.get("/api/v1/memories").status_code == 200
    require_throttled(api.get("/api/v1/memories"))
    require_throttled(api.post("/api/v1/recall", {"subject": "alice", "query": "x"}))

    with tenant_context(tenant.tenant_id):
        colleague = Api(create_api_key(name="other")[1])
    stranger = Api(new_tenant(f"stranger of {tenant.tenant_id}").api_key)
    assert colleague.get("/api/v1/memories").status_code == 200
    assert stranger.get("/api/v1/memories").status_code == 200


@override_settings(RATE_LIMIT="3/minute")
def test_open_routes_are_limited_by_address(address: str) -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR=address)
    for _ in range(3):
        assert client.get("/api/docs").status_code == 200
    assert client.get("/api/docs").status_code == 429
    assert Client(SERVER_NAME=HOST, REMOTE_ADDR=f"{address}1").get("/api/docs").status_code == 200


@pytest.fixture
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(alias: str) -> Any:
        raise RedisError("nobody listens")

    monkeypatch.setattr(throttling, "get_redis_connection", away)


@pytest.mark.usefixtures("no_cache")
@override_settings(RATE_LIMIT="3/minute")
def test_while_the_cache_is_away_a_process_counts_for_itself(api: Api) -> None:
    for _ in range(3):
        assert api.get("/api/v1/memories").status_code == 200
    require_throttled(api.get("/api/v1/memories"))


def test_what_a_process_counts_has_an_end() -> None:
    own = OwnCounts()
    for number in range(MOST_WINDOWS):
        own.add(str(number))
    assert own.add("1") == 2
    assert own.add("one more") == 1
    assert (own.get("0"), own.get("1"), own.get("2")) == (0, 2, 1)


def guess(client: Client, credential: str, **headers: str) -> Any:
    return client.get(
        "/api/v1/memories", headers={"Authorization": f"Bearer {credential}"} | headers
    )


@override_settings(FAILED_SIGN_IN_LIMIT="3/minute")
def test_an_address_that_guesses_credentials_is_shut_out_even_with_the_right_one(
    api: Api, address: str
) -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR=address)
    for number in range(3):
        assert guess(client, f"wrong {number}").status_code == 401
    require_throttled(guess(client, "wrong again"))
    require_throttled(guess(client, api.credential))
    assert (
        guess(Client(SERVER_NAME=HOST, REMOTE_ADDR=f"{address}1"), api.credential).status_code
        == 200
    )


@pytest.mark.usefixtures("no_cache")
@override_settings(FAILED_SIGN_IN_LIMIT="3/minute")
def test_while_the_cache_is_away_nobody_guesses_credentials_for_ever(
    api: Api, address: str
) -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR=address)
    statuses = [guess(client, f"wrong {number}").status_code for number in range(4)]
    assert statuses == [401, 401, 401, 429]
    require_throttled(guess(client, api.credential))


@override_settings(FAILED_SIGN_IN_LIMIT="3/minute")
def test_a_made_up_forwarding_header_is_no_new_address(address: str) -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR=address)
    statuses = [
        guess(client, "wrong", **{"X-Forwarded-For": f"203.0.113.{n}"}).status_code
        for n in range(5)
    ]
    assert statuses == [401, 401, 401, 429, 429]


@override_settings(FAILED_SIGN_IN_LIMIT="3/minute")
def test_good_credentials_and_missing_ones_are_no_guesses(api: Api, address: str) -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR=address)
    for _ in range(4):
        assert guess(client, api.credential).status_code == 200
        assert client.get("/api/v1/memories").status_code == 401
    assert guess(client, api.credential).status_code == 200
