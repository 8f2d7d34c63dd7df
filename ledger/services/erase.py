"""The right to be forgotten: the one exception to "append-only", and it says so in the ledger.

The words go from every store, at all times; the entries stay with their digests, so that the chain
still checks; an `erase` entry records that it was done, by whom and when. Erasing a subject also
destroys its key, so that copies of the database elsewhere become unreadable with it.

Order of locks: the head first, as for every write; then the subject's row, of which everybody holds
a share who answers from the subject's words or encodes them (tenants.subject_lock): they are done
before the erasure, or find nothing.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.append import append, lock_head, next_moment
from ledger.derivations import derived_from
from ledger.models import Entry, EntryPayload, MemoryVersion, Turn, Verb
from ledger.rebuild import opened_words
from ledger.selectors import subject_of
from ledger.signing import sign_erasure
from ledger.stores import Doomed, stores
from tenants import clock, keys
from tenants.crypto import SubjectCipher
from tenants.errors import Invalid, NotFound
from tenants.models import ApiKey, Subject, SubjectSecret
from tenants.principals import Principal, Scope
from tenants.services.record_access import record_access

WORD_VERBS = (Verb.ASSERT, Verb.CHANGE, Verb.CORRECT, Verb.LINK)


@dataclass(frozen=True)
class Receipt:
    """What an erasure did: rows found in each store before, and left after. No content, no subject.

    For a dry run `entry` is None and nothing was touched.
    """

    scope: str
    found: dict[str, int]
    left: dict[str, int]
    entry: Entry | None


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where something was learned. At least one part is given."""

    session: str = ""
    agent: str = ""
    since: datetime | None = None

    def __post_init__(self) -> None:
        if not (self.session or self.agent or self.since):
            raise Invalid("Name a session, an agent or a time.", field="session")


def erase_subject(principal: Principal, external_id: str, *, dry_run: bool) -> Receipt:
    """Erase everything of a subject, and its key. Raises ScopeMissing, Pinned, NotFound."""
    subject = _locked(principal, external_id)
    principal.require_all_agents()
    doomed = Doomed(subject.id, keys.cipher_for(subject), everything=True)
    receipt = _erase(principal, subject, doomed, "subject", {"erased": "all"}, dry_run=dry_run)
    if not dry_run:
        SubjectSecret.objects.filter(id=subject.id).delete()
        ApiKey.objects.filter(subject=subject, revoked_at=None).update(revoked_at=clock.now())
        # The tenant's own id may name a person; its next use begins a new subject.
        Subject.objects.filter(id=subject.id).update(
            external_id=f"erased:{subject.id}",
            locale="",
            time_zone="UTC",
            erased_at=clock.now(),
        )
    return receipt


def erase_memory(principal: Principal, memory_id: UUID, *, dry_run: bool) -> Receipt:
    """Erase one memory at all times. Raises ScopeMissing, NotFound."""
    principal.require(Scope.ERASE)
    subject = _locked(principal, subject_of(principal, memory_id).external_id)
    entries = Entry.objects.filter(subject=subject, memory_id=memory_id)
    return _erase_entries(principal, subject, entries, "memory", dry_run=dry_run)


def erase_learned(
    principal: Principal, external_id: str, source: Source, *, dry_run: bool
) -> Receipt:
    """Erase the words that were learned from a source. Raises ScopeMissing, Pinned, NotFound."""
    subject = _locked(principal, external_id)
    entries = learned_from(principal, subject, source)
    turns = _turns_from(subject, principal.acting_agent(source.agent), source)
    return _erase_entries(principal, subject, entries, "source", turns=turns, dry_run=dry_run)


def learned_from(principal: Principal, subject: Subject, source: Source) -> QuerySet[Entry]:
    """The entries of a subject whose words came from a source. Raises Pinned.

    A caller who may act as one agent only reaches what that agent has said.
    """
    agent = principal.acting_agent(source.agent)
    rows = Entry.objects.filter(subject=subject, verb__in=WORD_VERBS).order_by("seq")
    if source.session:
        rows = rows.filter(header__facts__session=source.session)
    if agent:
        rows = rows.filter(header__facts__agent=agent)
    if source.since:
        rows = rows.filter(recorded_at__gte=source.since)
    return rows


def _locked(principal: Principal, external_id: str) -> Subject:
    principal.require(Scope.ERASE)
    principal.require_visible(external_id)
    found = Subject.objects.filter(external_id=external_id, erased_at=None).first()
    if found is None:
        raise NotFound
    lock_head(found)
    rows = Subject.objects.select_for_update()
    subject = rows.filter(id=found.id, erased_at=None).first()
    if subject is None:
        raise NotFound
    return subject


def _erase_entries(
    principal: Principal,
    subject: Subject,
    entries: QuerySet[Entry],
    scope: str,
    *,
    turns: QuerySet[Turn] | None = None,
    dry_run: bool,
) -> Receipt:
    """Erase the words of some entries, and every version and memory that only they made.

    With them go what was derived from these memories, and the turns in which they were said.
    """
    cipher = keys.cipher_for(subject)
    rows = MemoryVersion.objects.filter(subject=subject)
    found = frozenset(entries.filter(verb__in=WORD_VERBS).values_list("id", flat=True))
    derived = derived_from(_memories(rows.filter(entry_id__in=found)))
    theirs = Entry.objects.filter(subject=subject, memory_id__in=derived, verb__in=WORD_VERBS)
    found |= frozenset(theirs.values_list("id", flat=True))
    touched = rows.filter(entry_id__in=found)
    memories = _memories(touched)
    kept = _memories(rows.filter(memory_id__in=memories).exclude(entry_id__in=found))
    said = _turns_of(found, cipher)
    if turns is not None:
        said |= set(turns.values_list("id", flat=True))
    doomed = Doomed(
        subject.id,
        cipher,
        everything=False,
        entries=found,
        memories=frozenset(memories - kept),
        versions=frozenset(touched.values_list("id", flat=True)),
        turns=frozenset(said),
    )
    facts = {"erased": sorted(str(entry) for entry in found)}
    return _erase(principal, subject, doomed, scope, facts, dry_run=dry_run)


def _memories(versions: QuerySet[MemoryVersion]) -> set[UUID]:
    return set(versions.values_list("memory_id", flat=True))


def _turns_of(entries: frozenset[UUID], cipher: SubjectCipher) -> set[UUID]:
    """The turns in which the words of some entries were said."""
    said = set()
    for payload in EntryPayload.objects.filter(id__in=entries):
        if turn := opened_words(payload, cipher).get("decisions", {}).get("turn"):
            said.add(UUID(turn))
    return said


def _turns_from(subject: Subject, agent: str, source: Source) -> QuerySet[Turn]:
    """All turns of a source, whether anything was learned from them or not."""
    rows = Turn.objects.filter(subject=subject)
    if source.session:
        rows = rows.filter(session__external_id=source.session)
    if agent:
        rows = rows.filter(agent=agent)
    if source.since:
        rows = rows.filter(created_at__gte=source.since)
    return rows


def _erase(
    principal: Principal,
    subject: Subject,
    doomed: Doomed,
    scope: str,
    facts: dict[str, Any],
    *,
    dry_run: bool,
) -> Receipt:
    head = lock_head(subject)
    found = _count(doomed)
    if dry_run or not (doomed.everything or any(found.values())):
        return Receipt(scope, found, found, None)
    if doomed.everything:
        # The words of this entry go with all others; the signature stands in for them.
        facts |= {"proof": sign_erasure(subject.id, head.seq + 1, bytes(head.hash))}
    entry = append(
        head,
        doomed.cipher,
        verb=Verb.ERASE,
        actor=principal.actor,
        recorded_at=next_moment(head),
        memory_id=None,
        facts={"facts": facts, "effect": {"closed": [], "opened": []}},
        words={},
    )
    for store in stores():
        store.forget(doomed)
    record_access(principal, action=f"erase {scope}", object_id=str(subject.id))
    return Receipt(scope, found, _count(doomed), entry)


def _count(doomed: Doomed) -> dict[str, int]:
    return {name: n for store in stores() for name, n in store.count(doomed).items()}
