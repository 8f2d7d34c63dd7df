"""Working memory is apart for everybody, sealed, and erased with its subject."""

import io
import json
import uuid
import zipfile
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django_redis import get_redis_connection

from recall import working_store
from tenants.context import tenant_context
from tenants.models import Subject, SubjectSecret
from tenants.principals import ALL_SCOPES, Scope
from tenants.services.api_keys import create_api_key
from tenants.services.ensure_subject import ensure_subject
from tests.cast import Actor, Api, new_tenant
from tests.integration.noting import delete, in_valkey, kept, path, put, refusal, values_in

SECRET = "the vault opens at noon"


def api_with(tenant: Actor, *, subject: str = "", scopes: Any = ALL_SCOPES, agent: str = "") -> Api:
    with tenant_context(tenant.tenant_id):
        pin = ensure_subject(subject) if subject else None
        return Api(create_api_key(name="test", subject=pin, scopes=scopes, agent=agent)[1])


class TestApart:
    """Each of these keeps the same names, and none sees or touches what another has there."""

    def test_two_tenants(self, api: Api) -> None:
        other = Api(new_tenant(f"other {uuid.uuid4().hex}").api_key)
        self.apart([(api, {}), (other, {})])

    def test_agents_and_nobody_in_particular(self, tenant: Actor, api: Api) -> None:
        cook, bank = api_with(tenant, agent="cook"), api_with(tenant, agent="bank")
        self.apart([(cook, {}), (bank, {}), (api, {})])

    def test_agents_for_one_subject(self, tenant: Actor, api: Api) -> None:
        cook = api_with(tenant, agent="cook")
        self.apart([(cook, {"subject": "alice"}), (api, {"subject": "alice"})])

    def test_subjects_and_none(self, api: Api) -> None:
        self.apart([(api, {"subject": "alice"}), (api, {"subject": "bob"}), (api, {})])

    def apart(self, places: list[tuple[Api, dict[str, str]]]) -> None:
        where = path("plan", "k")
        for number, (api, about) in enumerate(places):
            assert put(api, where, f"{SECRET} {number}", **about).status_code == 201
        for number, (api, about) in enumerate(places):
            own = f"{SECRET} {number}"
            assert api.get(where, **about).json()["value"] == own
            listed = api.get(path("plan"), **about).json()["results"]
            assert [note["value"] for note in listed] == [own]
        first, about = places[0]
        assert delete(first, path("plan"), **about).json() == {"deleted": 1}
        for number, (api, about) in enumerate(places[1:], 1):
            assert api.get(where, **about).json()["value"] == f"{SECRET} {number}"


def test_who_is_pinned_to_a_subject_means_that_one(tenant: Actor, api: Api) -> None:
    own = api_with(tenant, subject="alice")
    assert kept(own, path("plan", "k"), 1)["subject"] == "alice"
    assert api.get(path("plan", "k"), subject="alice").json()["value"] == 1
    assert own.get(path("plan", "k"), subject="alice").json()["value"] == 1
    assert api.get(path("plan", "k")).status_code == 404
    kept(api, path("plan", "k"), 2, subject="bob")
    pinned = (403, "pinned", "subject")
    assert refusal(put(own, path("plan", "k"), 3, subject="bob")) == pinned
    for where in (path("plan", "k"), path("plan")):
        assert refusal(own.get(where, subject="bob")) == pinned
        assert refusal(delete(own, where, subject="bob")) == pinned
    assert api.get(path("plan", "k"), subject="bob").json()["value"] == 2


@pytest.mark.parametrize(
    ("scopes", "may_write", "may_read"),
    [
        ({Scope.READ}, False, True),
        ({Scope.WRITE}, True, False),
        ({Scope.ADMIN, Scope.ERASE}, False, False),
    ],
)
def test_each_method_asks_for_its_scope(
    tenant: Actor, api: Api, scopes: Any, may_write: bool, may_read: bool
) -> None:
    kept(api, path("plan", "k"), 1)
    kept(api, path("plan", "other"), 1)
    key = api_with(tenant, scopes=frozenset(scopes))
    answers = [
        (may_read, key.get(path("plan", "k"))),
        (may_read, key.get(path("plan"))),
        (may_write, put(key, path("plan", "k"), 2)),
        (may_write, delete(key, path("plan", "k"))),
        (may_write, delete(key, path("plan"))),
    ]
    for may, response in answers:
        if may:
            assert response.status_code == 200
        else:
            assert refusal(response)[:2] == (403, "scope_missing")


def test_valkey_holds_no_word_and_no_name_of_it(api: Api, tenant: Actor) -> None:
    shown = ["vault-plan", "vault-key", SECRET, "alice"]
    for about in ({}, {"subject": "alice"}):
        kept(api, path("vault-plan", "vault-key"), SECRET, **about)
    held = in_valkey(tenant)
    assert len(values_in(held)) == 2
    everything = b"\n".join([*held, *held.values()])
    assert not [word for word in shown if word.encode() in everything]


@pytest.mark.parametrize("about", [{}, {"subject": "alice"}])
def test_a_value_that_was_moved_in_valkey_is_not_believed(
    api: Api, tenant: Actor, about: dict[str, str]
) -> None:
    kept(api, path("plan", "a"), "yes", **about)
    kept(api, path("plan", "b"), "no", **about)
    client = get_redis_connection("default")
    one, two = values_in(in_valkey(tenant))
    client.set(one, client.get(two))
    answers = [api.client.get(path("plan", key), about, headers=api._headers()) for key in "ab"]
    assert sorted(answer.status_code for answer in answers) == [200, 500]
    assert "content_damaged" in {a.json().get("error", {}).get("code") for a in answers}


def test_erasing_a_subject_forgets_what_was_noted_of_it(api: Api, tenant: Actor) -> None:
    cook = api_with(tenant, agent="cook")
    for who, task in ((api, "plan"), (api, "another"), (cook, "plan")):
        kept(who, path(task, "k"), SECRET, subject="alice")
    kept(api, path("plan", "k"), "Bob stays", subject="bob")
    kept(api, path("plan", "k"), "of nobody")
    before = set(in_valkey(tenant))
    with tenant_context(tenant.tenant_id):
        alice = str(Subject.objects.get(external_id="alice").id).encode()
    dry = delete(api, "/api/v1/subjects/alice", dry_run="true").json()
    assert dry["found"]["working"] == 3
    assert set(in_valkey(tenant)) == before
    receipt = delete(api, "/api/v1/subjects/alice").json()
    assert (receipt["found"]["working"], receipt["left"]["working"]) == (3, 0)
    assert set(in_valkey(tenant)) == {name for name in before if alice not in name}
    assert api.get(path("plan", "k"), subject="alice").status_code == 404
    assert api.get(path("plan", "k"), subject="bob").json()["value"] == "Bob stays"
    assert api.get(path("plan", "k")).json()["value"] == "of nobody"
    # Who comes under the same name later is somebody else.
    kept(api, path("plan", "new"), 1, subject="alice")
    assert api.get(path("plan", "k"), subject="alice").status_code == 404


def test_erasing_a_session_or_a_memory_leaves_working_memory(api: Api) -> None:
    memory = api.write("alice", "I like tea", session="s")["memory"]
    kept(api, path("plan", "k"), 1, subject="alice")
    erased = api.post(f"/api/v1/memories/{memory['id']}/erase", {})
    assert erased.json()["found"]["working"] == 0
    assert api.get(path("plan", "k"), subject="alice").status_code == 200


def test_what_is_put_while_a_subject_is_erased_is_not_left_behind(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value is sealed, the erasure comes: it waits for the value and takes it along."""
    kept(api, path("plan", "first"), 1, subject="alice")
    real = working_store.Shelf.put
    erasures: list[Future[Any]] = []

    def erase() -> Any:
        try:
            return delete(Api(tenant.api_key), "/api/v1/subjects/alice").json()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:

        def slowly(shelf: Any, *given: Any, **more: Any) -> Any:
            erasures.append(pool.submit(erase))
            with pytest.raises(TimeoutError):
                erasures[0].result(timeout=1)
            return real(shelf, *given, **more)

        monkeypatch.setattr(working_store.Shelf, "put", slowly)
        assert put(api, path("plan", "second"), 2, subject="alice").status_code == 201
        assert erasures[0].result(timeout=60)["found"]["working"] == 2
    assert not values_in(in_valkey(tenant))


def test_without_its_key_a_subject_s_value_is_not_there(api: Api, tenant: Actor) -> None:
    kept(api, path("plan", "k"), SECRET, subject="alice")
    with tenant_context(tenant.tenant_id):
        SubjectSecret.objects.filter(subject__external_id="alice").delete()
    assert api.get(path("plan", "k"), subject="alice").status_code == 404


def test_an_archive_holds_what_is_noted_of_its_subject(api: Api, tenant: Actor) -> None:
    kept(api_with(tenant, agent="cook"), path("plan", "k"), {"a": 1}, subject="alice")
    kept(api, path("plan", "k"), "not hers", subject="bob")
    archive = zipfile.ZipFile(io.BytesIO(api.get("/api/v1/subjects/alice/export").content))
    lines = archive.read("working.jsonl").decode().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"agent": "cook", "task": "plan", "key": "k", "value": {"a": 1}}
    ]
