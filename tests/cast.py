"""Who plays in the tests: Alice owns, Bob is on her team, Charlie must see nothing."""

import json
import secrets
import uuid
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.test import Client

from tenants import clock
from tenants.context import tenant_context
from tenants.credentials import authenticate
from tenants.models import Role, Subject
from tenants.principals import ALL_SCOPES, Principal
from tenants.services.api_keys import create_api_key, revoke_api_key
from tenants.services.create_tenant import create_tenant
from tenants.services.ensure_subject import ensure_subject
from tenants.services.members import add_member, create_user

HOST = "localhost"


@dataclass(frozen=True)
class Actor:
    """Someone with an API key, and perhaps a sign-in, in one tenant."""

    tenant_id: UUID
    api_key: str
    username: str = ""
    password: str = ""

    @property
    def principal(self) -> Principal:
        return authenticate(self.api_key)


@dataclass(frozen=True)
class Cast:
    """The actors; `pinned` is of Alice's tenant, for another subject; two keys must not work."""

    alice: Actor
    bob: Actor
    charlie: Actor
    pinned: Actor
    expired: Actor
    revoked: Actor


@dataclass
class Api:
    """Django's test client with a credential: the REST API without a network."""

    credential: str = ""
    client: Client = field(default_factory=lambda: Client(SERVER_NAME=HOST))

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.credential}"} if self.credential else {}

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(path, query, headers=self._headers())

    def post(self, path: str, body: Any = None) -> Any:
        data = body if isinstance(body, bytes | str) else json.dumps(body)
        return self.client.post(
            path, data, content_type="application/json", headers=self._headers()
        )

    def write(self, subject: str, content: str, **more: Any) -> Any:
        """Write one memory; gives the parsed answer, which must be a success."""
        response = self.post("/api/v1/memories", {"subject": subject, "content": content} | more)
        assert response.status_code in (200, 201), response.content
        return response.json()

    def recall(self, subject: str, query: str, **more: Any) -> Any:
        """Ask; gives the parsed answer, which must be a success."""
        response = self.post("/api/v1/recall", {"subject": subject, "query": query} | more)
        assert response.status_code == 200, response.content
        return response.json()


def new_tenant(name: str) -> Actor:
    """A fresh tenant with a key of all scopes."""
    tenant = create_tenant(name)
    return Actor(tenant.id, _key(tenant.id))


def make_cast() -> Cast:
    """Two fresh tenants with everybody in them."""
    mark = uuid.uuid4().hex[:12]
    hers = create_tenant(f"Alice's {mark}")
    his = create_tenant(f"Charlie's {mark}")
    yesterday = clock.now() - timedelta(days=1)
    with clock.frozen(yesterday - timedelta(days=1)):
        expired = _key(hers.id, expires_at=yesterday)
    revoked = _key(hers.id)
    with tenant_context(hers.id):
        revoke_api_key(_key_id(revoked))
        other = ensure_subject("somebody-else")
    pinned = _person(hers.id, f"pinned-{mark}", Role.MEMBER, subject=other)
    cast = Cast(
        alice=_person(hers.id, f"alice-{mark}", Role.OWNER),
        bob=_person(hers.id, f"bob-{mark}", Role.MEMBER),
        charlie=_person(his.id, f"charlie-{mark}", Role.OWNER),
        pinned=pinned,
        expired=Actor(hers.id, expired),
        revoked=Actor(hers.id, revoked),
    )
    return cast


def _person(tenant_id: UUID, username: str, role: str, subject: Subject | None = None) -> Actor:
    """Somebody with a sign-in and a key, both perhaps pinned to a subject."""
    password = secrets.token_urlsafe(12)
    user: User = create_user(username, password)
    with tenant_context(tenant_id):
        add_member(user, role, subject)
    return Actor(tenant_id, _key(tenant_id, subject=subject), username, password)


def _key(tenant_id: UUID, **options: Any) -> str:
    with tenant_context(tenant_id):
        return create_api_key(name="test", scopes=ALL_SCOPES, **options)[1]


def _key_id(text: str) -> UUID:
    key_id = authenticate(text).key_id
    assert key_id is not None
    return key_id
