"""Checkpoints: what agrees with itself, but is not what was signed, is named."""

import json
import threading
import time
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection

from ledger import chain, checkpoint_checks, checkpoints, signing, tasks
from ledger.checkpoints import SignedHead, checkpoint_hash, heads_digest, newest_heads
from ledger.management.commands import verify_ledger
from ledger.models import Checkpoint, CheckpointHead, Entry, SigningKey
from ledger.services import make_checkpoint as making
from ledger.services.make_checkpoint import make_checkpoint
from tenants import crypto
from tenants.context import tenant_context
from tenants.directory import tenant_ids
from tenants.models import Subject
from tests.cast import Actor, Api, new_tenant
from tests.database import as_tamperer

VERIFY = "/api/v1/ledger/verify"
OF_SUBJECT = (
    "recall_trace",
    "recall_embedding",
    "recall_term",
    "ledger_memoryversion",
    "ledger_memory",
    "ledger_entrypayload",
    "ledger_entry",
    "ledger_head",
    "tenants_subjectsecret",
)
EVERY_CHECKPOINT = ("ledger_checkpointhead", "ledger_checkpoint", "ledger_signingkey")


def sign(tenant: Actor) -> Checkpoint | None:
    with tenant_context(tenant.tenant_id):
        return make_checkpoint()


def stored(tenant: Actor) -> list[Checkpoint]:
    with tenant_context(tenant.tenant_id):
        return list(Checkpoint.objects.order_by("number"))


def heads_with(checkpoint: Checkpoint) -> set[tuple[str, int]]:
    with tenant_context(checkpoint.tenant_id):
        rows = CheckpointHead.objects.filter(checkpoint_id=checkpoint.id)
        return set(rows.values_list("subject__external_id", "seq"))


def tamper(tenant: Actor, *statements: str, **values: Any) -> None:
    """Run SQL as the owner could; %(t)s is the tenant."""
    with as_tamperer() as cursor:
        for statement in statements:
            cursor.execute(statement, {"t": tenant.tenant_id} | values)


def remove_subject(tenant: Actor, subject_id: UUID, *more: str) -> None:
    """Everything of a subject, its own row too, without a trace in the chains of others."""
    tamper(
        tenant,
        *(
            f"DELETE FROM {table} WHERE tenant_id = %(t)s AND subject_id = %(s)s"
            for table in (*OF_SUBJECT, *more)
        ),
        "DELETE FROM tenants_subject WHERE tenant_id = %(t)s AND id = %(s)s",
        s=subject_id,
    )


def subject_id(tenant: Actor, name: str) -> UUID:
    with tenant_context(tenant.tenant_id):
        return Subject.objects.get(external_id=name).id


def verified(api: Api, **query: Any) -> Any:
    return api.get(VERIFY, **query).json()


@pytest.fixture
def signed(api: Api, tenant: Actor) -> list[Checkpoint]:
    """Three checkpoints: Alice and Bob, then more of Alice, then Eve and more of Bob."""
    for names in (("alice", "bob"), ("alice",), ("eve", "bob")):
        for name in names:
            api.write(name, f"Something about {name}: {len(stored(tenant))}")
        assert sign(tenant)
    assert verified(api)["ok"]
    return stored(tenant)


# --- Making


def test_a_checkpoint_stores_the_heads_that_moved_and_signs_them_all(
    tenant: Actor, signed: list[Checkpoint]
) -> None:
    assert [c.number for c in signed] == [1, 2, 3]
    assert [heads_with(c) for c in signed] == [
        {("alice", 1), ("bob", 1)},
        {("alice", 2)},
        {("eve", 1), ("bob", 2)},
    ]
    with tenant_context(tenant.tenant_id):
        heads = [
            SignedHead(entry.subject_id, entry.seq, bytes(entry.hash))
            for entry in Entry.objects.order_by("subject_id", "-seq").distinct("subject_id")
        ]
        assert list(newest_heads()) == heads
    assert heads_digest(heads) == bytes(signed[2].heads_digest)
    previous = chain.GENESIS
    for checkpoint in signed:
        assert bytes(checkpoint.previous) == previous
        previous = checkpoint_hash(checkpoint)
        key = Ed25519PublicKey.from_public_bytes(bytes(checkpoint.public_key))
        key.verify(bytes(checkpoint.signature), previous)


def test_where_nothing_was_written_nothing_is_signed(
    tenant: Actor, signed: list[Checkpoint]
) -> None:
    assert sign(tenant) is None
    assert len(stored(tenant)) == 3
    assert sign(new_tenant("nothing written " + str(tenant.tenant_id))) is None


def test_many_subjects_are_taken_in_batches(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (making, checkpoints, checkpoint_checks):
        monkeypatch.setattr(module, "BATCH", 2)
    for number in range(5):
        api.write(f"subject {number}", "Something")
    checkpoint = sign(tenant)
    assert checkpoint
    assert len(heads_with(checkpoint)) == 5
    assert verified(api)["ok"]
    with tenant_context(tenant.tenant_id):
        assert len(list(newest_heads())) == 5


def test_two_at_once_make_one_chain(api: Api, tenant: Actor) -> None:
    made: list[Checkpoint | None] = []

    def write_and_sign(name: str) -> None:
        own = Api(api.credential)
        for number in range(5):
            own.write(name, f"Number {number}")
            made.append(sign(tenant))
        connection.close()

    threads = [threading.Thread(target=write_and_sign, args=(n,)) for n in ("a", "b", "c", "d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    numbers = [c.number for c in stored(tenant)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) == len([c for c in made if c])
    assert verified(api)["ok"]


def test_the_signing_key_is_made_once_and_stored_wrapped(
    tenant: Actor, signed: list[Checkpoint]
) -> None:
    assert len({bytes(c.public_key) for c in signed}) == 1
    with tenant_context(tenant.tenant_id):
        key = signing.signing_key()
        assert SigningKey.objects.count() == 1
    assert key
    with as_tamperer() as cursor:
        cursor.execute(
            "SELECT wrapped_key FROM ledger_signingkey WHERE tenant_id = %s", [tenant.tenant_id]
        )
        assert "mhk1:" not in cursor.fetchone()[0]


def test_beat_has_every_tenant_signed(
    tenant: Actor, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduled = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.checkpoint_all.name in scheduled
    asked: list[str] = []
    with monkeypatch.context() as patched:
        patched.setattr(tasks.checkpoint_tenant, "delay", asked.append)
        tasks.checkpoint_all()
    assert set(asked) >= {str(tenant.tenant_id)}
    assert len(asked) == len(tenant_ids())

    api.write("alice", "To be signed by the worker")
    tasks.checkpoint_tenant.delay(str(tenant.tenant_id))
    deadline = time.monotonic() + 30
    while not stored(tenant) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert [c.number for c in stored(tenant)] == [1]


# --- Verifying what is stored


def flipped(column: str) -> str:
    return f"set_byte({column}, 0, get_byte({column}, 0) # 1)"


SECOND = "UPDATE ledger_checkpoint SET {} WHERE tenant_id = %(t)s AND number = 2"
HEADS_OF_SECOND = (
    "WHERE tenant_id = %(t)s AND checkpoint_id IN "
    "(SELECT id FROM ledger_checkpoint WHERE tenant_id = %(t)s AND number = 2)"
)
NEWEST_GONE = [
    "DELETE FROM ledger_checkpointhead WHERE tenant_id = %(t)s AND checkpoint_id IN "
    "(SELECT id FROM ledger_checkpoint WHERE tenant_id = %(t)s AND number = 3)",
    "DELETE FROM ledger_checkpoint WHERE tenant_id = %(t)s AND number = 3",
]

# What the owner does → the reason and the number of the checkpoint that is named.
TAMPERINGS = {
    **{
        f"one byte of {column}": ([SECOND.format(f"{column} = {flipped(column)}")], (reason, 2))
        for column, reason in {
            "previous": "checkpoint_altered",
            "changes_digest": "checkpoint_altered",
            "heads_digest": "checkpoint_altered",
            "hash": "checkpoint_altered",
            "signature": "signature",
            "public_key": "signature",
        }.items()
    },
    "when": ([SECOND.format("at = at - '1 day'::interval")], ("checkpoint_altered", 2)),
    "a head's hash": (
        [f"UPDATE ledger_checkpointhead SET hash = {flipped('hash')} {HEADS_OF_SECOND}"],
        ("checkpoint_altered", 2),
    ),
    "a head is deleted": (
        [f"DELETE FROM ledger_checkpointhead {HEADS_OF_SECOND}"],
        ("checkpoint_altered", 2),
    ),
    "a checkpoint is deleted": (
        ["DELETE FROM ledger_checkpoint WHERE tenant_id = %(t)s AND number = 2"],
        ("checkpoint_missing", 2),
    ),
    "the newest checkpoint is deleted, its heads are not": (
        [NEWEST_GONE[1]],
        ("checkpoint_altered", 2),
    ),
    "all checkpoints are deleted": (
        [f"DELETE FROM {table} WHERE tenant_id = %(t)s" for table in EVERY_CHECKPOINT[:2]],
        ("checkpoint_missing", 1),
    ),
    "the key is deleted": (
        ["DELETE FROM ledger_signingkey WHERE tenant_id = %(t)s"],
        ("signing_key", 1),
    ),
    "the key is replaced by one in clear": (
        ["UPDATE ledger_signingkey SET wrapped_key = 'mhk1:AAAA' WHERE tenant_id = %(t)s"],
        ("signing_key", 1),
    ),
}


@pytest.mark.parametrize("name", TAMPERINGS)
def test_an_altered_checkpoint_is_named(
    tenant: Actor, api: Api, signed: list[Checkpoint], name: str
) -> None:
    statements, (reason, number) = TAMPERINGS[name]
    tamper(tenant, *statements)
    answer = verified(api)
    broken = answer["checkpoints"]["broken"]
    assert not answer["ok"]
    assert answer["broken"] is None
    assert (broken["reason"], broken["number"]) == (reason, number)
    with pytest.raises(CommandError, match=rf"checkpoint {number}: .*\[{reason}\]"):
        command("verify_ledger", tenant)


def test_signing_anew_with_another_key_is_named(
    tenant: Actor, api: Api, signed: list[Checkpoint]
) -> None:
    """The owner computes and signs everything again, but cannot wrap the key."""
    key, previous = Ed25519PrivateKey.generate(), chain.GENESIS
    for checkpoint in signed:
        checkpoint.previous = previous
        previous = checkpoint_hash(checkpoint)
        tamper(
            tenant,
            "UPDATE ledger_checkpoint SET previous = %(previous)s, hash = %(hash)s, "
            "signature = %(signature)s, public_key = %(key)s "
            "WHERE tenant_id = %(t)s AND number = %(number)s",
            previous=bytes(checkpoint.previous),
            hash=previous,
            signature=key.sign(previous),
            key=key.public_key().public_bytes_raw(),
            number=checkpoint.number,
        )
    broken = verified(api)["checkpoints"]["broken"]
    assert (broken["reason"], broken["number"]) == ("signing_key", 1)


def test_a_cut_tail_is_named_though_the_head_was_set_back(
    tenant: Actor, api: Api, signed: list[Checkpoint]
) -> None:
    cut_tail(tenant, "alice")
    for answer in (verified(api), verified(api, subject="alice")):
        assert answer["broken"] is None
        broken = answer["checkpoints"]["broken"]
        assert (broken["number"], broken["reason"]) == (2, "entry_missing")
        assert (broken["subject"], broken["seq"]) == ("alice", 2)
    assert verified(api, subject="bob")["ok"]
    with pytest.raises(CommandError, match=r"checkpoint 2, subject 'alice' \(.*\), entry 2: "):
        command("verify_ledger", tenant)


def test_a_chain_computed_anew_is_named(tenant: Actor, api: Api, signed: list[Checkpoint]) -> None:
    """Nothing of the chain contradicts itself: only the signature knows better."""
    alice = subject_id(tenant, "alice")
    with tenant_context(tenant.tenant_id):
        first, last = Entry.objects.filter(subject_id=alice).order_by("seq")
    header = last.header | {"actor": "key:somebody"}
    forged = chain.entry_hash(bytes(first.hash), 2, header, bytes(last.payload_digest))
    tamper(
        tenant,
        "UPDATE ledger_entry SET header = %(header)s, actor = 'key:somebody', hash = %(hash)s "
        "WHERE tenant_id = %(t)s AND id = %(id)s",
        "UPDATE ledger_head SET hash = %(hash)s WHERE tenant_id = %(t)s AND id = %(s)s",
        header=json.dumps(header),
        hash=forged,
        id=last.id,
        s=alice,
    )
    answer = verified(api)
    assert answer["broken"] is None
    broken = answer["checkpoints"]["broken"]
    assert (broken["reason"], broken["subject"], broken["seq"]) == ("entry_changed", "alice", 2)


def test_a_vanished_subject_is_named(tenant: Actor, api: Api, signed: list[Checkpoint]) -> None:
    alice = subject_id(tenant, "alice")
    remove_subject(tenant, alice)
    answer = verified(api)
    assert (answer["broken"], answer["subjects"]) == (None, 2)
    broken = answer["checkpoints"]["broken"]
    assert (broken["reason"], broken["number"]) == ("subject_missing", 1)
    assert (broken["subject"], broken["subject_id"]) == (None, str(alice))
    with pytest.raises(CommandError, match=f"subject {alice}, entry 1: A subject .* is gone"):
        command("verify_ledger", tenant)
    # A later checkpoint does not forget it.
    api.write("bob", "Life goes on")
    assert sign(tenant)
    assert verified(api)["checkpoints"]["broken"] == broken
    with tenant_context(tenant.tenant_id):
        assert alice in {head.subject for head in newest_heads()}


def test_a_subject_that_vanished_from_the_checkpoints_too_leaves_a_hole_there(
    tenant: Actor, api: Api, signed: list[Checkpoint]
) -> None:
    remove_subject(tenant, subject_id(tenant, "alice"), "ledger_checkpointhead")
    broken = verified(api)["checkpoints"]["broken"]
    assert (broken["reason"], broken["number"]) == ("checkpoint_altered", 1)


def test_an_erased_subject_still_holds(
    tenant: Actor, api: Api, signed: list[Checkpoint], tmp_path: Path
) -> None:
    file = publish(tenant, tmp_path)
    assert api.client.delete("/api/v1/subjects/alice", headers=api._headers()).status_code == 200
    assert verified(api)["ok"]
    assert sign(tenant)
    assert verified(api)["ok"]
    command("verify_ledger", tenant, checkpoint=file)


# --- Publishing, and checking what was published


def command(name: str, tenant: Actor, **options: Any) -> str:
    out = StringIO()
    call_command(name, tenant=str(tenant.tenant_id), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def publish(tenant: Actor, folder: Path, **options: Any) -> Path:
    file = folder / "checkpoint.json"
    file.write_text(command("publish_checkpoint", tenant, **options))
    return file


def cut_tail(tenant: Actor, name: str) -> None:
    """Take the newest entry of a subject away and set its head back to the one before."""
    tamper(
        tenant,
        *(
            f"DELETE FROM {table} WHERE tenant_id = %(t)s AND subject_id = %(s)s AND "
            "id IN (SELECT id FROM ledger_entry WHERE tenant_id = %(t)s AND subject_id = %(s)s "
            "ORDER BY seq DESC LIMIT 1)"
            for table in ("ledger_entrypayload", "ledger_entry")
        ),
        "UPDATE ledger_head SET (seq, recorded_at, hash) = (SELECT seq, recorded_at, hash FROM "
        "ledger_entry WHERE tenant_id = %(t)s AND subject_id = %(s)s ORDER BY seq DESC LIMIT 1) "
        "WHERE tenant_id = %(t)s AND id = %(s)s",
        s=subject_id(tenant, name),
    )


def test_a_published_checkpoint_is_as_new_as_the_ledger_and_can_be_checked(
    tenant: Actor, api: Api, signed: list[Checkpoint], tmp_path: Path
) -> None:
    api.write("alice", "Not signed yet")
    told = json.loads(publish(tenant, tmp_path).read_text())
    assert (told["number"], told["tenant"]) == (4, str(tenant.tenant_id))
    assert {(head["subject"], head["seq"]) for head in told["heads"]} == {
        (str(subject_id(tenant, name)), seq) for name, seq in (("alice", 3), ("bob", 2), ("eve", 1))
    }
    said = command("verify_ledger", tenant, checkpoint=tmp_path / "checkpoint.json")
    assert "all 3 chains hold what checkpoint 4 of" in said
    assert "alice" not in json.dumps(told)
    api.write("alice", "Later entries are no contradiction")
    command("verify_ledger", tenant, checkpoint=tmp_path / "checkpoint.json")


def test_a_published_checkpoint_needs_no_database_to_be_checked(
    tenant: Actor, signed: list[Checkpoint], tmp_path: Path
) -> None:
    """What docs tell a reader to do with the file, in a few lines."""
    told = json.loads(publish(tenant, tmp_path).read_text())
    heads = [
        SignedHead(UUID(h["subject"]), h["seq"], bytes.fromhex(h["hash"])) for h in told["heads"]
    ]
    parts = {n: bytes.fromhex(told[n]) for n in ("previous", "changes_digest", "heads_digest")}
    assert heads_digest(heads) == parts["heads_digest"]
    said = crypto.digest(
        parts["previous"],
        UUID(told["tenant"]).bytes,
        told["number"].to_bytes(8, "big"),
        told["at"].encode(),
        parts["changes_digest"],
        parts["heads_digest"],
    )
    assert said.hex() == told["hash"]
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told["public_key"]))
    key.verify(bytes.fromhex(told["signature"]), said)


def test_a_database_that_was_set_back_is_named_by_the_file(
    tenant: Actor, api: Api, signed: list[Checkpoint], tmp_path: Path
) -> None:
    """As after restoring an old copy: everything in the database agrees."""
    file = publish(tenant, tmp_path)
    tamper(tenant, *NEWEST_GONE)
    cut_tail(tenant, "bob")
    remove_subject(tenant, subject_id(tenant, "eve"))
    assert verified(api)["ok"]
    with pytest.raises(CommandError) as caught:
        command("verify_ledger", tenant, checkpoint=file)
    said = str(caught.value)
    assert "the file's checkpoint 3, subject 'bob'" in said
    assert "entry 2: An entry of which this checkpoint tells is gone. [entry_missing]" in said
    assert "the file's checkpoint 3: This checkpoint is missing from the database" in said


@pytest.mark.parametrize("names", [True, False])
def test_a_subject_gone_with_all_its_traces_is_named_by_the_file(
    tenant: Actor, api: Api, signed: list[Checkpoint], tmp_path: Path, names: bool
) -> None:
    file, eve = publish(tenant, tmp_path, names=names), subject_id(tenant, "eve")
    remove_subject(tenant, eve)
    tamper(tenant, *(f"DELETE FROM {table} WHERE tenant_id = %(t)s" for table in EVERY_CHECKPOINT))
    assert verified(api)["ok"]
    called = f"subject 'eve' ({eve})" if names else f"subject {eve}"
    with pytest.raises(CommandError) as caught:
        command("verify_ledger", tenant, checkpoint=file)
    assert f"the file's checkpoint 3, {called}, entry 1: A subject" in str(caught.value)
    assert "[signing_key]" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"number": 2}, "checkpoint_altered"),
        ({"at": "2001-01-01T00:00:00+00:00"}, "checkpoint_altered"),
        ({"hash": "00" * 32}, "checkpoint_altered"),
        ({"signature": "00" * 64}, "signature"),
        ({"public_key": "00"}, "signature"),
        ({"heads": []}, "checkpoint_altered"),
    ],
)
def test_an_altered_file_is_not_believed(
    tenant: Actor, signed: list[Checkpoint], tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    file = publish(tenant, tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(CommandError, match=rf"the file's checkpoint \d: .*\[{reason}\]"):
        command("verify_ledger", tenant, checkpoint=file)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "memoryhub-checkpoint/1"}', "[" * 100_000, "\x00", "7"]
)
def test_what_is_no_checkpoint_is_refused(tenant: Actor, tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(CommandError, match="not a checkpoint"):
        command("verify_ledger", tenant, checkpoint=file)


def test_a_files_tenant_is_the_one_that_is_verified(
    tenant: Actor, signed: list[Checkpoint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = publish(tenant, tmp_path)
    out = StringIO()
    call_command("verify_ledger", checkpoint=file, stdout=out, stderr=StringIO())
    assert "all 3 chains hold" in out.getvalue()
    other = new_tenant("another " + str(tenant.tenant_id))
    with pytest.raises(CommandError, match="checkpoint of another tenant"):
        command("verify_ledger", other, checkpoint=file)
    monkeypatch.setattr(verify_ledger, "tenant_ids", list)
    with pytest.raises(CommandError, match=f"{tenant.tenant_id}, is gone"):
        call_command("verify_ledger", checkpoint=file, stdout=out, stderr=StringIO())


def test_publishing_needs_something_to_tell(tenant: Actor, api: Api) -> None:
    with pytest.raises(CommandError, match="nothing to sign"):
        command("publish_checkpoint", tenant)
    api.write("alice", "Something")
    assert sign(tenant)
    tamper(
        tenant,
        f"UPDATE ledger_checkpointhead SET hash = {flipped('hash')} WHERE tenant_id = %(t)s",
    )
    with pytest.raises(CommandError, match="verify_ledger"):
        command("publish_checkpoint", tenant)
