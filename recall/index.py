"""The search index: a view derived from memory versions. Terms at once, vectors soon after."""

import logging
from collections import Counter
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from ledger.models import MemoryVersion
from ledger.projection import Opened, words_of
from recall.chunks import chunks_of
from recall.encoders import encoder
from recall.models import Corpus, Embedding, Term
from recall.terms import terms_of
from tenants import keys
from tenants.context import current_tenant, tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.subject_lock import share_subject

log = logging.getLogger(__name__)

BATCH = 32
MOST_FREQUENT = 2**15 - 1


class SearchIndex:
    """The ledger's door to this index (ledger.projection.DerivedView)."""

    def opened(self, opened: list[Opened], cipher: SubjectCipher) -> None:
        """Index the words in the write's own transaction; leave a nudge to encode them after it."""
        for item in opened:
            _add_terms(item, cipher)
            if item.source is not None:
                _copy_vectors(item.source, item.version)
        tenant_id, subject_id = current_tenant(), opened[0].version.subject_id
        transaction.on_commit(lambda: nudge(tenant_id, subject_id))

    def containing(self, text: str, cipher: SubjectCipher) -> Any:
        """The ids of versions in which every term of `text` occurs."""
        wanted = {cipher.term(term) for term in terms_of(text)}
        found = MemoryVersion.objects.filter(subject_id=cipher.subject_id)
        for term in wanted:
            posting = Term.objects.filter(
                subject_id=cipher.subject_id, term=term, version_id=OuterRef("id")
            )
            found = found.filter(Exists(posting))
        return found.values("id") if wanted else found.none().values("id")

    def forget(self, subject_id: UUID, versions: set[UUID]) -> None:
        """Drop these versions' terms and vectors, and take them out of the statistics."""
        postings = Term.objects.filter(subject_id=subject_id, version_id__in=versions)
        lengths = dict(postings.values_list("version_id", "length"))
        Corpus.objects.filter(id=subject_id).update(
            documents=F("documents") - len(versions), terms=F("terms") - sum(lengths.values())
        )
        postings.delete()
        Embedding.objects.filter(subject_id=subject_id, version_id__in=versions).delete()


def _add_terms(item: Opened, cipher: SubjectCipher) -> None:
    counts = Counter(cipher.term(term) for term in terms_of(item.content))
    length = sum(counts.values())
    subject_id = item.version.subject_id
    Term.objects.bulk_create(
        Term(
            subject_id=subject_id,
            version=item.version,
            term=term,
            frequency=min(count, MOST_FREQUENT),
            length=length,
        )
        for term, count in counts.items()
    )
    # The writer holds the subject's lock, so that nobody else moves these sums.
    moved = Corpus.objects.filter(id=subject_id).update(
        documents=F("documents") + 1, terms=F("terms") + length
    )
    if not moved:
        Corpus(id=subject_id, subject_id=subject_id, documents=1, terms=length).save(
            force_insert=True
        )


def _copy_vectors(source: UUID, version: MemoryVersion) -> None:
    """A copy says what its source says: its vectors are the same."""
    rows = Embedding.objects.filter(version_id=source)
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=version.subject_id,
                version=version,
                encoder=row.encoder,
                chunk=row.chunk,
                vector=row.vector,
            )
            for row in rows
        ]
    )


def keep_vector(version: MemoryVersion, vector: Any) -> None:
    """Store the one vector of a version whose words are one chunk."""
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=version.subject_id,
                version=version,
                encoder=encoder().name,
                chunk=0,
                vector=vector,
            )
        ],
        ignore_conflicts=True,
    )


def nudge(tenant_id: UUID, subject_id: UUID) -> None:
    """Tell a worker that a subject has versions to encode. A lost nudge is found by the sweeper."""
    from recall.tasks import encode_subject

    try:
        encode_subject.delay(str(tenant_id), str(subject_id))
    except Exception:  # whatever ails the broker, the write has been acknowledged and stands
        log.warning("the broker is away; the sweeper will find this work", exc_info=True)


def waiting(subject_id: UUID | None = None) -> QuerySet[MemoryVersion]:
    """The versions that have no vector of the encoder in use, oldest first."""
    encoded = Embedding.objects.filter(version_id=OuterRef("id"), encoder=encoder().name)
    rows = MemoryVersion.objects.filter(~Exists(encoded))
    if subject_id is not None:
        rows = rows.filter(subject_id=subject_id)
    return rows.order_by("recorded_from", "id")


def encode_waiting(tenant_id: UUID, subject_id: UUID, limit: int) -> int:
    """Encode up to `limit` waiting versions of a subject; gives how many were encoded.

    Reading, encoding and storing are three steps, so that no transaction is open while the model
    works. Two workers may do the same version: the second finds the row there and leaves it.
    """
    done = 0
    while done < limit:
        texts = _read_waiting(tenant_id, subject_id, min(BATCH, limit - done))
        if not texts:
            break
        pieces = [(vid, n, chunk) for vid, text in texts for n, chunk in enumerate(chunks_of(text))]
        vectors = encoder().passages([chunk for _, _, chunk in pieces])
        with tenant_context(tenant_id):
            # An erasure may have come in between: what is gone must not come back.
            share_subject(subject_id)
            alive = set(
                MemoryVersion.objects.filter(
                    subject_id=subject_id, id__in=[vid for vid, _ in texts]
                ).values_list("id", flat=True)
            )
            Embedding.objects.bulk_create(
                [
                    Embedding(
                        subject_id=subject_id,
                        version_id=version_id,
                        encoder=encoder().name,
                        chunk=number,
                        vector=vector,
                    )
                    for (version_id, number, _), vector in zip(pieces, vectors, strict=True)
                    if version_id in alive
                ],
                ignore_conflicts=True,
            )
        done += len(texts)
    return done


def _read_waiting(tenant_id: UUID, subject_id: UUID, limit: int) -> list[tuple[UUID, str]]:
    """The ids and words of the next waiting versions."""
    with tenant_context(tenant_id):
        subject = Subject.objects.filter(id=subject_id).first()
        if subject is None:
            return []
        versions = list(waiting(subject_id)[:limit])
        cipher = keys.cipher_for(subject) if versions else None
        return [(v.id, words_of(v, cipher)["content"]) for v in versions if cipher]
