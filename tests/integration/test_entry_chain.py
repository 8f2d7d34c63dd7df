"""The chain at rest: every hash of a subject can be computed again from what is stored."""

import json
from datetime import UTC, datetime
from uuid import UUID

from ledger import chain
from ledger.models import Entry, EntryPayload, Head
from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api


def recomputed(tenant_id: UUID, external_id: str) -> list[tuple[bytes, bytes]]:
    """For each entry of a subject in order: the hash that is stored, and the one it should be."""
    with tenant_context(tenant_id):
        subject = Subject.objects.get(external_id=external_id)
        cipher = keys.cipher_for(subject)
        payloads = {p.id: p for p in EntryPayload.objects.filter(subject=subject)}
        found, previous = [], chain.GENESIS
        for number, entry in enumerate(
            Entry.objects.filter(subject=subject).order_by("seq"), start=1
        ):
            opened = json.loads(cipher.open(entry.id, payloads[entry.id].sealed))
            digest = chain.payload_digest(bytes.fromhex(opened["salt"]), opened["words"])
            previous = chain.entry_hash(previous, number, entry.header, digest)
            found.append((bytes(entry.hash), previous))
        head = Head.objects.get(id=subject.id)
        assert (head.seq, bytes(head.hash)) == (len(found), previous)
        return found


def test_every_hash_of_a_subject_follows_from_its_header_and_words(api: Api, tenant: Actor) -> None:
    api.write("alice", "I moved to Hangzhou", metadata={"a": 1.5, "城": ["x", None]})
    api.write("bob", "between them")
    api.write("alice", "我五月搬到了杭州", valid_from="2024-05-01T09:30:00+08:00", confidence=0.1)
    api.write("alice", "I like tea 🎉", kind="preference", attribute="drink", value="tea")
    api.write("alice", "I like tea 🎉", kind="preference", attribute="drink", value="tea")
    hashes = recomputed(tenant.tenant_id, "alice")
    assert len(hashes) == 3
    assert all(stored == again for stored, again in hashes)
    assert len(recomputed(tenant.tenant_id, "bob")) == 1


def test_the_header_repeats_what_the_row_says(api: Api, tenant: Actor) -> None:
    """A row that was altered beside its header would be noticed by comparing the two."""
    memory = api.write("alice", "I like tea", agent="shop", session="s-1")["memory"]
    with tenant_context(tenant.tenant_id):
        entry = Entry.objects.get(memory_id=memory["id"])
        assert entry.header | {"seq": entry.seq} == entry.header | {"seq": 1}
        assert entry.header["entry"] == str(entry.id)
        assert entry.header["tenant"] == str(entry.tenant_id)
        assert entry.header["subject"] == str(entry.subject_id)
        assert entry.header["memory"] == str(entry.memory_id) == memory["id"]
        assert entry.header["recorded_at"] == entry.recorded_at.isoformat()
        assert (entry.header["verb"], entry.header["actor"]) == (entry.verb, entry.actor)


def test_recorded_time_strictly_increases_even_when_the_clock_stands_still_or_goes_back(
    tenant: Actor,
) -> None:
    principal = tenant.principal
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    moments = [noon, noon, noon, datetime(2024, 5, 1, 11, tzinfo=UTC)]
    for number, moment in enumerate(moments):
        with clock.frozen(moment), tenant_context(tenant.tenant_id):
            remember(
                principal,
                subject="alice",
                statement=Statement(content=f"fact {number}"),
                policy=current_policy(),
            )
    with tenant_context(tenant.tenant_id):
        entries = list(Entry.objects.order_by("seq"))
    recorded = [entry.recorded_at for entry in entries]
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    assert recorded[0] == noon
    assert recorded == sorted(set(recorded))
    assert all(stored == again for stored, again in recomputed(tenant.tenant_id, "alice"))


def test_one_clock_time_serves_several_subjects(tenant: Actor) -> None:
    """Subjects do not push each other's recorded time forward."""
    principal = tenant.principal
    noon = datetime(2024, 5, 1, 12, tzinfo=UTC)
    with clock.frozen(noon), tenant_context(tenant.tenant_id):
        for subject in ("alice", "bob"):
            written = remember(
                principal,
                subject=subject,
                statement=Statement(content="x"),
                policy=current_policy(),
            )
            assert written.entry.recorded_at == noon
            assert written.entry.seq == 1
