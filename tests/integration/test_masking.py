"""Private values: masked before anything reads or stores them, shown to those who may see them."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger import masking
from ledger.metrics import MASKED
from ledger.models import Entry, Job, MaskedValue, PolicyVersion, Turn
from ledger.policy.privacy import PrivateKind
from ledger.selectors import Filters, as_memories, as_of, find_versions
from ledger.services.run_job import run_job
from recall.encoders import encoder
from tenants import clock
from tenants.context import tenant_context
from tenants.membership import principal_for
from tenants.models import Role, Subject
from tenants.principals import AGENT_SCOPES, OWN_SCOPES, Scope
from tenants.services.members import add_member, create_user
from tests.cast import Actor, Api, new_tenant
from tests.integration.talking import (
    contents,
    counted,
    exported,
    finish,
    key_with,
    masked_values,
    memories,
    say,
    sealed_words,
    send,
    set_policy,
    turns_of,
)

PHONE, EMAIL, CARD = "13812345678", "li.lei@example.com", "11010519491231002X"
NAME = "王小明"
# Shapes, and a name that the models know: English and Chinese, glued to Han characters too (L7).
SAID = f"我的朋友{NAME}的电话是{PHONE}，邮箱是{EMAIL}，身份证号是{CARD}。"
PRIVATE = (PHONE, EMAIL, CARD, NAME)


def shown(value: Any) -> set[str]:
    """Which of the private values stand in an answer."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return {private for private in PRIVATE if private in text}


@pytest.fixture
def weak(tenant: Actor) -> Api:
    """A key that may read and write, and no more."""
    return key_with(tenant, *AGENT_SCOPES)


@pytest.fixture
def read_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that the encoder is given."""
    texts: list[str] = []
    real = encoder()
    passages, query = real.passages, real.query

    def noted(given: list[str], **more: Any) -> Any:
        texts.extend(given)
        return passages(given, **more)

    def asked(given: str) -> Any:
        texts.append(given)
        return query(given)

    monkeypatch.setattr(real, "passages", noted)
    monkeypatch.setattr(real, "query", asked)
    return texts


def test_what_is_private_in_a_turn_is_stored_nowhere_but_sealed_beside(
    api: Api, tenant: Actor, unheard: list, read_texts: list[str], caplog: Any
) -> None:
    """L7: the ledger, the versions, the turn, its outcome, the vectors, the traces, the logs."""
    say(api, SAID)
    api.recall("alice", f"Whose number is {PHONE}? 谁是{NAME}")
    assert set(masked_values(tenant).values()) >= set(PRIVATE)
    stored = sealed_words(tenant)
    assert "[PHONE_1]" in stored
    assert shown(stored) == set()
    assert read_texts
    assert shown(read_texts) == set()
    weak = key_with(tenant, *AGENT_SCOPES)
    answer = weak.recall("alice", PHONE)
    trace = weak.get(f"/api/v1/recall/{answer['trace']}").json()
    assert trace["query"] == "[PHONE_1]"
    assert shown([answer, trace]) == set()
    assert shown(caplog.text) == set()


def test_what_is_private_in_a_written_memory_is_masked_in_content_and_value(
    api: Api, tenant: Actor, read_texts: list[str]
) -> None:
    api.write("alice", f"My phone number is {PHONE}", attribute="phone", value=PHONE)
    api.write("alice", f"Verbatim: {EMAIL}", verbatim=True)
    assert shown(sealed_words(tenant)) == set()
    assert shown(read_texts) == set()
    assert masked_values(tenant) == {"[PHONE_1]": PHONE, "[EMAIL_1]": EMAIL}
    assert {memory["value"] for memory in memories(api)} == {PHONE, None}


def test_the_search_index_finds_by_the_value_and_knows_its_placeholder_only(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.write("alice", f"My phone number is {PHONE}")
    assert len(memories(api, q=PHONE)) == len(memories(api, q="[PHONE_1]")) == 1
    monkeypatch.setattr("ledger.selectors.blind", lambda text, cipher: text)
    assert len(memories(api, q=PHONE)) == 0
    assert len(memories(api, q="[PHONE_1]")) == 1


@pytest.mark.parametrize("who", ["owner", "revealing", "own key", "own token"])
def test_who_may_see_the_original_sees_it(api: Api, tenant: Actor, unheard: list, who: str) -> None:
    say(api, SAID)
    with tenant_context(tenant.tenant_id):
        person = Subject.objects.get(external_id="alice")
    minted = api.post("/api/v1/tokens", {"subject": "alice"}).json()["token"]
    reader = {
        "owner": api,
        "revealing": key_with(tenant, Scope.READ, Scope.REVEAL),
        "own key": key_with(tenant, *OWN_SCOPES, subject=person),
        "own token": Api(minted),
    }[who]
    assert shown(memories(reader)) == set(PRIVATE)
    assert shown(turns_of(reader)) == set(PRIVATE)
    assert shown(reader.recall("alice", "电话号码是多少")["context"]) >= {PHONE}


@pytest.mark.parametrize(("pinned", "sees"), [(True, set(PRIVATE)), (False, set())])
def test_a_member_pinned_to_themself_sees_the_original_and_another_member_does_not(
    api: Api, tenant: Actor, unheard: list, pinned: bool, sees: set[str]
) -> None:
    say(api, SAID)
    user = create_user(f"alice-{tenant.tenant_id}", "a-password-of-hers")
    with tenant_context(tenant.tenant_id):
        person = Subject.objects.get(external_id="alice")
        principal = principal_for(add_member(user, Role.MEMBER, person if pinned else None))
        rows = find_versions(principal, Filters(subject="alice"), as_of())
        assert shown([vars(view) for view in as_memories(principal, rows, as_of())]) == sees


def test_who_may_not_see_it_sees_the_placeholder_everywhere(
    api: Api, tenant: Actor, weak: Api, unheard: list
) -> None:
    say(api, SAID)
    api.write("alice", f"My own number is {PHONE}", attribute="phone", value=PHONE)
    memory = memories(weak, attribute="phone")[0]
    assert (memory["content"], memory["value"]) == ("My own number is [PHONE_1]", "[PHONE_1]")
    answer = weak.recall("alice", f"电话号码 {PHONE}")
    asked = {"subject": "alice"}
    for told in (
        memories(weak),
        turns_of(weak),
        answer,
        weak.get(f"/api/v1/recall/{answer['trace']}").json(),
        weak.get(f"/api/v1/memories/{memory['id']}").json(),
        weak.get(f"/api/v1/memories/{memory['id']}/history").json(),
        weak.get("/api/v1/subjects/alice/profile").json(),
        weak.get("/api/v1/ledger", **asked).json(),
        weak.post(f"/api/v1/memories/{memory['id']}/weigh", {"weight": 2}).json(),
        *(exported(weak).read(name).decode() for name in exported(weak).namelist()),
    ):
        assert shown(told) == set(), told
    assert json.loads(exported(weak).read("manifest.json"))["counts"]["private"] == 0


def test_a_value_keeps_its_placeholder_in_every_session_and_its_form_is_no_matter(
    api: Api, tenant: Actor, unheard: list
) -> None:
    say(api, f"My phone number is {PHONE}.", session="s1")
    say(api, "You reach me at +86 138-1234-5678 in the office.", session="s2")
    api.write("alice", f"The garage calls {PHONE} when the car is ready.")
    api.write("alice", "My brother answers at 13987654321.")
    assert masked_values(tenant) == {"[PHONE_1]": PHONE, "[PHONE_2]": "13987654321"}
    assert sealed_words(tenant).count("[PHONE_2]") >= 1


def test_two_people_share_no_placeholder(api: Api, tenant: Actor) -> None:
    api.write("alice", f"My phone number is {PHONE}")
    api.write("bob", "My phone number is 13987654321")
    api.write("bob", f"My sister's number is {PHONE}")
    assert masked_values(tenant, "alice") == {"[PHONE_1]": PHONE}
    assert masked_values(tenant, "bob") == {"[PHONE_1]": "13987654321", "[PHONE_2]": PHONE}


def test_a_placeholder_that_an_agent_types_reveals_nothing_of_another_person(
    api: Api, tenant: Actor
) -> None:
    api.write("alice", f"My phone number is {PHONE}")
    typed = api.write("bob", "Alice answers at [PHONE_1] all day")["memory"]
    assert typed["content"] == "Alice answers at [PHONE_1] all day"
    assert shown([memories(api, "bob"), api.recall("bob", "[PHONE_1]")]) == set()
    # Of the same person it is the reference that it looks like.
    own = api.write("alice", "Call [PHONE_1] after work only", verbatim=True)["memory"]
    assert own["content"] == f"Call {PHONE} after work only"
    assert masked_values(tenant) == {"[PHONE_1]": PHONE}


def test_values_written_at_once_get_a_number_each(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number that was foreseen is taken meanwhile: the words get the real one."""
    real = masking.Masks.foresee

    def foresee(masks: masking.Masks, cipher: Any) -> None:
        real(masks, cipher)
        monkeypatch.setattr(masking.Masks, "foresee", real)
        api.write("alice", "My brother answers at 13987654321.")

    api.write("alice", "The tram stops in front of the house")
    monkeypatch.setattr(masking.Masks, "foresee", foresee)
    written = api.write("alice", f"My phone number is {PHONE}")
    assert written["memory"]["content"] == f"My phone number is {PHONE}"
    assert masked_values(tenant) == {"[PHONE_1]": "13987654321", "[PHONE_2]": PHONE}
    assert "My phone number is [PHONE_2]" in sealed_words(tenant)


FRIEND, COLLEAGUE = f"我的朋友{NAME}的电话是{PHONE}", "我的同事张三丰的电话是13987654321"
ASKED = [
    (PHONE, FRIEND),
    ("13987654321", COLLEAGUE),
    ("+86 138 1234 5678", FRIEND),
    ("Whose number is 139-8765-4321?", COLLEAGUE),
    (f"{PHONE}是谁的号码", FRIEND),
    (NAME, FRIEND),
    ("张三丰的号码", COLLEAGUE),
]


@pytest.mark.parametrize(("question", "content"), ASKED)
def test_it_is_recalled_by_the_number_or_the_name(api: Api, question: str, content: str) -> None:
    for written in (FRIEND, COLLEAGUE, "午饭总是十二点吃"):
        api.write("alice", written, verbatim=True)
    assert api.recall("alice", question)["memories"][0]["content"] == content


def test_what_is_kept_stays_as_it_is(api: Api, tenant: Actor) -> None:
    set_policy(api, privacy={"actions": {"PHONE": "keep"}})
    weak = key_with(tenant, *AGENT_SCOPES)
    assert weak.write("alice", f"My number is {PHONE}")["memory"]["content"].endswith(PHONE)
    assert masked_values(tenant) == {}


def test_what_is_refused_is_not_stored_nor_anything_sent_with_it(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, "strict")
    response = send(api, "I live in Paris.", f"我的身份证号是{CARD}")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "private_refused")
    assert (error["field"], error["rule"]) == ("turns.1.content", "privacy.ID_CARD")
    assert shown(error) == set()
    written = api.post("/api/v1/memories", {"subject": "alice", "content": f"我的身份证号是{CARD}"})
    error = written.json()["error"]
    assert (written.status_code, error["code"]) == (422, "private_refused")
    assert (error["field"], error["rule"]) == ("content", "privacy.ID_CARD")
    verbatim = {"subject": "alice", "content": f"身份证号 {CARD}", "verbatim": True}
    assert api.post("/api/v1/memories", verbatim).status_code == 422
    assert counted(tenant, lambda: Turn.objects.count() + Entry.objects.count()) == 0
    assert not counted(tenant, lambda: Subject.objects.filter(external_id="alice").count())


def test_what_belongs_on_the_device_is_left_there_and_the_rest_is_taken(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, "on_device")
    answer = send(api, "I live in Paris.", f"My phone number is {PHONE}.", wait=True).json()
    assert answer["device_only"] == [{"turn": 1, "rule": "privacy.PHONE"}]
    assert answer["stored"] == 1
    assert [turn["content"] for turn in turns_of(api)] == ["I live in Paris."]
    assert contents(api) == ["I live in Paris."]
    assert shown(sealed_words(tenant)) == set()
    assert masked_values(tenant) == {}
    body = {"subject": "alice", "content": f"My phone number is {PHONE}."}
    written = api.post("/api/v1/memories", body)
    assert (written.status_code, written.json()["error"]["code"]) == (422, "device_only")
    assert contents(api) == ["I live in Paris."]


def test_under_a_policy_that_cannot_be_read_nothing_is_written(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """Q8: the rule to mask was lost, so no text is taken; a new policy opens the door again."""
    kept = api.write("alice", "The tram stops in front of the house")["memory"]
    with tenant_context(tenant.tenant_id):
        PolicyVersion(
            number=1,
            document={"privacy": {"actions": "mask everything"}},
            actor="test",
            created_at=clock.now(),
        ).save(force_insert=True)
    for response in (
        send(api, f"My phone number is {PHONE}."),
        api.post("/api/v1/memories", {"subject": "alice", "content": f"My number is {PHONE}"}),
        api.post(f"/api/v1/memories/{kept['id']}/change", {"content": f"Call {PHONE}"}),
        api.post("/api/v1/recall", {"subject": "alice", "query": "the tram"}),
    ):
        error = response.json()["error"]
        assert (response.status_code, error["code"]) == (503, "policy_broken")
    assert counted(tenant, lambda: (Turn.objects.count(), Entry.objects.count())) == (0, 1)
    assert contents(api) == [kept["content"]]
    assert api.get("/api/v1/policies").status_code == 200
    set_policy(api)
    assert send(api, f"My phone number is {PHONE}.").status_code == 202


def test_a_job_under_a_policy_that_cannot_be_read_waits_for_a_better_one(
    api: Api, tenant: Actor, unheard: list
) -> None:
    job = send(api, "I live in Paris.").json()["job"]["id"]
    with tenant_context(tenant.tenant_id):
        PolicyVersion(number=1, document={"x": 1}, actor="test", created_at=clock.now()).save(
            force_insert=True
        )
    run_job(tenant.tenant_id, job)
    told = api.get(f"/api/v1/jobs/{job}").json()
    assert (told["state"], told["error"]) == ("waiting", "policy_broken")
    assert contents(api) == []
    set_policy(api)
    with tenant_context(tenant.tenant_id):
        Job.objects.filter(id=job).update(due_at=clock.now(), error="")
    finish(tenant, job)
    assert contents(api) == ["I live in Paris."]


@pytest.mark.parametrize("verb", ["change", "correct"])
def test_a_revision_is_masked_too(api: Api, tenant: Actor, verb: str) -> None:
    memory = api.write("alice", "My phone number is unknown", attribute="phone")["memory"]
    body = {"content": f"My phone number is {PHONE}", "value": PHONE}
    if verb == "correct":
        body["version"] = memory["version"]
    revised = api.post(f"/api/v1/memories/{memory['id']}/{verb}", body)
    assert revised.status_code == 200, revised.content
    assert revised.json()["memory"]["value"] == PHONE
    assert shown(sealed_words(tenant)) == set()
    assert masked_values(tenant) == {"[PHONE_1]": PHONE}


def test_an_imported_conversation_is_masked_too(api: Api, tenant: Actor, tmp_path: Path) -> None:
    file = tmp_path / "turns.json"
    turn = {"role": "user", "content": SAID, "timestamp": "2019-05-24T10:00:00Z"}
    file.write_text(json.dumps([turn], ensure_ascii=False))
    call_command(
        "import_conversation",
        str(file),
        tenant=str(tenant.tenant_id),
        subject="alice",
        stdout=io.StringIO(),
    )
    assert shown(sealed_words(tenant)) == set()
    assert shown(memories(api)) == set(PRIVATE)


def test_a_speakers_name_is_masked_whatever_it_looks_like(
    api: Api, tenant: Actor, unheard: list
) -> None:
    turn = say(api, {"content": "I keep bees in my garden.", "name": "qxz-17"})[0]
    assert turn["name"] == "qxz-17"
    assert masked_values(tenant) == {"[NAME_1]": "qxz-17"}
    assert "qxz-17" not in sealed_words(tenant)


def test_an_export_holds_the_turns_and_what_their_placeholders_stand_for(
    api: Api, tenant: Actor, unheard: list, tmp_path: Path
) -> None:
    """And imported elsewhere it shows the originals to those who may see them, only to those."""
    say(api, SAID)
    archive = exported(api)
    turns = [json.loads(line) for line in archive.read("turns.jsonl").splitlines()]
    private = [json.loads(line) for line in archive.read("private.jsonl").splitlines()]
    assert [turn["content"] for turn in turns] == [SAID]
    assert turns[0]["outcome"]["statements"]
    assert {row["value"] for row in private} >= set(PRIVATE)
    file = tmp_path / "alice.zip"
    file.write_bytes(api.get("/api/v1/subjects/alice/export").content)
    other = new_tenant(f"import {tenant.tenant_id}")
    call_command(
        "import_subject",
        str(file),
        tenant=str(other.tenant_id),
        subject="alice",
        stdout=io.StringIO(),
    )
    assert contents(Api(other.api_key)) == contents(api)
    assert shown(memories(Api(other.api_key))) == set(PRIVATE)
    assert shown(memories(key_with(other, *AGENT_SCOPES))) == set()
    assert masked_values(other) == masked_values(tenant)
    assert Api(other.api_key).recall("alice", PHONE)["memories"]


def test_masked_values_are_counted_by_kind(api: Api) -> None:
    counter = MASKED.labels("PHONE", "mask")
    before = counter._value.get()
    api.write("alice", f"My number is {PHONE}")
    assert counter._value.get() == before + 1


def test_a_value_is_sealed_under_its_own_subject(api: Api, tenant: Actor) -> None:
    api.write("alice", f"My number is {PHONE}")
    with tenant_context(tenant.tenant_id):
        row = MaskedValue.objects.get()
        assert PHONE.encode() not in bytes(row.sealed) + bytes(row.fingerprint)


def test_a_refusal_tells_nothing_to_who_may_not_write_there(api: Api, tenant: Actor) -> None:
    """Who may not is told so first: a refused text would tell that the memory is there."""
    set_policy(api, "strict")
    theirs = api.write("alice", "I keep bees in my garden.", agent="bank")["memory"]
    path, body = f"/api/v1/memories/{theirs['id']}/change", {"content": f"我的身份证号是{CARD}"}
    others = {
        404: key_with(tenant, *AGENT_SCOPES, agent="shop"),
        403: key_with(tenant, Scope.READ),
        422: key_with(tenant, *AGENT_SCOPES, agent="bank"),
    }
    assert {status: key.post(path, body).status_code for status, key in others.items()} == {
        status: status for status in others
    }
    turn = {"subject": "alice", "turns": [{"role": "user", "content": body["content"]}]}
    assert others[403].post("/api/v1/sessions/s1/turns", turn).status_code == 403
    foreign = turn | {"agent": "bank"}
    assert others[404].post("/api/v1/sessions/s1/turns", foreign).status_code == 403


@pytest.mark.parametrize(("name", "kind"), [(PHONE, "PHONE"), (EMAIL, "EMAIL")])
def test_a_speakers_name_is_masked_for_what_else_it_is_where_names_are_kept(
    api: Api, tenant: Actor, unheard: list, name: str, kind: str
) -> None:
    set_policy(api, privacy={"actions": {"NAME": "keep"}})
    (turn,) = say(api, {"content": "I keep bees in my garden.", "name": name})
    assert turn["name"] == name
    assert masked_values(tenant) == {f"[{kind}_1]": name}
    assert shown(sealed_words(tenant)) == set()
    assert turns_of(key_with(tenant, *AGENT_SCOPES))[0]["name"] == f"[{kind}_1]"


def test_a_speakers_name_that_is_refused_refuses_all_turns(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, privacy={"actions": {"NAME": "refuse"}})
    response = send(api, "I live in Paris.", {"content": "I keep bees.", "name": "qxz-17"})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "private_refused")
    assert (error["field"], error["rule"]) == ("turns.1.name", "privacy.NAME")
    assert "qxz-17" not in json.dumps(error)
    assert counted(tenant, Turn.objects.count) == 0


def test_a_speakers_name_that_belongs_on_the_device_leaves_its_turn_there(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, privacy={"actions": {"NAME": "device_only"}})
    named = {"content": "I keep bees in my garden.", "name": "qxz-17"}
    answer = send(api, "I live in Paris.", named, wait=True).json()
    assert answer["device_only"] == [{"turn": 1, "rule": "privacy.NAME"}]
    assert [turn["content"] for turn in turns_of(api)] == ["I live in Paris."]
    assert contents(api) == ["I live in Paris."]
    assert "qxz-17" not in sealed_words(tenant)
    assert masked_values(tenant) == {}


def test_many_placeholders_in_one_text_are_read_with_no_more_queries_than_one(api: Api) -> None:
    """Nor with longer ones: a condition for each took time by the square of their number."""

    def queries(numbers: range) -> list[str]:
        text = " ".join(f"[PHONE_{number}]" for number in numbers)
        memory = api.write("alice", text, verbatim=True)["memory"]["id"]
        with CaptureQueriesContext(connection) as asked:
            assert api.get(f"/api/v1/memories/{memory}").json()["content"] == text
        return [query["sql"] for query in asked]

    few, many = queries(range(2, 3)), queries(range(10, 1_010))
    assert 0 < len(many) <= len(few)
    assert max(sql.count(" OR ") for sql in many) < len(PrivateKind)
