"""What was derived from memories (summaries, insights) vanishes with them.

Which memory comes from which is a view of the entries' headers. Whatever takes away a version that
something was derived from withdraws what was derived, in the same transaction.
"""

from collections.abc import Iterable
from uuid import UUID

from ledger.models import Entry, MemorySource, MemoryVersion, Verb

# These say no less of a memory than before: what was derived from it still holds.
HARMLESS = frozenset({Verb.WEIGH, Verb.LINK, Verb.APPROVE})


def keep_sources(entry: Entry) -> None:
    """Store from what an entry's memory was derived, as its header says."""
    sources = entry.header["facts"].get("sources", ())
    if not sources or entry.memory_id is None:
        return
    MemorySource.objects.bulk_create(
        [
            MemorySource(
                subject_id=entry.subject_id, memory_id=entry.memory_id, source_id=UUID(source)
            )
            for source in sources
        ],
        ignore_conflicts=True,
    )


def orphaned(verb: str, closed: Iterable[UUID]) -> list[tuple[UUID, list[UUID]]]:
    """The derived memories that lost a source when `verb` closed versions, with their versions."""
    if verb in HARMLESS:
        return []
    touched = MemoryVersion.objects.filter(id__in=list(closed)).values("memory_id")
    derived = MemorySource.objects.filter(source_id__in=touched).values("memory_id")
    found: dict[UUID, list[UUID]] = {}
    rows = MemoryVersion.objects.filter(memory_id__in=derived, recorded_to=None)
    for version_id, memory_id in rows.order_by("seq_from", "id").values_list("id", "memory_id"):
        found.setdefault(memory_id, []).append(version_id)
    return list(found.items())


def derived_from(memories: set[UUID]) -> set[UUID]:
    """All memories that were derived from these, and from those, and so on."""
    found: set[UUID] = set()
    wanted = memories
    while wanted:
        rows = MemorySource.objects.filter(source_id__in=wanted)
        wanted = set(rows.values_list("memory_id", flat=True)) - found - memories
        found |= wanted
    return found


def sources_of(memory_id: UUID) -> list[UUID]:
    """The memories from which one was derived; none for what somebody said."""
    rows = MemorySource.objects.filter(memory_id=memory_id).order_by("id")
    return list(rows.values_list("source_id", flat=True))
