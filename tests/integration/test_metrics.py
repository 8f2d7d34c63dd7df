"""/metrics: open to a scraper on this host or with the token, and silent about people."""

import uuid

import pytest
import requests
from django.test import Client, override_settings

from tests.cast import HOST, Actor
from tests.stack import Stack

TOKEN = "a-token-for-the-scraper"


@pytest.mark.parametrize(
    ("caller", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("203.0.113.9", {}, 403),
        ("203.0.113.9", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("127.0.0.1", {"X-Forwarded-For": "203.0.113.9"}, 403),
        ("127.0.0.1", {"Forwarded": "for=203.0.113.9"}, 403),
        ("203.0.113.9", {"Authorization": f"Bearer {TOKEN}"}, 200),
        ("127.0.0.1", {"X-Forwarded-For": "x", "Authorization": f"Bearer {TOKEN}"}, 200),
        ("203.0.113.9", {"Authorization": "Bearer wrong"}, 403),
        ("203.0.113.9", {"Authorization": "Bearer "}, 403),
        ("203.0.113.9", {"Authorization": "Bearer \xe9"}, 403),
    ],
)
@override_settings(METRICS_TOKEN=TOKEN)
def test_who_may_scrape(caller: str, headers: dict, status: int) -> None:
    response = Client(SERVER_NAME=HOST, REMOTE_ADDR=caller).get("/metrics", headers=headers)
    assert response.status_code == status
    assert (b"memoryhub_requests_total" in response.content) is (status == 200)


@override_settings(METRICS_TOKEN="")
def test_without_a_token_set_an_empty_one_opens_nothing() -> None:
    client = Client(SERVER_NAME=HOST, REMOTE_ADDR="203.0.113.9")
    for offered in ("Bearer ", "Bearer", ""):
        assert client.get("/metrics", headers={"Authorization": offered}).status_code == 403


def test_requests_are_counted_by_route_and_never_by_name(stack: Stack, tenant: Actor) -> None:
    canary = f"canary{uuid.uuid4().hex}"
    headers = {"Authorization": f"Bearer {tenant.api_key}"}
    written = requests.post(
        f"{stack.url}/api/v1/memories",
        json={"subject": canary, "content": f"I keep bees near {canary}"},
        headers=headers,
        timeout=30,
    )
    memory_id = written.json()["memory"]["id"]
    for path in (
        f"/api/v1/memories?subject={canary}",
        f"/api/v1/memories/{memory_id}",
        f"/{canary}",
    ):
        requests.get(stack.url + path, headers=headers, timeout=30)
    requests.request("FETCH", f"{stack.url}/healthz", timeout=30)
    text = requests.get(f"{stack.url}/metrics", timeout=30).text
    assert 'memoryhub_requests_total{method="GET",route="/api/v1/memories/?$"' in text
    assert 'method="other"' in text
    assert canary not in text.lower()
    assert memory_id not in text
    assert str(tenant.tenant_id) not in text
