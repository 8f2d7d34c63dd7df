"""Subject tokens: short-lived, for one subject, and never more than the key that minted them."""

from datetime import datetime, timedelta
from typing import Any

import jwt
import pytest
from jwt.warnings import InsecureKeyLengthWarning

from tenants import clock, credentials, keys
from tenants.context import tenant_context
from tenants.errors import CredentialExpired, CredentialRevoked, Unauthenticated
from tenants.models import AccessEvent, Tenant
from tenants.principals import ALL_SCOPES, Scope
from tenants.services.api_keys import create_api_key, revoke_api_key
from tests.cast import Actor, Api, new_tenant


def minted(api: Api, subject: str = "alice", **more: Any) -> str:
    response = api.post("/api/v1/tokens", {"subject": subject} | more)
    assert response.status_code == 201, response.content
    return str(response.json()["token"])


def signing_key(tenant: Actor) -> bytes:
    with tenant_context(tenant.tenant_id):
        return keys.unwrap(Tenant.objects.get().token_key)


def claims_of(token: str) -> dict:
    return jwt.decode(token, options={"verify_signature": False})


def key_with(tenant: Actor, **options: Any) -> tuple[Any, Api]:
    with tenant_context(tenant.tenant_id):
        key, text = create_api_key(name="test", **options)
    return key, Api(text)


def test_a_token_reads_and_writes_one_subject(api: Api) -> None:
    api.write("bob", "Bob's secret")
    own = Api(minted(api))
    memory = own.write("alice", "Alice's own")["memory"]
    assert memory["provenance"]["actor"].startswith("token:mh_")
    assert [m["id"] for m in own.get("/api/v1/memories").json()["results"]] == [memory["id"]]
    assert own.recall("alice", "own?")["memories"][0]["id"] == memory["id"]
    for response in (
        own.get("/api/v1/memories", subject="bob"),
        own.post("/api/v1/memories", {"subject": "bob", "content": "x"}),
        own.post("/api/v1/recall", {"subject": "bob", "query": "x"}),
    ):
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "pinned"


def test_it_says_when_it_expires_and_that_is_true(api: Api) -> None:
    before = clock.now()
    response = api.post("/api/v1/tokens", {"subject": "alice", "seconds": 600}).json()
    told = datetime.fromisoformat(response["expires_at"])
    kept = datetime.fromtimestamp(claims_of(response["token"])["exp"], tz=told.tzinfo)
    assert before + timedelta(seconds=599) <= kept <= told <= clock.now() + timedelta(seconds=600)


@pytest.mark.parametrize("seconds", [59, 0, -1, 3_601])
def test_a_token_lives_between_a_minute_and_an_hour(api: Api, seconds: int) -> None:
    response = api.post("/api/v1/tokens", {"subject": "alice", "seconds": seconds})
    assert response.status_code == 400
    assert response.json()["error"]["field"] == "seconds"


def test_an_expired_token_is_refused(api: Api) -> None:
    with clock.frozen(clock.now() - timedelta(hours=1)):
        old = minted(api, seconds=60)
    with pytest.raises(CredentialExpired):
        credentials.authenticate(old)


def test_a_token_dies_with_the_key_that_minted_it(tenant: Actor) -> None:
    key, api = key_with(tenant)
    token = minted(api)
    assert credentials.authenticate(token).subject == "alice"
    with tenant_context(tenant.tenant_id):
        revoke_api_key(key.id)
    with pytest.raises(CredentialRevoked):
        credentials.authenticate(token)


def test_a_token_does_not_outlive_its_key(tenant: Actor) -> None:
    soon = clock.now() + timedelta(minutes=5)
    _, api = key_with(tenant, expires_at=soon)
    token = minted(api, seconds=3_600)
    with clock.frozen(soon), pytest.raises(CredentialExpired):
        credentials.authenticate(token)


def test_a_token_mints_no_token(api: Api) -> None:
    response = Api(minted(api)).post("/api/v1/tokens", {"subject": "alice"})
    assert response.status_code == 403
    assert response.json()["error"]["code"] == "forbidden"


@pytest.mark.parametrize(
    ("scopes", "left"),
    [
        ({Scope.READ}, {Scope.READ}),
        ({Scope.WRITE, Scope.ERASE}, {Scope.WRITE}),
        ({Scope.READ, Scope.WRITE}, {Scope.READ, Scope.WRITE}),
        (ALL_SCOPES, {Scope.READ, Scope.WRITE, Scope.REVEAL}),
    ],
)
def test_a_token_has_no_scope_that_its_key_lacks_and_never_more_than_its_person(
    tenant: Actor, scopes: Any, left: set
) -> None:
    """I19: code on somebody's device administers nothing; it may show what is theirs."""
    _, api = key_with(tenant, scopes=frozenset(scopes))
    assert credentials.authenticate(minted(api)).scopes == left


def test_a_token_keeps_the_agent_of_its_key(tenant: Actor) -> None:
    _, api = key_with(tenant, agent="shop")
    assert credentials.authenticate(minted(api)).agent == "shop"


def signed_with(claims: dict, key: bytes, algorithm: str) -> str:
    """With an algorithm for which the key is too short, as an attacker would not mind."""
    with pytest.warns(InsecureKeyLengthWarning):
        return jwt.encode(claims, key, algorithm=algorithm)


def forgeries(api: Api, tenant: Actor, stranger: Actor) -> dict[str, str]:
    """Tokens that claim what a good one claims, each wrong in one way."""
    token = minted(api)
    claims = claims_of(token)
    mine, theirs = signing_key(tenant), signing_key(stranger)
    head, body, signature = token.split(".")
    return {
        "signed by another tenant": jwt.encode(claims, theirs, algorithm="HS256"),
        "unsigned": jwt.encode(claims, None, algorithm="none"),
        "signature cut off": f"{head}.{body}.",
        "signature of something else": f"{head}.{body}.{signature[::-1]}",
        "another algorithm": signed_with(claims, mine, "HS384"),
        "another tenant named": jwt.encode(
            claims | {"tenant": str(stranger.tenant_id)}, mine, algorithm="HS256"
        ),
        "no such tenant": jwt.encode(
            claims | {"tenant": "00000000-0000-4000-8000-000000000000"}, mine, algorithm="HS256"
        ),
        "another issuer": jwt.encode(claims | {"iss": "somebody"}, mine, algorithm="HS256"),
        "no end": jwt.encode(
            {k: v for k, v in claims.items() if k != "exp"}, mine, algorithm="HS256"
        ),
        "no subject": jwt.encode(
            {k: v for k, v in claims.items() if k != "sub"}, mine, algorithm="HS256"
        ),
        "no tenant": jwt.encode(
            {k: v for k, v in claims.items() if k != "tenant"}, mine, algorithm="HS256"
        ),
        "not yet": jwt.encode(claims | {"nbf": claims["exp"]}, mine, algorithm="HS256"),
        "not a token": "a.b.c",
    }


def test_no_forged_token_is_taken(api: Api, tenant: Actor) -> None:
    stranger = new_tenant(f"stranger of {tenant.tenant_id}")
    for name, token in forgeries(api, tenant, stranger).items():
        with pytest.raises(Unauthenticated) as said:
            credentials.authenticate(token)
        assert type(said.value) is Unauthenticated, name


def test_a_well_signed_token_of_an_unknown_key_is_refused(api: Api, tenant: Actor) -> None:
    claims = claims_of(minted(api)) | {"key": "00000000-0000-4000-8000-000000000000"}
    with pytest.raises(CredentialRevoked):
        credentials.authenticate(jwt.encode(claims, signing_key(tenant), algorithm="HS256"))


def test_minting_is_audited(api: Api, tenant: Actor) -> None:
    minted(api, subject="alice")
    with tenant_context(tenant.tenant_id):
        event = AccessEvent.objects.get(action="mint_token")
        assert (event.object_id, event.outcome) == ("alice", "allowed")
