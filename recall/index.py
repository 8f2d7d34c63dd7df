"""The search index: a view derived from memory versions. Terms at once, vectors soon after."""

from collections import Counter
from datetime import UTC
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from ledger.models import MemoryVersion
from ledger.projection import Opened
from recall import sensitive, speakers
from recall.encoders import wanted
from recall.models import Corpus, Embedding, Term, Traits, Waiting
from recall.terms import terms_of
from recall.traits import traits_of
from tenants import nudges
from tenants.context import current_tenant
from tenants.crypto import SubjectCipher

MOST_FREQUENT = 2**15 - 1


class SearchIndex:
    """The ledger's door to this index (ledger.projection.DerivedView)."""

    def opened(self, opened: list[Opened], cipher: SubjectCipher) -> None:
        """Index the words in the write's own transaction; leave a nudge to encode them after it."""
        tenant_id, subject_id = current_tenant(), opened[0].version.subject_id
        lengths = [_add_terms(item, cipher) for item in opened]
        corpus = _grow(subject_id, documents=len(opened), terms=sum(lengths))
        for item in opened:
            if item.source is None:
                _enqueue(corpus, [item.version.id])
            else:
                _copy_vectors(corpus, item.source, item.version)
        transaction.on_commit(lambda: nudge(tenant_id, subject_id))

    def containing(self, text: str, cipher: SubjectCipher) -> Any:
        """The ids of versions in which every term of `text` occurs."""
        terms = {cipher.term(term) for term in terms_of(text)}
        found = MemoryVersion.objects.filter(subject_id=cipher.subject_id)
        for term in terms:
            posting = Term.objects.filter(
                subject_id=cipher.subject_id, term=term, version_id=OuterRef("id")
            )
            found = found.filter(Exists(posting))
        return found.values("id") if terms else found.none().values("id")

    def forget(self, subject_id: UUID, versions: set[UUID]) -> None:
        """Drop these versions' terms and vectors, and take them out of the statistics.

        What was encoded with their words before it is encoded again, without them.
        """
        traits = Traits.objects.filter(subject_id=subject_id, version_id__in=versions)
        lengths = sum(traits.values_list("length", flat=True))
        traits.delete()
        Term.objects.filter(subject_id=subject_id, version_id__in=versions).delete()
        Waiting.objects.filter(subject_id=subject_id, version_id__in=versions).delete()
        vectors = Embedding.objects.filter(subject_id=subject_id)
        vectors.filter(version_id__in=versions).delete()
        heard_after = vectors.filter(after__in=versions)
        orphans = set(heard_after.values_list("version_id", flat=True))
        heard_after.delete()
        corpus = _grow(subject_id, documents=-len(versions), terms=-lengths)
        _enqueue(corpus, orphans)


def _add_terms(item: Opened, cipher: SubjectCipher) -> int:
    """Store the postings and the traits of one version; gives its length in terms."""
    content = item.words["content"]
    traits = traits_of(content, item.version.valid_from, UTC)
    counts = Counter(cipher.term(term) for term in terms_of(content))
    # Who says it is one more posting, and no word of the text; so is what is sensitive in it.
    marks = speakers.marks_of(content)
    marks += sensitive.marks_of(content, item.version.attribute, item.words["value"])
    counts.update(cipher.term(mark) for mark in marks)
    subject_id = item.version.subject_id
    Traits(
        subject_id=subject_id,
        version=item.version,
        length=traits.length,
        asking=round(100 * traits.asking),
        holds_time=traits.holds_time,
    ).save(force_insert=True)
    Term.objects.bulk_create(
        Term(
            subject_id=subject_id,
            version=item.version,
            term=term,
            frequency=min(count, MOST_FREQUENT),
        )
        for term, count in counts.items()
    )
    return traits.length


def _grow(subject_id: UUID, *, documents: int, terms: int) -> Corpus:
    """Move the statistics; the corpus as it is now. The writer holds the subject's lock."""
    moved = Corpus.objects.filter(id=subject_id).update(
        documents=F("documents") + documents, terms=F("terms") + terms, revision=F("revision") + 1
    )
    if moved:
        return Corpus.objects.get(id=subject_id)
    corpus = Corpus(
        id=subject_id,
        subject_id=subject_id,
        documents=documents,
        terms=terms,
        encoder=wanted(),
        revision=1,
    )
    corpus.save(force_insert=True)
    return corpus


def _enqueue(corpus: Corpus, versions: Any) -> None:
    """Let the encoder in use, and the one that is about to follow it, encode these versions."""
    Waiting.objects.bulk_create(
        [
            Waiting(subject_id=corpus.id, encoder=name, version_id=version)
            for version in versions
            for name in (corpus.encoder, corpus.coming)
            if name
        ],
        ignore_conflicts=True,
    )


def _copy_vectors(corpus: Corpus, source: UUID, version: MemoryVersion) -> None:
    """A copy says what its source says: its vectors are the same, or are waited for."""
    rows = Embedding.objects.filter(subject_id=corpus.id, version_id=source)
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=corpus.id,
                version=version,
                encoder=row.encoder,
                chunk=row.chunk,
                after=row.after,
                vector=row.vector,
                crowded=row.crowded,
            )
            for row in rows
        ]
    )
    waited_for = Waiting.objects.filter(subject_id=corpus.id, version_id=source)
    Waiting.objects.bulk_create(
        [
            Waiting(subject_id=corpus.id, encoder=name, version=version)
            for name in waited_for.values_list("encoder", flat=True)
        ]
    )


def nudge(tenant_id: UUID, subject_id: UUID) -> None:
    """Tell a worker that a subject has versions to encode."""
    from recall.tasks import encode_subject

    nudges.nudge(encode_subject, tenant_id, subject_id)
