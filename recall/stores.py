"""What recall holds of a subject: the search index and the traces (ledger.stores.Store)."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet

from ledger.masking import Reader
from ledger.stores import Doomed
from recall import buffers
from recall.index import SearchIndex
from recall.models import Corpus, Embedding, Reply, Term, Trace, Traits, Waiting
from recall.traces import forget_traces, record_of, replies_by_trace
from recall.unpacked import forget_unpacked
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
        traits = Traits.objects.filter(subject_id=doomed.subject_id)
        queued = Waiting.objects.filter(subject_id=doomed.subject_id)
        if not doomed.everything:
            traits = traits.filter(version_id__in=doomed.versions)
            queued = queued.filter(version_id__in=doomed.versions)
        return {
            "terms": terms.count(),
            "traits": traits.count(),
            "vectors": vectors.count(),
            "waiting": queued.count(),
            "statistics": corpus,
        }

    def forget(self, doomed: Doomed) -> None:
        if not doomed.everything:
            SearchIndex().forget(doomed.subject_id, set(doomed.versions))
            return
        for model in (Term, Traits, Embedding, Waiting):
            model.objects.filter(subject_id=doomed.subject_id).delete()
        Corpus.objects.filter(id=doomed.subject_id).delete()


class TraceStore:
    """Traces: all of a subject's, or those in which an erased version was considered, with the
    repetitions of these.
    """

    def _rows(self, doomed: Doomed) -> QuerySet[Trace]:
        rows = Trace.objects.filter(subject_id=doomed.subject_id)
        if doomed.everything:
            return rows
        first = [row.id for row in rows.iterator() if _shows(row, doomed)]
        return rows.filter(Q(id__in=first) | Q(repeats_id__in=first))

    def count(self, doomed: Doomed) -> dict[str, int]:
        rows = self._rows(doomed)
        replies = Reply.objects.filter(trace_id__in=rows.values("id"))
        return {"traces": rows.count(), "replies": replies.count()}

    def forget(self, doomed: Doomed) -> None:
        forget_traces(self._rows(doomed))


class BufferStore:
    """What lies in Valkey of the index and of answers. Any of it may show what is to go."""

    def count(self, doomed: Doomed) -> dict[str, int]:
        return {"buffers": buffers.count(doomed.subject_id)}

    def forget(self, doomed: Doomed) -> None:
        buffers.forget(doomed.subject_id)
        forget_unpacked(doomed.subject_id)


def _shows(trace: Trace, doomed: Doomed) -> bool:
    """Whether any of it was considered, or packed with the words of a session."""
    record = record_of(trace, doomed.cipher)
    versions = {c["version"] for c in record.get("candidates", [])} | {record.get("summary")}
    turns = set(record.get("turns", []))
    return not (
        versions.isdisjoint(map(str, doomed.versions)) and turns.isdisjoint(map(str, doomed.turns))
    )


def exported_traces(subject: Subject, reader: Reader) -> Iterator[dict[str, Any]]:
    """A subject's traces with what agents said, for its archive (settings.LEDGER_EXPORTERS)."""
    replies = replies_by_trace(Reply.objects.filter(subject=subject), reader)
    for trace in Trace.objects.filter(subject=subject).order_by("at", "id"):
        record = record_of(trace, reader.cipher)
        record["query"] = reader.show(record["query"])
        if trace.repeats_id:
            record["repeats"] = str(trace.repeats_id)
        yield {
            "id": str(trace.id),
            "at": trace.at.isoformat(),
            "actor": trace.actor,
            **record,
            "answers": [
                {
                    "id": str(reply.id),
                    "at": reply.at.isoformat(),
                    "actor": reply.actor,
                    "text": reply.text,
                    "used": [str(memory) for memory in reply.used],
                }
                for reply in replies[trace.id]
            ],
        }
