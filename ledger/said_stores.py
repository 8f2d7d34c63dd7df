"""What was said, as stores that can be counted and forgotten (ledger.stores.Store)."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from ledger import tail
from ledger.masking import Reader, placeholders_in
from ledger.models import EntryPayload, Job, MaskedValue, MemorySource, Session, Turn
from ledger.outcomes import outcome_of
from ledger.policy.privacy import PrivateKind
from ledger.privacy import placeholder
from ledger.stores import Doomed
from tenants.models import Subject


class Private:
    """Originals of masked values: all of a subject's, or those that only doomed words refer to.

    It has to forget before the words do, since it reads them.
    """

    def _rows(self, doomed: Doomed) -> QuerySet[MaskedValue]:
        rows = MaskedValue.objects.filter(subject_id=doomed.subject_id)
        if doomed.everything:
            return rows
        payloads = EntryPayload.objects.filter(subject_id=doomed.subject_id)
        turns = Turn.objects.filter(subject_id=doomed.subject_id)
        going = placeholders_in(payloads.filter(id__in=doomed.entries), doomed.cipher)
        going |= placeholders_in(turns.filter(id__in=doomed.turns), doomed.cipher)
        if not going:
            return rows.none()
        staying = placeholders_in(payloads.exclude(id__in=doomed.entries), doomed.cipher)
        staying |= placeholders_in(turns.exclude(id__in=doomed.turns), doomed.cipher)
        lost = going - staying
        named = {placeholder(PrivateKind(r.kind), r.number): r.id for r in rows}
        return rows.filter(id__in=[row for name, row in named.items() if name in lost])

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"masked_values": self._rows(doomed).count()}

    def forget(self, doomed: Doomed) -> None:
        self._rows(doomed).delete()


class Said:
    """Turns, the sessions that are left without any, and all that hangs on them."""

    def _turns(self, doomed: Doomed) -> QuerySet[Turn]:
        rows = Turn.objects.filter(subject_id=doomed.subject_id)
        return rows if doomed.everything else rows.filter(id__in=doomed.turns)

    def count(self, doomed: Doomed) -> dict[str, int]:
        counts = {"turns": self._turns(doomed).count(), "recent_turns": 0}
        if doomed.everything:
            counts["sessions"] = Session.objects.filter(subject_id=doomed.subject_id).count()
            counts["jobs"] = Job.objects.filter(subject_id=doomed.subject_id).count()
        if doomed.everything or doomed.turns:
            counts["recent_turns"] = tail.count(doomed.subject_id)
        return counts

    def forget(self, doomed: Doomed) -> None:
        self._turns(doomed).delete()
        if doomed.everything:
            Job.objects.filter(subject_id=doomed.subject_id).delete()
            Session.objects.filter(subject_id=doomed.subject_id).delete()
        if doomed.everything or doomed.turns:
            tail.forget(doomed.subject_id)


class Derivations:
    """From which memories others were derived."""

    def _rows(self, doomed: Doomed) -> QuerySet[MemorySource]:
        rows = MemorySource.objects.filter(subject_id=doomed.subject_id)
        return rows if doomed.everything else rows.filter(memory_id__in=doomed.memories)

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"derivations": self._rows(doomed).count()}

    def forget(self, doomed: Doomed) -> None:
        self._rows(doomed).delete()
        if not doomed.everything:
            MemorySource.objects.filter(
                subject_id=doomed.subject_id, source_id__in=doomed.memories
            ).delete()


def exported_turns(subject: Subject, reader: Reader) -> Iterator[dict[str, Any]]:
    """A subject's turns with what became of them, for its archive (settings.LEDGER_EXPORTERS)."""
    rows = Turn.objects.select_related("session").filter(subject=subject)
    for turn in rows.order_by("session_id", "number"):
        words = json.loads(reader.cipher.open(turn.id, turn.sealed))
        yield {
            "session": turn.session.external_id,
            "number": turn.number,
            "at": turn.at.isoformat(),
            "agent": turn.agent,
            **reader.show_in(words),
            "outcome": reader.show_in(outcome_of(turn, reader.cipher)),
        }


def exported_private(subject: Subject, reader: Reader) -> Iterator[dict[str, Any]]:
    """What a subject's placeholders stand for, as far as this reader may see it."""
    for row in MaskedValue.objects.filter(subject=subject).order_by("kind", "number"):
        shown = placeholder(PrivateKind(row.kind), row.number)
        if (value := reader.show(shown)) != shown:
            yield {"kind": row.kind, "number": row.number, "value": value}
