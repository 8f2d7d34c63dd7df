"""Idempotency-Key: a retry answers like the first try and does nothing again."""

import hashlib
import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from ledger import chain, idempotency
from ledger.models import Entry, IdempotentAnswer
from ledger.tasks import sweep_answers
from tenants import clock
from tenants.context import tenant_context
from tests.cast import Actor, Api, new_tenant

KEPT_BYTES = (bytes, memoryview)
BODY = {"subject": "alice", "content": "I moved to Hangzhou"}


def write(api: Api, key: str, body: Any = BODY, path: str = "/api/v1/memories") -> Any:
    return api.client.post(
        path,
        json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {api.credential}", "Idempotency-Key": key},
    )


def entries(tenant: Actor) -> int:
    with tenant_context(tenant.tenant_id):
        return Entry.objects.count()


def test_a_retry_with_the_same_key_gives_the_first_answer(api: Api, tenant: Actor) -> None:
    """C12."""
    first, second = write(api, "k1"), write(api, "k1")
    assert first.status_code == second.status_code == 201
    assert first.json() == second.json()
    assert entries(tenant) == 1


def test_the_same_key_with_another_body_or_route_is_refused(api: Api, tenant: Actor) -> None:
    memory = write(api, "k1").json()["memory"]["id"]
    other = write(api, "k1", BODY | {"content": "Something else"})
    elsewhere = write(api, "k1", {}, f"/api/v1/memories/{memory}/retract")
    for response in (other, elsewhere):
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "idempotency_key_reused"
    assert entries(tenant) == 1


def test_verbs_take_the_key_too(api: Api, tenant: Actor) -> None:
    memory = write(api, "k1").json()["memory"]["id"]
    change = {"content": "I moved to Suzhou"}
    path = f"/api/v1/memories/{memory}/change"
    first, second = write(api, "k2", change, path), write(api, "k2", change, path)
    assert first.json() == second.json()
    assert first.json()["disposition"] == "superseded"
    assert entries(tenant) == 2


def test_a_refused_write_leaves_its_key_free(api: Api, tenant: Actor) -> None:
    assert (
        write(
            api,
            "k1",
            BODY | {"valid_from": "2024-01-02T00:00:00Z", "valid_to": "2024-01-01T00:00:00Z"},
        ).status_code
        == 400
    )
    assert write(api, "k1").status_code == 201
    assert entries(tenant) == 1


def test_keys_of_two_callers_do_not_meet(api: Api, tenant: Actor) -> None:
    other = Api(new_tenant(f"other {tenant.tenant_id}").api_key)
    assert write(api, "k1").json() != write(other, "k1").json()


def test_a_blank_or_long_key_is_refused(api: Api) -> None:
    for key in ("", "x" * 256):
        response = write(api, key)
        assert response.status_code == 400
        assert response.json()["error"]["field"] == "Idempotency-Key"


def test_parallel_tries_with_one_key_do_the_work_once(api: Api, tenant: Actor) -> None:
    answers: list[Any] = []

    def go() -> None:
        answers.append(write(Api(api.credential), "k1", BODY | {"verbatim": True}))
        connection.close()

    threads = [threading.Thread(target=go) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [a.status_code for a in answers] == [201] * 8
    assert len({a.content for a in answers}) == 1
    assert entries(tenant) == 1


def test_a_kept_answer_is_sealed_and_forgotten_in_time(api: Api, tenant: Actor) -> None:
    write(api, "k1")
    with tenant_context(tenant.tenant_id):
        row = IdempotentAnswer.objects.get()
        assert b"Hangzhou" not in bytes(row.sealed or b"")
        assert b"k1" not in bytes(row.key_digest)
    with clock.frozen(clock.now() + timedelta(hours=25)):
        assert write(api, "k1").json()["disposition"] == "unchanged"
        sweep_answers()
    with clock.frozen(clock.now() + timedelta(hours=51)):
        sweep_answers()
    with tenant_context(tenant.tenant_id):
        assert not IdempotentAnswer.objects.exists()


def test_erasures_take_the_key_and_their_receipt_outlives_the_subject(
    api: Api, tenant: Actor
) -> None:
    memory = write(api, "k1").json()["memory"]["id"]
    write(api, "k2", BODY | {"content": "I like tea", "session": "s"})
    calls = [
        ("POST", f"/api/v1/memories/{memory}/erase", None),
        ("POST", "/api/v1/subjects/alice/retract", {"session": "s"}),
        ("POST", "/api/v1/subjects/alice/erase", {"session": "s"}),
        ("DELETE", "/api/v1/subjects/alice", None),
    ]
    for method, path, body in calls:
        answers = [
            api.client.generic(
                method,
                path,
                json.dumps(body) if body else "",
                content_type="application/json",
                headers={"Authorization": f"Bearer {api.credential}", "Idempotency-Key": path},
            )
            for _ in range(2)
        ]
        assert [a.status_code for a in answers] == [200, 200], answers[0].content
        assert answers[0].json() == answers[1].json()


def test_a_kept_answer_cannot_be_searched_by_a_guess_of_what_was_asked(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who has a dump could otherwise try texts until the digest of one is there."""
    asked: list[bytes] = []

    def canonical(value: Any) -> bytes:
        asked.append(chain.canonical(value))
        return asked[-1]

    monkeypatch.setattr(idempotency, "canonical", canonical)
    write(api, "k1")
    (request,) = asked
    assert b"Hangzhou" in request
    with tenant_context(tenant.tenant_id):
        row = IdempotentAnswer.objects.get()
    kept = b"".join(bytes(part) for part in vars(row).values() if isinstance(part, KEPT_BYTES))
    assert len(bytes(row.request_digest)) == 32
    assert bytes(row.request_digest) in kept
    for digest in (hashlib.sha256, hashlib.sha1, hashlib.md5, hashlib.blake2b):
        assert digest(request).digest() not in kept
    assert write(api, "k1").status_code == 201
    assert entries(tenant) == 1
