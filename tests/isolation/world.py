"""Two tenants with the same ids and different secrets, for the isolation suite."""

import uuid
from dataclasses import dataclass, field
from typing import Any

from django.contrib import admin
from django.test import Client

from ledger.models import Session
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import HOST, Actor, Api, Cast
from tests.isolation.routes import QUERY, SUBJECT, Route, Visitor
from tests.sayings import saying


@dataclass
class Things:
    """What one tenant owns: a secret, ids by kind, and the ids of all that the console shows."""

    secret: str
    ids: dict[str, str]
    console: dict[str, list[str]] = field(default_factory=dict)

    def console_ids(self) -> set[str]:
        return {i for listed in self.console.values() for i in listed if len(i) > 8}


@dataclass
class World:
    """The cast, and what they own."""

    cast: Cast
    hers: Things
    his: Things
    nobodys: dict[str, str]
    clients: dict[str, Client] = field(default_factory=dict)

    def of(self, name: str) -> Things:
        return self.his if name == "charlie" else self.hers

    def fresh(self, name: str) -> dict[str, str]:
        """Ids of things that a call may use up."""
        return _ids(Api(self.credential(name)), uuid.uuid4().hex, "I have a thing to use up")

    def not_of(self, name: str) -> Things:
        return self.hers if name == "charlie" else self.his

    def credential(self, name: str) -> str:
        return "" if name == "anonymous" else getattr(self.cast, name).api_key

    def visitor(self, name: str, route: Route) -> Visitor:
        """The actor as the route's kind of caller: a key for the API, a session for a page."""
        if route.is_api:
            return Visitor(self.credential(name))
        return Visitor(client=self.signed_in(name))

    def signed_in(self, name: str) -> Client:
        """A browser session of the actor, which pages and console share."""
        if name not in self.clients:
            client = Client(SERVER_NAME=HOST)
            if name != "anonymous":
                actor: Actor = getattr(self.cast, name)
                assert client.login(username=actor.username, password=actor.password)
            self.clients[name] = client
        return self.clients[name]


def build_world(cast: Cast) -> World:
    """Give Alice's and Charlie's tenants a secret each, under the same subject id."""
    hers, his = _things(cast.alice), _things(cast.charlie)
    nobodys = {name: str(uuid.uuid4()) for name in hers.ids}
    return World(cast, hers, his, nobodys)


def _things(owner: Actor) -> Things:
    api = Api(owner.api_key)
    secret = f"I hide my ladder under stone {saying()}"
    ids = _ids(api, uuid.uuid4().hex, secret) | _ids(api, SUBJECT, secret)
    trace = api.recall(SUBJECT, QUERY)["trace"]
    ids |= _said(api, secret)
    assert api.post("/api/v1/policies", {}).status_code == 201
    with tenant_context(owner.tenant_id):
        subject = Subject.objects.get(external_id=SUBJECT)
        conversation = Session.objects.get(external_id=ids["session"])
        console = {
            model._meta.label: [
                str(pk) for pk in model._default_manager.values_list("pk", flat=True)
            ]
            for model in _registered()
        }
    ids |= {
        "trace": trace,
        "subject": str(subject.id),
        "conversation": str(conversation.id),
        "tenant": str(owner.tenant_id),
    }
    return Things(secret, ids, console)


def _said(api: Api, secret: str) -> dict[str, str]:
    """Say it in a conversation of its own; gives the session's name and its job."""
    session = uuid.uuid4().hex
    turns = [{"role": "user", "content": secret}]
    said = api.post(
        f"/api/v1/sessions/{session}/turns", {"subject": SUBJECT, "turns": turns, "wait": True}
    )
    assert said.status_code == 200, said.content
    return {"session": session, "job": said.json()["job"]["id"]}


def _ids(api: Api, subject: str, content: str) -> dict[str, str]:
    """Write one memory; gives the ids that routes take. `name` is a subject that no one shares."""
    written = api.write(subject, content)
    ids = {
        "memory": written["memory"]["id"],
        "version": written["memory"]["version"],
        "entry": written["entry"]["id"],
        "task": _noted(api, content),
    }
    return ids if subject == SUBJECT else ids | {"name": subject}


def _noted(api: Api, content: str) -> str:
    """Note it down in a task of its own, about SUBJECT; gives the task's name."""
    task = uuid.uuid4().hex
    noted = api.client.put(
        f"/api/v1/working/{task}/note",
        {"subject": SUBJECT, "value": content},
        content_type="application/json",
        headers={"Authorization": f"Bearer {api.credential}"},
    )
    assert noted.status_code == 201, noted.content
    return task


def _registered() -> list[Any]:
    return list(admin.site._registry)
