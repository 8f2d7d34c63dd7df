"""Retract everything that was learned from a source: it turned out to be wrong."""

from collections import defaultdict
from uuid import UUID

from ledger.models import Entry, MemoryVersion, Verb
from ledger.rectangles import Effect
from ledger.services.erase import Source, learned_from
from ledger.writing import writing
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import Principal


def retract_learned(
    principal: Principal, external_id: str, source: Source, *, dry_run: bool
) -> list[Entry]:
    """Close every current version whose words came from the source, one entry a memory.

    What such a version had taken the place of is not believed again by itself: `undo` does that.
    In a dry run nothing is written and the entries that taught the words are given instead.
    Raises ScopeMissing, Pinned, NotFound.
    """
    principal.require_visible(external_id)
    subject = Subject.objects.filter(external_id=external_id).first()
    if subject is None:
        raise NotFound
    work = writing(principal, subject)
    taught = list(learned_from(principal, subject, source))
    rows = MemoryVersion.objects.filter(
        subject=subject, recorded_to=None, entry_id__in=[entry.id for entry in taught]
    )
    by_memory: dict[UUID, list[UUID]] = defaultdict(list)
    for version_id, memory_id in rows.order_by("seq_from", "id").values_list("id", "memory_id"):
        by_memory[memory_id].append(version_id)
    if dry_run:
        return [entry for entry in taught if entry.memory_id in by_memory]
    entries = []
    for memory_id, versions in by_memory.items():
        # What was derived from another one of these is withdrawn with it already.
        if MemoryVersion.objects.filter(id__in=versions, recorded_to=None).exists():
            effect = Effect(tuple(versions))
            entries.append(work.next().record(Verb.RETRACT, memory_id, effect, facts={})[0])
    return entries
