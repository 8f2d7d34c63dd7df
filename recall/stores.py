"""What recall holds of a subject: the search index and the traces (ledger.stores.Store)."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from ledger.masking import Reader
from ledger.stores import Doomed
from recall.index import SearchIndex
from recall.models import Corpus, Embedding, Term, Trace
from tenants.models import Subject


class SearchIndexStore:
    """Terms, vectors and the statistics over them."""

    def count(self, doomed: Doomed) -> dict[str, int]:
        terms = Term.objects.filter(subject_id=doomed.subject_id)
        vectors = Embedding.objects.filter(subject_id=doomed.subject_id)
        if doomed.everything:
            corpus = Corpus.objects.filter(id=doomed.subject_id).count()
        else:
            corpus = 0
            terms = terms.filter(version_id__in=doomed.versions)
            vectors = vectors.filter(version_id__in=doomed.versions)
        return {"terms": terms.count(), "vectors": vectors.count(), "statistics": corpus}

    def forget(self, doomed: Doomed) -> None:
        if not doomed.everything:
            SearchIndex().forget(doomed.subject_id, set(doomed.versions))
            return
        for model in (Term, Embedding):
            model.objects.filter(subject_id=doomed.subject_id).delete()
        Corpus.objects.filter(id=doomed.subject_id).delete()


class TraceStore:
    """Traces: all of a subject's, or those in which an erased version was considered."""

    def _rows(self, doomed: Doomed) -> QuerySet[Trace]:
        rows = Trace.objects.filter(subject_id=doomed.subject_id)
        if doomed.everything:
            return rows
        return rows.filter(id__in=[row.id for row in rows.iterator() if _shows(row, doomed)])

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"traces": self._rows(doomed).count()}

    def forget(self, doomed: Doomed) -> None:
        self._rows(doomed).delete()


def _shows(trace: Trace, doomed: Doomed) -> bool:
    record = json.loads(doomed.cipher.open(trace.id, trace.sealed))
    return any(UUID(c["version"]) in doomed.versions for c in record["candidates"])


def exported_traces(subject: Subject, reader: Reader) -> Iterator[dict[str, Any]]:
    """A subject's traces, for its archive (settings.LEDGER_EXPORTERS)."""
    for trace in Trace.objects.filter(subject=subject).order_by("at", "id"):
        record = json.loads(reader.cipher.open(trace.id, trace.sealed))
        record["query"] = reader.show(record["query"])
        yield {"id": str(trace.id), "at": trace.at.isoformat(), "actor": trace.actor, **record}
