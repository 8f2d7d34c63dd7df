"""Verification: whatever the owner of the database does to a chain, the first break is named."""

import subprocess
import sys
import threading
from dataclasses import dataclass
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from ledger import chain, verification
from ledger.models import Entry
from tenants.context import tenant_context
from tenants.models import Subject
from tenants.principals import Scope
from tenants.services.api_keys import create_api_key
from tests.cast import Actor, Api
from tests.database import as_tamperer
from tests.stack import ROOT

VERIFY = "/api/v1/ledger/verify"
LENGTH = 5
EVERY_TABLE = (
    "recall_embedding",
    "recall_term",
    "ledger_memoryversion",
    "ledger_memory",
    "ledger_entrypayload",
    "ledger_entry",
    "ledger_head",
    "tenants_subjectsecret",
)


@dataclass(frozen=True)
class Chain:
    """Alice's chain of LENGTH entries, in a tenant of the test's own where Bob has one as well."""

    tenant_id: UUID
    subject_id: UUID
    entries: list[Entry]

    def tamper(self, *statements: str, **values: Any) -> None:
        """Run SQL as the owner could; %(t)s and %(s)s are the tenant and the subject."""
        with as_tamperer() as cursor:
            for statement in statements:
                cursor.execute(statement, {"t": self.tenant_id, "s": self.subject_id} | values)


@pytest.fixture
def ledger(api: Api, tenant: Actor) -> Chain:
    for number in range(LENGTH):
        api.write("alice", f"Fact number {number}")
        api.write("bob", f"Other fact number {number}")
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
        entries = list(Entry.objects.filter(subject=subject).order_by("seq"))
    return Chain(tenant.tenant_id, subject.id, entries)


def command(tenant_id: UUID, **options: Any) -> str:
    """What `verify_ledger` says of a tenant, whether all holds or not."""
    out = StringIO()
    try:
        call_command(
            "verify_ledger", tenant=str(tenant_id), stdout=out, stderr=StringIO(), **options
        )
    except CommandError as error:
        return str(error)
    return out.getvalue()


ENTRY = "UPDATE ledger_entry SET {} WHERE tenant_id = %(t)s AND subject_id = %(s)s AND seq = 3"
HEAD = "UPDATE ledger_head SET {} WHERE tenant_id = %(t)s AND id = %(s)s"
PAYLOAD = (
    "UPDATE ledger_entrypayload SET sealed = {} WHERE tenant_id = %(t)s AND id IN (SELECT id FROM "
    "ledger_entry WHERE tenant_id = %(t)s AND subject_id = %(s)s AND seq = 3)"
)
OF_ALICE = "WHERE tenant_id = %(t)s AND subject_id = %(s)s"


def flipped(column: str, byte: int) -> str:
    return f"set_byte({column}, {byte}, get_byte({column}, {byte}) # 1)"


# What the owner does → the reason and the number of the entry that is named.
TAMPERINGS = {
    "a fact in the header": (
        [ENTRY.format("header = jsonb_set(header, '{facts,importance}', '6')")],
        ("hash", 3),
    ),
    "one byte of a header's text": (
        [ENTRY.format("header = jsonb_set(header, '{actor}', '\"key:somebody\"')")],
        ("hash", 3),
    ),
    "the whole header": ([ENTRY.format("header = '[1]'")], ("hash", 3)),
    "one byte of the hash": ([ENTRY.format(f"hash = {flipped('hash', 31)}")], ("hash", 3)),
    "one byte of the words' digest": (
        [ENTRY.format(f"payload_digest = {flipped('payload_digest', 0)}")],
        ("hash", 3),
    ),
    "one byte of the words": ([PAYLOAD.format(flipped("sealed", 20))], ("words_damaged", 3)),
    "the words of another entry": (
        [
            PAYLOAD.format(
                "(SELECT p.sealed FROM ledger_entrypayload p JOIN ledger_entry e USING "
                "(tenant_id, id) WHERE e.tenant_id = %(t)s AND e.subject_id = %(s)s AND e.seq = 4)"
            )
        ],
        ("words_damaged", 3),
    ),
    "who did it": ([ENTRY.format("actor = 'somebody'")], ("column", 3)),
    "what was done": ([ENTRY.format("verb = 'retract'")], ("column", 3)),
    "of which memory": ([ENTRY.format("memory_id = gen_random_uuid()")], ("column", 3)),
    "when, a little": ([ENTRY.format("recorded_at = recorded_at + '1 us'")], ("column", 3)),
    "when, before the others": ([ENTRY.format("recorded_at = '2001-01-01Z'")], ("order", 3)),
    "an entry in the middle is deleted": (
        [f"DELETE FROM ledger_entry {OF_ALICE} AND seq = 3"],
        ("missing", 3),
    ),
    "the first entry is deleted": (
        [f"DELETE FROM ledger_entry {OF_ALICE} AND seq = 1"],
        ("missing", 1),
    ),
    "the tail is deleted": ([f"DELETE FROM ledger_entry {OF_ALICE} AND seq > 3"], ("missing", 4)),
    "all entries are deleted": ([f"DELETE FROM ledger_entry {OF_ALICE}"], ("missing", 1)),
    "two entries change places": (
        [
            f"UPDATE ledger_entry SET seq = -2 {OF_ALICE} AND seq = 2",
            ENTRY.format("seq = 2"),
            f"UPDATE ledger_entry SET seq = 3 {OF_ALICE} AND seq = -2",
        ],
        ("hash", 2),
    ),
    "an entry is put before all others": (
        [f"UPDATE ledger_entry SET seq = -1 {OF_ALICE} AND seq = 5"],
        ("order", -1),
    ),
    "the words are deleted": (
        [
            f"DELETE FROM ledger_entrypayload {OF_ALICE} AND id IN "
            f"(SELECT id FROM ledger_entry {OF_ALICE} AND seq = 3)"
        ],
        ("words_missing", 3),
    ),
    "the key is deleted": ([f"DELETE FROM tenants_subjectsecret {OF_ALICE}"], ("key_missing", 1)),
    "the key is replaced": (
        [f"UPDATE tenants_subjectsecret SET wrapped_key = 'mhk1:AAAA' {OF_ALICE}"],
        ("key_missing", 1),
    ),
    "the head's hash": ([HEAD.format(f"hash = {flipped('hash', 0)}")], ("head", 5)),
    "the head's time": ([HEAD.format("recorded_at = recorded_at - '1 us'::interval")], ("head", 5)),
    "the head is set back": ([HEAD.format("seq = 4")], ("head", 5)),
    "the head is deleted": ([f"DELETE FROM ledger_head {OF_ALICE}"], ("head", 5)),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_what_the_owner_alters_is_named(ledger: Chain, api: Api, name: str) -> None:
    """Over REST and on the command line; the untouched ledger holds: the change is the cause."""
    before = api.get(VERIFY).json()
    assert before["ok"], before
    assert (before["subjects"], before["entries"]) == (2, 2 * LENGTH)
    assert "all hold" in command(ledger.tenant_id)

    statements, (reason, seq) = TAMPERINGS[name]
    stands = {entry.seq: str(entry.id) for entry in ledger.entries}
    ledger.tamper(*statements)

    answer = api.get(VERIFY).json()
    broken = answer["broken"]
    assert not answer["ok"]
    assert (broken["subject"], broken["reason"], broken["seq"]) == ("alice", reason, seq)
    if reason == "missing":
        assert broken["entry"] is None
    elif seq == 3:
        assert broken["entry"] == stands[3]
    assert broken["message"]
    assert api.get(VERIFY, subject="alice").json()["broken"] == broken
    assert api.get(VERIFY, subject="bob").json()["ok"]
    said = command(ledger.tenant_id)
    assert f"subject 'alice' ({ledger.subject_id}), entry {seq}" in said
    assert said.endswith(f"[{reason}]")
    assert broken["entry"] is None or broken["entry"] in said


def test_words_that_were_not_hashed_are_named_though_the_chain_was_computed_anew(
    ledger: Chain, api: Api
) -> None:
    last, before = ledger.entries[-1], ledger.entries[-2]
    other = bytes(32)
    forged = chain.entry_hash(bytes(before.hash), last.seq, last.header, other)
    ledger.tamper(
        f"UPDATE ledger_entry SET payload_digest = %(d)s, hash = %(h)s {OF_ALICE} AND seq = 5",
        HEAD.format("hash = %(h)s"),
        d=other,
        h=forged,
    )
    broken = api.get(VERIFY).json()["broken"]
    assert (broken["reason"], broken["seq"]) == ("words_changed", 5)


def test_entries_without_a_subject_are_named(ledger: Chain, api: Api) -> None:
    ledger.tamper("DELETE FROM tenants_subject WHERE tenant_id = %(t)s AND id = %(s)s")
    broken = api.get(VERIFY).json()["broken"]
    assert broken == {
        "subject": None,
        "subject_id": str(ledger.subject_id),
        "seq": 1,
        "entry": str(ledger.entries[0].id),
        "reason": "subject_missing",
        "message": "The subject of this entry is gone.",
    }
    assert f"subject {ledger.subject_id}, entry 1" in command(ledger.tenant_id)


def test_a_head_without_a_subject_is_named(ledger: Chain, api: Api) -> None:
    ledger.tamper(
        f"DELETE FROM ledger_entry {OF_ALICE}",
        "DELETE FROM tenants_subject WHERE tenant_id = %(t)s AND id = %(s)s",
    )
    broken = api.get(VERIFY).json()["broken"]
    assert (broken["subject_id"], broken["reason"]) == (str(ledger.subject_id), "subject_missing")


def test_an_entry_moved_to_another_subject_is_named_there(ledger: Chain, api: Api) -> None:
    """The newest of Alice's entries becomes Bob's newest: each chain says where it stops."""
    with tenant_context(ledger.tenant_id):
        bob = Subject.objects.get(external_id="bob")
    ledger.tamper(
        f"UPDATE ledger_entry SET subject_id = %(bob)s, seq = 6 {OF_ALICE} AND seq = 5",
        bob=bob.id,
    )
    alice, his = (api.get(VERIFY, subject=name).json()["broken"] for name in ("alice", "bob"))
    assert (alice["reason"], alice["seq"]) == ("missing", 5)
    assert (his["reason"], his["seq"]) == ("order", 6)


# --- What is as it should be


def test_every_verb_leaves_a_chain_that_holds(api: Api) -> None:
    memory = api.write(
        "alice", "I live in 杭州", attribute="home_city", confidence=-0.0, importance=1
    )["memory"]
    path = f"/api/v1/memories/{memory['id']}"
    for verb, body in [
        ("weigh", {"weight": 0.30000000000000004}),
        ("change", {"content": "I live in Suzhou 🏯", "confidence": 1e-7}),
        ("end", {}),
    ]:
        assert api.post(f"{path}/{verb}", body).status_code == 200
    assert api.post(f"{path}/undo", {"entry": _newest(api)}).status_code == 200
    assert api.post(f"{path}/retract", {}).status_code == 200
    answer = api.get(VERIFY).json()
    assert answer["ok"], answer
    assert answer["entries"] == 6


def _newest(api: Api) -> str:
    newest: str = api.get("/api/v1/ledger", subject="alice").json()["results"][0]["id"]
    return newest


@pytest.mark.parametrize("scope", ["subject", "memory", "source"])
def test_erased_words_are_no_break_but_others_still_are(
    ledger: Chain, api: Api, scope: str
) -> None:
    kept = api.write("alice", "This one stays", session="other")["entry"]["id"]
    if scope == "subject":
        answer = api.client.delete("/api/v1/subjects/alice", headers=api._headers())
    elif scope == "memory":
        answer = api.post(f"/api/v1/memories/{ledger.entries[2].memory_id}/erase", {})
    else:
        api.write("alice", "Said in a session", session="s1")
        answer = api.post("/api/v1/subjects/alice/erase", {"session": "s1"})
    assert answer.status_code == 200, answer.content
    assert answer.json()["entry"]
    report = api.get(VERIFY).json()
    assert report["ok"], report
    assert report["subjects"] == 2
    if scope == "subject":
        ledger.tamper(
            f"DELETE FROM ledger_entry {OF_ALICE} AND verb = 'erase'", HEAD.format("seq = 6")
        )
        assert api.get(VERIFY).json()["broken"]["reason"] == "words_missing"
    else:
        ledger.tamper(
            "DELETE FROM ledger_entrypayload WHERE tenant_id = %(t)s AND id = %(k)s", k=kept
        )
        broken = api.get(VERIFY).json()["broken"]
        assert (broken["reason"], broken["entry"]) == ("words_missing", kept)


def test_a_subject_named_by_nobody_and_one_without_entries(api: Api) -> None:
    assert api.get(VERIFY).json() == {
        "ok": True,
        "subjects": 0,
        "entries": 0,
        "broken": None,
        "checkpoints": {"count": 0, "latest": None, "broken": None},
    }
    assert api.get(VERIFY, subject="nobody").status_code == 404


def test_long_chains_are_walked_in_pages(
    ledger: Chain, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "PAGE", 2)
    monkeypatch.setattr(verification, "BATCH", 1)
    answer = api.get(VERIFY).json()
    assert (answer["ok"], answer["subjects"], answer["entries"]) == (True, 2, 2 * LENGTH)
    ledger.tamper(ENTRY.format("actor = 'somebody'"))
    assert api.get(VERIFY).json()["broken"]["seq"] == 3


def test_writing_and_erasing_meanwhile_is_no_break(
    ledger: Chain, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "PAGE", 3)
    failed: list[Any] = []

    def write(subject: str) -> None:
        own = Api(api.credential)
        for number in range(20):
            memory = own.write(subject, f"Meanwhile {number}", verbatim=True)["memory"]["id"]
            if number % 4 == 0:
                own.post(f"/api/v1/memories/{memory}/erase", {})
        connection.close()

    writers = [threading.Thread(target=write, args=(name,)) for name in ("alice", "bob", "eve")]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        answer = api.get(VERIFY).json()
        if not answer["ok"]:
            failed.append(answer)
    assert failed == []
    assert api.get(VERIFY).json()["entries"] == 2 * LENGTH + 3 * 25


# --- Who may ask


def key(tenant: Actor, *scopes: Scope, **pins: Any) -> Api:
    with tenant_context(tenant.tenant_id):
        if name := pins.pop("subject", None):
            pins["subject"] = Subject.objects.get(external_id=name)
        return Api(create_api_key(name="test", scopes=frozenset(scopes), **pins)[1])


def test_verification_needs_the_scope_admin(ledger: Chain, tenant: Actor) -> None:
    for scopes, status in (((Scope.READ, Scope.WRITE), 403), ((Scope.ADMIN,), 200)):
        assert key(tenant, *scopes).get(VERIFY).status_code == status


def test_who_is_pinned_verifies_their_own_subject_only(ledger: Chain, tenant: Actor) -> None:
    pinned = key(tenant, Scope.ADMIN, subject="alice")
    assert pinned.get(VERIFY).json()["error"]["code"] == "pinned"
    assert pinned.get(VERIFY, subject="bob").json()["error"]["code"] == "pinned"
    own = pinned.get(VERIFY, subject="alice").json()
    assert (own["ok"], own["subjects"], own["entries"]) == (True, 1, LENGTH)
    assert key(tenant, Scope.ADMIN, agent="a").get(VERIFY).json()["error"]["code"] == "pinned"


# --- The command


def test_the_exit_status_tells(ledger: Chain) -> None:
    def run(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [
                sys.executable,
                "manage.py",
                "verify_ledger",
                "--tenant",
                str(ledger.tenant_id),
                *more,
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

    whole = run()
    assert whole.returncode == 0, whole.stderr
    assert "2 subjects, 10 entries, 0 checkpoints: all hold" in whole.stdout
    assert "10 entries" in whole.stderr  # the progress
    ledger.tamper(ENTRY.format(f"hash = {flipped('hash', 0)}"))
    broken = run()
    assert broken.returncode == 1
    assert f"subject 'alice' ({ledger.subject_id}), entry 3" in broken.stderr
    assert run("--subject", "bob").returncode == 0
    assert run("--subject", "alice").returncode == 1


@pytest.mark.parametrize(
    "options",
    [{"subject": "alice"}, {"tenant": "no such tenant"}, {"tenant": "", "subject": "x"}],
)
def test_the_command_says_what_it_needs(options: dict[str, Any]) -> None:
    with pytest.raises(CommandError):
        call_command("verify_ledger", stdout=StringIO(), stderr=StringIO(), **options)
