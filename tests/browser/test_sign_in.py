"""The door for people: one message for every failure, a wait after many, no way out."""

import uuid
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client, override_settings

from tenants.services.members import create_user
from tenants.throttling import FailureThrottle
from tests.cast import HOST, Actor, Cast

ADDRESS = "198.51.100.7"


@pytest.fixture
def client() -> Iterator[Client]:
    """A browser at an address of its own, whose failures are forgotten afterwards."""
    key = FailureThrottle.cache_format % {"scope": FailureThrottle.scope, "ident": ADDRESS}
    cache.delete(key)
    yield Client(SERVER_NAME=HOST, REMOTE_ADDR=ADDRESS)
    cache.delete(key)


def offer(client: Client, actor: Actor, password: str, **more: str) -> "tuple[int, str, str]":
    """Offer a password; gives the status, the address it leads to, and the page."""
    body = {"username": actor.username, "password": password} | more
    response = client.post("/sign-in", body)
    return response.status_code, response.headers.get("Location", ""), response.content.decode()


def test_whoever_fails_too_often_has_to_wait(client: Client, cast: Cast) -> None:
    with override_settings(FAILED_SIGN_IN_LIMIT="3/minute"):
        for _ in range(3):
            assert offer(client, cast.bob, "wrong")[0] == 200
        response = client.post(
            "/sign-in", {"username": cast.bob.username, "password": cast.bob.password}
        )
    assert response.status_code == 429
    assert 0 < int(response.headers["Retry-After"]) <= 61
    assert "Too many attempts" in response.content.decode()
    assert "_auth_user_id" not in client.session
    assert offer(client, cast.bob, cast.bob.password)[0] == 302


def test_a_wrong_name_and_a_wrong_password_read_the_same(client: Client, cast: Cast) -> None:
    nobody = Actor(cast.bob.tenant_id, "", "nobody-of-this-name", "")
    pages = [offer(client, actor, "wrong")[2] for actor in (cast.bob, nobody)]
    told = [page.split('role="alert"')[1].split("</div>")[0] for page in pages]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("wanted", "reached"),
    [
        ("/password", "/password"),
        ("https://example.org/", "/"),
        ("//example.org/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_signing_in_leads_to_our_own_pages_only(
    client: Client, cast: Cast, wanted: str, reached: str
) -> None:
    assert offer(client, cast.bob, cast.bob.password, next=wanted)[:2] == (302, reached)


@pytest.mark.parametrize("path", ["/sign-out", "/language", "/tenant"])
def test_a_link_changes_nothing(client: Client, cast: Cast, path: str) -> None:
    offer(client, cast.bob, cast.bob.password)
    assert client.get(path).status_code == 405
    assert "_auth_user_id" in client.session


@pytest.mark.parametrize("path", ["/sign-in", "/sign-out", "/language", "/tenant", "/password"])
def test_a_form_from_elsewhere_is_refused(cast: Cast, path: str) -> None:
    client = Client(SERVER_NAME=HOST, enforce_csrf_checks=True)
    response = client.post(path, {"language": "zh-hans"})
    assert response.status_code == 403
    assert "This form has expired" in response.content.decode()


def test_a_person_changes_their_password_and_stays(client: Client, cast: Cast) -> None:
    offer(client, cast.bob, cast.bob.password)
    new = "a long and new one 42"
    body = {"old_password": cast.bob.password, "new_password1": new, "new_password2": new}
    try:
        assert client.post("/password", body).status_code == 302
        assert "Your password is changed." in client.get("/").content.decode()
        assert offer(Client(SERVER_NAME=HOST), cast.bob, cast.bob.password)[0] == 200
    finally:
        back = {"new_password1": cast.bob.password, "new_password2": cast.bob.password}
        client.post("/password", body | back | {"old_password": new})
    assert offer(Client(SERVER_NAME=HOST), cast.bob, cast.bob.password)[0] == 302


def test_whoever_belongs_to_no_tenant_is_told_so(client: Client) -> None:
    client.force_login(create_user(f"lonely-{uuid.uuid4().hex[:8]}", uuid.uuid4().hex))
    response = client.get("/")
    assert response.status_code == 403
    assert "You belong to no tenant" in response.content.decode()
