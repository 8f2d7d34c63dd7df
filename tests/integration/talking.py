"""What the tests of the write path share: saying things, in a session, and what became of them."""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any
from uuid import UUID

from ledger.models import Entry, EntryPayload, MaskedValue, MemoryVersion, Turn
from ledger.outcomes import outcome_of
from ledger.services.run_job import run_job
from tenants import keys
from tenants.context import tenant_context
from tenants.models import Subject
from tenants.services.api_keys import create_api_key
from tests.cast import Actor, Api
from tests.integration.tools import eventually

Turns = list[dict[str, Any]]


def as_turn(said: str | dict[str, Any]) -> dict[str, Any]:
    """A turn as it is sent; a text alone is something a person said."""
    return {"role": "user"} | ({"content": said} if isinstance(said, str) else said)


def send(api: Api, *said: str | dict[str, Any], session: str = "s1", **more: Any) -> Any:
    """Send turns; gives the response, whatever it is."""
    body = {"subject": "alice", "turns": [as_turn(one) for one in said]} | more
    return api.post(f"/api/v1/sessions/{session}/turns", body)


def say(api: Api, *said: str | dict[str, Any], session: str = "s1", **more: Any) -> Turns:
    """Send turns and wait until they are learned; gives the turns that were, in order."""
    response = send(api, *said, session=session, wait=True, **more)
    assert response.status_code in (200, 202), response.content
    answer = response.json()
    if answer["job"] and answer["job"]["state"] != "done":
        # The worker of the stack was faster.
        eventually(lambda: done(api, answer["job"]["id"]))
    listed = turns_of(api, session, more.get("subject", "alice"))
    return listed[len(listed) - answer["stored"] :]


def done(api: Api, job_id: str) -> bool:
    """Whether a job is done; fails as soon as a run of it failed."""
    job = api.get(f"/api/v1/jobs/{job_id}").json()
    assert not job["error"], job
    return bool(job["state"] == "done")


def turns_of(api: Api, session: str = "s1", subject: str = "alice") -> Turns:
    """All turns of a session, in order, each with what became of it."""
    response = api.get(f"/api/v1/sessions/{session}/turns", subject=subject, limit=200)
    assert response.status_code == 200, response.content
    found: Turns = response.json()["results"]
    return sorted(found, key=lambda turn: turn["number"])


def learned(turns: Turns) -> list[tuple[str, str]]:
    """The text and disposition of every statement taken from some turns."""
    return [
        (statement["text"], statement["disposition"])
        for turn in turns
        for statement in (turn["outcome"] or {"statements": []})["statements"]
    ]


def memories(api: Api, subject: str = "alice", **asked: Any) -> list[dict[str, Any]]:
    """What is listed of a subject."""
    response = api.get("/api/v1/memories", subject=subject, limit=200, **asked)
    assert response.status_code == 200, response.content
    found: list[dict[str, Any]] = response.json()["results"]
    return found


def contents(api: Api, subject: str = "alice", **asked: Any) -> list[str]:
    """The contents of what is listed of a subject, sorted."""
    return sorted(memory["content"] for memory in memories(api, subject, **asked))


def end(api: Api, tenant: Actor, session: str = "s1", subject: str = "alice") -> None:
    """End a session, and see its reflection done."""
    response = api.post(f"/api/v1/sessions/{session}/end", {"subject": subject})
    assert response.status_code == 202, response.content
    finish(tenant, UUID(response.json()["job"]["id"]))


def finish(tenant: Actor, job_id: UUID) -> None:
    """Run a job here, or wait for whoever runs it already."""
    run_job(tenant.tenant_id, job_id)

    eventually(lambda: done(Api(tenant.api_key), str(job_id)))


def set_policy(api: Api, preset: str = "balanced", **rules: Any) -> int:
    """Write a policy; gives its version."""
    response = api.post("/api/v1/policies", {"preset": preset, "rules": rules})
    assert response.status_code == 201, response.content
    return int(response.json()["version"])


def key_with(tenant: Actor, *scopes: Any, **options: Any) -> Api:
    """The API with another key of a tenant."""
    with tenant_context(tenant.tenant_id):
        return Api(create_api_key(name="test", scopes=frozenset(scopes), **options)[1])


def sealed_words(tenant: Actor, subject: str = "alice") -> str:
    """All that is stored of a subject's words, opened, but for the masked values themselves."""
    with tenant_context(tenant.tenant_id):
        row = Subject.objects.filter(external_id=subject).first()
        if row is None:
            return ""
        cipher = keys.cipher_for(row)
        opened = [
            cipher.open(one.id, one.sealed).decode()
            for model in (EntryPayload, MemoryVersion, Turn)
            for one in model.objects.filter(subject=row)
        ]
        outcomes = [json.dumps(outcome_of(t, cipher)) for t in Turn.objects.filter(subject=row)]
        headers = [json.dumps(e.header) for e in Entry.objects.filter(subject=row)]
    return "\n".join([*opened, *outcomes, *headers])


def masked_values(tenant: Actor, subject: str = "alice") -> dict[str, str]:
    """The placeholders of a subject, and what they stand for."""
    with tenant_context(tenant.tenant_id):
        row = Subject.objects.get(external_id=subject)
        cipher = keys.cipher_for(row)
        return {
            f"[{one.kind}_{one.number}]": cipher.open(one.id, one.sealed).decode()
            for one in MaskedValue.objects.filter(subject=row)
        }


def exported(api: Api, subject: str = "alice") -> zipfile.ZipFile:
    """A subject's archive."""
    response = api.get(f"/api/v1/subjects/{subject}/export")
    assert response.status_code == 200, response.content
    return zipfile.ZipFile(io.BytesIO(response.content))


def counted(tenant: Actor, count: Callable[[], int]) -> int:
    """A count inside a tenant."""
    with tenant_context(tenant.tenant_id):
        return count()
