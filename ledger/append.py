"""Appending to a subject's chain: its lock, its clock, its next entry."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from ledger import chain
from ledger.models import Entry, EntryPayload, Head
from tenants import clock, ids
from tenants.crypto import SubjectCipher
from tenants.models import Subject

TICK = timedelta(microseconds=1)


def lock_head(subject: Subject) -> Head:
    """The subject's newest entry, locked until the transaction ends.

    Writers of one subject queue here; writers of different subjects never meet. Nothing slow may
    happen while it is held.
    """
    # NO KEY: foreign key checks against the head may go on.
    heads = Head.objects.select_for_update(no_key=True)
    found = heads.filter(id=subject.id).first()
    if found is not None:
        return found
    # Two first writers race here; the slower one's insert is ignored and it locks the other's row.
    Head.objects.bulk_create([Head(id=subject.id, subject=subject)], ignore_conflicts=True)
    return heads.get(id=subject.id)


def next_moment(head: Head) -> datetime:
    """Recorded time of the next entry: the clock, but always later than the last entry.

    Read under the lock. The database's now() would not do: it is the transaction's start, so that
    a later entry could carry an earlier time.
    """
    moment = clock.now()
    return moment if head.recorded_at is None else max(moment, head.recorded_at + TICK)


def append(
    head: Head,
    cipher: SubjectCipher,
    *,
    verb: str,
    actor: str,
    recorded_at: datetime,
    memory_id: UUID | None,
    facts: dict[str, Any],
    words: dict[str, Any],
) -> Entry:
    """Write the next entry of a locked chain and move its head.

    `facts` stay readable in the header; `words` are sealed. Both are JSON values. An entry without
    words seals {}: nobody without the subject's key can add an entry that verifies.
    """
    seq = head.seq + 1
    entry_id = ids.new_id()
    header = {
        "tenant": str(head.tenant_id),
        "subject": str(head.id),
        "entry": str(entry_id),
        "recorded_at": recorded_at.isoformat(),
        "verb": verb,
        "memory": memory_id and str(memory_id),
        "actor": actor,
        **facts,
    }
    salt = chain.new_salt()
    digest = chain.payload_digest(salt, words)
    entry = Entry(
        id=entry_id,
        subject_id=head.id,
        seq=seq,
        recorded_at=recorded_at,
        verb=verb,
        memory_id=memory_id,
        actor=actor,
        header=header,
        payload_digest=digest,
        hash=chain.entry_hash(bytes(head.hash), seq, header, digest),
    )
    entry.save(force_insert=True)
    sealed = cipher.seal(entry_id, chain.canonical({"salt": salt.hex(), "words": words}))
    EntryPayload(id=entry_id, entry=entry, subject_id=head.id, sealed=sealed).save(
        force_insert=True
    )
    Head.objects.filter(id=head.id).update(seq=seq, recorded_at=recorded_at, hash=entry.hash)
    head.seq, head.recorded_at, head.hash = seq, recorded_at, entry.hash
    return entry
