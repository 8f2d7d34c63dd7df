"""Erasure: gone everywhere at once, at all times, and the ledger still checks."""

import io
import json
import threading
import zipfile
from typing import Any
from urllib.parse import quote

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils.module_loading import import_string

from ledger.models import Entry, MemoryVersion
from ledger.rebuild import rebuild_subject
from recall.encoders import encoder, wanted
from recall.encoding import encode_waiting
from recall.models import Embedding, Trace, Waiting
from tenants import wall
from tenants.context import tenant_context
from tenants.models import ApiKey, Subject, SubjectSecret
from tests.cast import Actor, Api, new_tenant
from tests.database import as_superuser
from tests.integration.tools import eventually

# What the fixture asks; asked again, the answer is at hand.
ASKED = "Which canary?"


def erase(api: Api, path: str, **query: Any) -> Any:
    return api.client.delete(path, headers=api._headers(), query_params=query)


def told(api: Api, subject: str) -> list[Any]:
    """What every read tells of a subject, now and as of its first entry."""
    lists = [
        api.get("/api/v1/memories", subject=subject, status="any", **at).json()["results"]
        for at in ({}, {"known_at": "seq:1"}, {"valid_at": "2024-01-01T00:00:00Z"})
    ]
    return [*lists, api.recall(subject, "What is there?")["memories"]]


@pytest.fixture
def subject(api: Api, tenant: Actor) -> Subject:
    for number in range(3):
        # Verbatim: the number of canaries would otherwise be one thing that changes.
        api.write("alice", f"I own canary number {number}", session=f"s{number % 2}", verbatim=True)
    api.recall("alice", ASKED)
    api.write("bob", "Bob stays")
    with tenant_context(tenant.tenant_id):
        return Subject.objects.get(external_id="alice")


def test_a_dry_run_counts_and_touches_nothing(api: Api, subject: Subject) -> None:
    before = told(api, "alice")[:3]
    receipt = erase(api, "/api/v1/subjects/alice", dry_run="true").json()
    assert receipt["dry_run"]
    assert receipt["entry"] is None
    assert receipt["found"]["words"] == receipt["found"]["versions"] == 3
    assert told(api, "alice")[:3] == before


def test_an_erased_subject_is_gone_everywhere_at_once(
    api: Api, tenant: Actor, subject: Subject
) -> None:
    """D3, D4, D9, D12, D13, D16, D17; D1: nobody else is touched."""
    receipt = erase(api, "/api/v1/subjects/alice").json()
    assert receipt["found"]["words"] == 3
    assert receipt["found"]["traces"] == 1
    assert set(receipt["left"].values()) == {0}
    assert told(api, "alice") == [[], [], [], []]
    assert erase(api, "/api/v1/subjects/no-one").status_code == 404
    with tenant_context(tenant.tenant_id):
        assert not SubjectSecret.objects.filter(id=subject.id).exists()
        assert [e.verb for e in Entry.objects.filter(subject=subject).order_by("seq")] == [
            "assert",
            "assert",
            "assert",
            "erase",
        ]
    assert [m["content"] for m in told(api, "bob")[0]] == ["Bob stays"]


def test_every_table_of_a_subject_belongs_to_a_store(api: Api, subject: Subject) -> None:
    """The removed net: a new table that no store forgets fails here."""
    erase(api, "/api/v1/subjects/alice")
    kept_on_purpose = {"ledger_entry", "ledger_head", "ledger_checkpointhead"}
    with as_superuser() as cursor:
        for model in wall.walled_models():
            table = model._meta.db_table
            columns = {f.column for f in model._meta.concrete_fields}
            if "subject_id" in columns and table not in kept_on_purpose:
                cursor.execute(f"SELECT count(*) FROM {table} WHERE subject_id = %s", [subject.id])
                assert cursor.fetchone() == (0,), table


def test_a_rebuild_brings_nothing_back(api: Api, tenant: Actor, subject: Subject) -> None:
    memory = api.get("/api/v1/memories", subject="alice").json()["results"][0]["id"]
    assert api.post(f"/api/v1/memories/{memory}/erase", {}).status_code == 200
    with tenant_context(tenant.tenant_id):
        result = rebuild_subject(subject)
    assert not result.differed
    assert result.versions == 2
    erase(api, "/api/v1/subjects/alice")
    call_command(
        "rebuild_views",
        tenant=str(tenant.tenant_id),
        force=True,
        stderr=io.StringIO(),
        stdout=io.StringIO(),
    )
    assert told(api, "alice") == [[], [], [], []]


def test_a_worker_caught_in_the_middle_brings_nothing_back(
    api: Api, tenant: Actor, subject: Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7: the words were read, the erasure comes, the vectors are ready: they are dropped."""
    with tenant_context(tenant.tenant_id):
        eventually(lambda: not Waiting.objects.filter(subject_id=subject.id).exists())
        Embedding.objects.filter(subject_id=subject.id).delete()
        for version in MemoryVersion.objects.filter(subject_id=subject.id):
            Waiting(subject_id=subject.id, encoder=wanted(), version=version).save()
    real = encoder().passages

    def passages(texts: list[str], **more: Any) -> Any:
        erase(api, "/api/v1/subjects/alice")
        return real(texts, **more)

    monkeypatch.setattr(encoder(), "passages", passages)
    encode_waiting(tenant.tenant_id, subject.id, 10)
    with tenant_context(tenant.tenant_id):
        assert not Embedding.objects.filter(subject_id=subject.id).exists()


def test_one_memory_is_erased_at_all_times_with_the_traces_that_show_it(
    api: Api, tenant: Actor, subject: Subject
) -> None:
    memory = api.get("/api/v1/memories", subject="alice", q="number 1").json()["results"][0]
    receipt = api.post(f"/api/v1/memories/{memory['id']}/erase", {}).json()
    assert receipt["found"]["memories"] == 1
    assert set(receipt["left"].values()) == {0}
    assert api.get(f"/api/v1/memories/{memory['id']}").status_code == 404
    assert api.get(f"/api/v1/memories/{memory['id']}/history").status_code == 404
    assert api.get("/api/v1/memories", subject="alice", known_at="seq:2").json()["results"]
    assert not any("number 1" in json.dumps(part) for part in told(api, "alice"))
    with tenant_context(tenant.tenant_id):
        assert Trace.objects.filter(subject=subject).count() == 1  # the one that `told` just made


def test_what_was_learned_in_a_session_is_erased_and_the_rest_stays(
    api: Api, subject: Subject
) -> None:
    receipt = api.post("/api/v1/subjects/alice/erase", {"session": "s0"}).json()
    assert receipt["found"]["memories"] == 2
    assert [m["content"] for m in told(api, "alice")[0]] == ["I own canary number 1"]
    refused = api.post("/api/v1/subjects/alice/erase", {})
    assert refused.status_code == 400


def test_what_was_learned_in_a_session_is_retracted_and_can_be_undone(
    api: Api, subject: Subject
) -> None:
    memories = api.post("/api/v1/subjects/alice/retract", {"session": "s0"}).json()["memories"]
    assert len(memories) == 2
    assert [m["content"] for m in told(api, "alice")[0]] == ["I own canary number 1"]
    for memory in memories:
        entry = api.get(f"/api/v1/memories/{memory}/history").json()["entries"][-1]
        assert (
            api.post(f"/api/v1/memories/{memory}/undo", {"entry": entry["id"]}).status_code == 200
        )
    assert len(told(api, "alice")[0]) == 3


def test_the_id_of_an_erased_subject_begins_anew(api: Api, tenant: Actor, subject: Subject) -> None:
    erase(api, "/api/v1/subjects/alice")
    written = api.write("alice", "A new life")
    assert written["entry"]["seq"] == 1
    with tenant_context(tenant.tenant_id):
        assert Subject.objects.get(external_id="alice").id != subject.id
    listed = [s["id"] for s in api.get("/api/v1/subjects").json()["results"]]
    assert sorted(listed) == ["alice", "bob"]


def test_keys_pinned_to_an_erased_subject_are_revoked(
    api: Api, tenant: Actor, subject: Subject
) -> None:
    from tenants.services.api_keys import create_api_key

    with tenant_context(tenant.tenant_id):
        key, text = create_api_key(name="pinned", subject=subject)
    erase(api, "/api/v1/subjects/alice")
    assert Api(text).get("/api/v1/memories").status_code == 401
    with tenant_context(tenant.tenant_id):
        assert ApiKey.objects.get(id=key.id).revoked_at is not None


def test_erasing_needs_its_scope(api: Api, tenant: Actor, subject: Subject) -> None:
    from tenants.services.api_keys import create_api_key

    with tenant_context(tenant.tenant_id):
        weak = Api(create_api_key(name="weak")[1])
    memory = api.get("/api/v1/memories", subject="alice").json()["results"][0]["id"]
    for response in (
        erase(weak, "/api/v1/subjects/alice"),
        weak.post("/api/v1/subjects/alice/erase", {"session": "s0"}),
        weak.post(f"/api/v1/memories/{memory}/erase", {}),
    ):
        assert (response.status_code, response.json()["error"]["code"]) == (403, "scope_missing")


def test_an_exported_subject_imports_into_an_empty_one_with_the_same_views(
    api: Api, tenant: Actor, subject: Subject, tmp_path: Any
) -> None:
    city = api.write(
        "alice", "I live in Shanghai", attribute="home_city", valid_from="2024-01-01T00:00:00Z"
    )["memory"]["id"]
    change = api.post(f"/api/v1/memories/{city}/change", {"content": "Hangzhou"}).json()
    api.post(f"/api/v1/memories/{city}/undo", {"entry": change["entry"]["id"]})
    response = api.get("/api/v1/subjects/alice/export")
    archive = zipfile.ZipFile(io.BytesIO(response.content))
    counts = json.loads(archive.read("manifest.json"))["counts"]
    assert counts == {
        "entries": 6,
        "memories": 7,
        "policies": 1,
        "private": 0,
        "traces": 1,
        "turns": 0,
        "working": 0,
    }
    assert "I own canary number 0" in archive.read("index.html").decode()
    file = tmp_path / "alice.zip"
    file.write_bytes(response.content)
    other = new_tenant(f"import {tenant.tenant_id}")
    call_command(
        "import_subject",
        str(file),
        tenant=str(other.tenant_id),
        subject="alice",
        stdout=io.StringIO(),
    )
    theirs = Api(other.api_key)
    for at in ({}, {"known_at": "seq:2"}, {"known_at": "seq:5"}):
        lists = [
            [
                (m["content"], m["valid_from"], m["valid_to"], m["recorded_at"], m["weight"])
                for m in one.get("/api/v1/memories", subject="alice", status="any", **at).json()[
                    "results"
                ]
            ]
            for one in (api, theirs)
        ]
        assert sorted(lists[0], key=str) == sorted(lists[1], key=str)
    with pytest.raises(Exception, match="nothing is known"):
        call_command("import_subject", str(file), tenant=str(other.tenant_id), subject="alice")


def test_an_erasure_takes_the_subject_that_is_named_and_no_other(api: Api, tenant: Actor) -> None:
    """D1: "bob/x" and "bob" are two people; every id that can be written can be erased."""
    for name in ("bob", "bob/x", "bob\nsmith"):
        api.write(name, "A word")
    for name, left in (("bob/x", {"bob", "bob\nsmith"}), ("bob\nsmith", {"bob"})):
        assert erase(api, f"/api/v1/subjects/{quote(name, safe='')}").status_code == 200
        subjects = api.get("/api/v1/subjects").json()["results"]
        assert {one["id"] for one in subjects} == left


def test_a_dry_run_asked_for_in_the_wrong_place_is_refused(api: Api, subject: Subject) -> None:
    memory = told(api, "alice")[0][0]["id"]
    answers = [
        api.post(f"/api/v1/memories/{memory}/erase", {"dry_run": True}),
        api.post("/api/v1/subjects/alice/erase?dry_run=true", {"session": "s0"}),
        api.post("/api/v1/subjects/alice/retract?dry_run=true", {"session": "s0"}),
    ]
    assert [answer.status_code for answer in answers] == [400, 400, 400]
    assert len(told(api, "alice")[0]) == 3


def test_big_numbers_in_metadata_are_rebuilt_as_they_are_stored(
    api: Api, tenant: Actor, subject: Subject
) -> None:
    api.write("alice", "Numbers", metadata={"a": 1e23, "b": [-0.0, 1e16], "c": 5e-324})
    with tenant_context(tenant.tenant_id):
        assert not rebuild_subject(subject).differed


def _set(row: int, *path: str, to: Any) -> Any:
    def spoil(rows: list[Any]) -> None:
        target = rows[row]
        for name in path[:-1]:
            target = target[name]
        target[path[-1]] = to

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: rows.pop(),
        lambda rows: rows.pop(0),
        lambda rows: rows.append("text"),
        _set(0, "seq", to=-1),
        _set(1, "recorded_at", to="2999-01-01T00:00:00+00:00"),
        _set(1, "recorded_at", to="2001-01-01T00:00:00+00:00"),
        _set(1, "recorded_at", to="2025-01-01T00:00:00"),
        _set(1, "recorded_at", to=7),
        _set(1, "words", to={}),
        _set(1, "words", to=None),
        _set(1, "words", "metadata", to={"a": "\0"}),
        _set(1, "words", "content", to=5),
        _set(1, "verb", to="invent"),
        _set(1, "actor", to="x" * 400),
        _set(1, "facts", "importance", to=99),
        _set(1, "facts", "kind", to="odd"),
        _set(1, "facts", "set", to={"subject_id": "00000000-0000-0000-0000-000000000000"}),
        _set(1, "facts", "erased", to="all"),
        _set(1, "effect", "closed", to=["00000000-0000-0000-0000-000000000000"]),
        _set(1, "effect", "opened", to=[{"memory": "x"}]),
    ],
)
def test_a_bad_archive_is_refused_and_nothing_is_written(
    api: Api, tenant: Actor, subject: Subject, tmp_path: Any, spoil: Any
) -> None:
    exported = zipfile.ZipFile(io.BytesIO(api.get("/api/v1/subjects/alice/export").content))
    rows = [json.loads(line) for line in exported.read("entries.jsonl").splitlines()]
    spoil(rows)
    file = tmp_path / "bad.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("manifest.json", exported.read("manifest.json"))
        archive.writestr("entries.jsonl", "\n".join(json.dumps(row) for row in rows))
    with pytest.raises(CommandError):
        call_command("import_subject", str(file), tenant=str(tenant.tenant_id), subject="new")
    with tenant_context(tenant.tenant_id):
        assert not Subject.objects.filter(external_id="new").exists()


@pytest.mark.parametrize(
    "name", ["bob/", "bob/export", "bob/erase", "bob/retract", "bob/profile", "/", "erased:1"]
)
def test_an_id_that_a_path_could_not_name_is_refused(api: Api, name: str) -> None:
    """D1: what cannot be written cannot be erased by the name of another."""
    for path, body in (
        ("/api/v1/memories", {"content": "x"}),
        ("/api/v1/recall", {"query": "x"}),
    ):
        response = api.post(path, {"subject": name} | body)
        assert response.status_code == 400
        assert response.json()["error"]["code"] == "reserved_subject_id"
        assert response.json()["error"]["field"] == "subject"


@pytest.mark.parametrize(
    ("place", "question"),
    [("recall.pipeline.store_trace", "Whose canary?"), ("recall.answers.store_repetition", ASKED)],
)
def test_an_answer_given_beside_an_erasure_leaves_no_trace(
    api: Api,
    tenant: Actor,
    subject: Subject,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    question: str,
) -> None:
    """The erasure waits for a recall that has begun, and then takes its trace with it."""
    real, erased = import_string(place), threading.Event()

    def erase_then_signal() -> None:
        erase(Api(api.credential), "/api/v1/subjects/alice")
        erased.set()
        connection.close()

    thread = threading.Thread(target=erase_then_signal)

    def store(*args: Any, **options: Any) -> Any:
        thread.start()
        assert not erased.wait(0.5)
        return real(*args, **options)

    monkeypatch.setattr(place, store)
    assert api.recall("alice", question)["memories"]
    thread.join(30)
    assert erased.is_set()
    with tenant_context(tenant.tenant_id):
        assert not Trace.objects.filter(subject_id=subject.id).exists()
