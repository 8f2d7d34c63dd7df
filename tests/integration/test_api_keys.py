"""API keys: shown once, kept as a digest, refused when their time is over."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tenants import clock, credentials
from tenants.context import tenant_context
from tenants.errors import (
    CredentialExpired,
    CredentialRevoked,
    Invalid,
    NotFound,
    Unauthenticated,
)
from tenants.ids import random_id
from tenants.models import ApiKey
from tenants.principals import AGENT_SCOPES
from tenants.services.api_keys import create_api_key, revoke_api_key
from tests.cast import HOST, Actor, Api

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def new_key(tenant: Actor, **options: Any) -> tuple[ApiKey, str]:
    with tenant_context(tenant.tenant_id):
        return create_api_key(name="test", **options)


def stored(tenant: Actor, key: ApiKey) -> ApiKey:
    with tenant_context(tenant.tenant_id):
        return ApiKey.objects.get(id=key.id)


def test_only_a_digest_of_the_secret_and_a_prefix_are_kept(tenant: Actor) -> None:
    key, text = new_key(tenant)
    row = stored(tenant, key)
    kept = " ".join(str(value) for value in vars(row).values())
    secret = credentials.base64.b64decode(text[3:] + "==", altchars=b"-_")[32:]
    assert len(secret) == 32
    assert bytes(row.secret_digest) == hashlib.sha256(secret).digest()
    assert text.startswith(row.prefix)
    assert len(row.prefix) < len(text) / 4
    assert text not in kept
    assert secret.hex() not in bytes(row.secret_digest).hex()


def test_a_key_of_a_sign_in_page_is_shown_by_its_prefix_only(tenant: Actor) -> None:
    key, text = new_key(tenant)
    assert str(key) == f"test ({key.prefix}…)"
    assert text not in str(vars(key))


def test_a_key_without_scopes_named_reads_and_writes_only(tenant: Actor) -> None:
    _, text = new_key(tenant)
    assert credentials.authenticate(text).scopes == AGENT_SCOPES


def test_a_key_works_until_the_moment_it_expires(tenant: Actor) -> None:
    with clock.frozen(NOON):
        _, text = new_key(tenant, expires_at=NOON + timedelta(hours=1))
    with clock.frozen(NOON + timedelta(minutes=59, seconds=59)):
        assert credentials.authenticate(text).tenant_id == tenant.tenant_id
    with clock.frozen(NOON + timedelta(hours=1)), pytest.raises(CredentialExpired):
        credentials.authenticate(text)


def test_a_revoked_key_is_refused_at_once_and_revoking_twice_keeps_the_first_time(
    tenant: Actor,
) -> None:
    key, text = new_key(tenant)
    assert credentials.authenticate(text)
    for moment in (NOON, NOON + timedelta(days=1)):
        with clock.frozen(moment), tenant_context(tenant.tenant_id):
            revoke_api_key(key.id)
    with pytest.raises(CredentialRevoked):
        credentials.authenticate(text)
    assert stored(tenant, key).revoked_at == NOON


def test_a_foreign_key_cannot_be_revoked(tenant: Actor, cast: Any) -> None:
    key, text = new_key(tenant)
    with pytest.raises(NotFound), tenant_context(cast.charlie.tenant_id):
        revoke_api_key(key.id)
    assert credentials.authenticate(text)


def test_last_use_is_noted_at_most_once_a_minute(tenant: Actor) -> None:
    key, text = new_key(tenant)
    seen = []
    for seconds in (0, 30, 60, 61):
        with clock.frozen(NOON + timedelta(seconds=seconds)):
            credentials.authenticate(text)
        seen.append(stored(tenant, key).last_used_at)
    assert seen == [NOON, NOON, NOON, NOON + timedelta(seconds=61)]


def other_secret(text: str) -> str:
    return text[:-9] + ("A" if text[-9] != "A" else "B") + text[-8:]


def of_another_tenant(text: str) -> str:
    """The same key id and secret under the id of another tenant."""
    raw = credentials.base64.b64decode(text[3:] + "==", altchars=b"-_")
    forged = raw[:16] + random_id().bytes + raw[32:]
    return "mh_" + credentials.base64.urlsafe_b64encode(forged).rstrip(b"=").decode()


@pytest.mark.parametrize(
    "forge",
    [
        other_secret,
        of_another_tenant,
        lambda text: text[:-8],
        lambda text: text + "AAAA",
        lambda text: text.removeprefix("mh_"),
        lambda text: text.upper(),
        lambda text: text[:11],
        lambda text: "mh_",
        lambda text: "mh_" + "A" * 86,
        lambda text: "mh_\u5bc6\u94a5",
    ],
)
def test_a_key_that_is_not_exactly_it_is_refused(tenant: Actor, forge: Any) -> None:
    _, text = new_key(tenant)
    assert credentials.authenticate(text)
    with pytest.raises(Unauthenticated) as said:
        credentials.authenticate(forge(text))
    assert type(said.value) is Unauthenticated


def test_a_wrong_secret_does_not_tell_that_the_key_is_expired_or_revoked(tenant: Actor) -> None:
    with clock.frozen(NOON):
        _, expired = new_key(tenant, expires_at=NOON + timedelta(hours=1))
    key, revoked = new_key(tenant)
    with tenant_context(tenant.tenant_id):
        revoke_api_key(key.id)
    for text in (expired, revoked):
        with pytest.raises(Unauthenticated) as said:
            credentials.authenticate(other_secret(text))
        assert type(said.value) is Unauthenticated


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"name": "  "}, "name"),
        ({"name": "x" * 121}, "name"),
        ({"name": "x", "scopes": frozenset()}, "scopes"),
        ({"name": "x", "expires_at": NOON}, "expires_at"),
    ],
)
def test_a_key_that_could_not_be_used_is_not_made(tenant: Actor, options: dict, field: str) -> None:
    with pytest.raises(Invalid) as said, tenant_context(tenant.tenant_id):
        create_api_key(**options)
    assert said.value.field == field


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer {}"},
        {"Authorization": "bearer {}"},
        {"Authorization": "Token {}"},
        {"Authorization": "  Bearer   {}  "},
        {"X-API-Key": "{}"},
    ],
)
def test_a_key_may_be_sent_in_each_documented_way(api: Api, headers: dict) -> None:
    sent = {name: value.format(api.credential) for name, value in headers.items()}
    assert api.client.get("/api/v1/memories", headers=sent).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": ""},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "{}"},
        {"Authorization": "Basic {}"},
        {"X-API-Key": ""},
        {"X-API-Key": "wrong"},
        {"Authorization": "Bearer {}", "X-API-Key": "{}"},
        {"Cookie": "api_key={}"},
        {"X-User": "{}"},
    ],
)
def test_without_one_credential_in_its_place_nobody_enters(api: Api, headers: dict) -> None:
    """I5: neither a second header nor a parameter says who is asking."""
    sent = {name: value.format(api.credential) for name, value in headers.items()}
    response = api.client.get("/api/v1/memories", headers=sent)
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "unauthenticated"
    assert response["WWW-Authenticate"] == "Bearer"


def test_expired_and_revoked_keys_say_so_over_http(cast: Any) -> None:
    codes = {}
    for name in ("expired", "revoked"):
        response = Api(getattr(cast, name).api_key).get("/api/v1/memories")
        assert response.status_code == 401
        codes[name] = response.json()["error"]["code"]
    assert codes == {"expired": "credential_expired", "revoked": "credential_revoked"}


def test_a_signed_in_session_is_no_credential_of_the_api(cast: Any) -> None:
    client = Client(SERVER_NAME=HOST)
    assert client.login(username=cast.alice.username, password=cast.alice.password)
    assert client.get("/api/v1/memories").status_code == 401
