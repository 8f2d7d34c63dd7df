"""From waiting versions to vectors: each alone, and once more after what was said before it.

Reading, encoding and storing are three steps, so that no transaction is open while a model works.
Two workers may do the same version: the second finds the row there and leaves it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F, QuerySet

from ledger.models import DERIVED, MemoryVersion
from ledger.policies import current_policy
from ledger.projection import words_of
from recall.chunks import chunks_of
from recall.encoders import encoder_named, wanted
from recall.models import IN_CONTEXT, Corpus, Embedding, Waiting
from recall.traits import in_context
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.subject_lock import share_subject

BATCH = 32
CROWDED_AT_ONCE = 500


@dataclass(frozen=True)
class Piece:
    """A text to encode: one chunk of a version, or its beginning in context."""

    version_id: UUID
    chunk: int
    text: str
    after: UUID | None = None


def waiting(subject_id: UUID | None = None) -> QuerySet[Waiting]:
    """What waits to be encoded."""
    rows = Waiting.objects.all()
    return rows if subject_id is None else rows.filter(subject_id=subject_id)


def encode_waiting(tenant_id: UUID, subject_id: UUID, limit: int) -> int:
    """Encode up to `limit` waiting versions of a subject; gives how many were encoded.

    Raises EncoderDown.
    """
    done = 0
    while done < limit:
        name, versions, pieces = _read_waiting(tenant_id, subject_id, min(BATCH, limit - done))
        if not versions:
            break
        vectors = list(encoder_named(name).passages([p.text for p in pieces])) if pieces else []
        with tenant_context(tenant_id):
            # An erasure may have come in between: what is gone must not come back.
            share_subject(subject_id)
            _store(subject_id, name, versions, zip(pieces, vectors, strict=True))
        done += len(versions)
    return done


def _read_waiting(
    tenant_id: UUID, subject_id: UUID, limit: int
) -> tuple[str, set[UUID], list[Piece]]:
    """The next waiting versions of one encoder, and the pieces of them that have no vector yet."""
    with tenant_context(tenant_id):
        subject = Subject.objects.filter(id=subject_id).first()
        corpus = Corpus.objects.filter(id=subject_id).first()
        if subject is None or corpus is None:
            return "", set(), []
        for name in (corpus.encoder, corpus.coming):
            rows = waiting(subject_id).filter(encoder=name)[:limit]
            if ids := set(rows.values_list("version_id", flat=True)):
                return name, ids, list(_pieces(ids, name, keys.cipher_for(subject)))
        return "", set(), []


def _pieces(ids: set[UUID], encoder: str, cipher: SubjectCipher) -> Iterable[Piece]:
    rows = Embedding.objects.filter(
        subject_id=cipher.subject_id, version_id__in=ids, encoder=encoder
    )
    there = set(rows.values_list("version_id", "chunk"))
    for version in MemoryVersion.objects.filter(id__in=ids):
        text = words_of(version, cipher)["content"]
        for piece in _pieces_of(version, text, cipher):
            if (version.id, piece.chunk) not in there:
                yield piece


def _pieces_of(version: MemoryVersion, text: str, cipher: SubjectCipher) -> Iterable[Piece]:
    for number, chunk in enumerate(chunks_of(text)):
        yield Piece(version.id, number, chunk)
    before = _said_before(version)
    if before is not None:
        said = words_of(before, cipher)["content"]
        if together := in_context(said, text):
            yield Piece(version.id, IN_CONTEXT, together, before.id)


def _said_before(version: MemoryVersion) -> MemoryVersion | None:
    """What is remembered of the moment before in the same session, told to the same agent."""
    if not version.session or version.kind in DERIVED:
        return None
    rows = MemoryVersion.objects.filter(
        subject_id=version.subject_id,
        recorded_from__lt=version.recorded_from,
        recorded_to=None,
        session=version.session,
        agent=version.agent,
        pending=False,
    )
    return rows.exclude(kind__in=DERIVED).order_by("-recorded_from", "-id").first()


def _store(
    subject_id: UUID, encoder: str, versions: set[UUID], encoded: Iterable[tuple[Piece, object]]
) -> None:
    """Keep the vectors of what still exists, strike it off the list, and see who serves now."""
    rows = MemoryVersion.objects.filter(subject_id=subject_id)
    # A piece may hold words of the version before it: that one has to be there too.
    pairs = list(encoded)
    named = versions | {piece.after for piece, _ in pairs if piece.after}
    alive = set(rows.filter(id__in=named).values_list("id", flat=True))
    corpus = Corpus.objects.select_for_update().filter(id=subject_id).first()
    if corpus is None:
        return
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=subject_id,
                version_id=piece.version_id,
                encoder=encoder,
                chunk=piece.chunk,
                after=piece.after,
                vector=vector,
                crowded=corpus.crowded,
            )
            for piece, vector in pairs
            if {piece.version_id, piece.after or piece.version_id} <= alive
        ],
        ignore_conflicts=True,
    )
    waiting(subject_id).filter(encoder=encoder, version_id__in=versions).delete()
    Corpus.objects.filter(id=subject_id).update(revision=F("revision") + 1)
    _let_follow(corpus)


def keep_vector(version: MemoryVersion, vector: object) -> None:
    """Store the vector of a version whose words are one chunk, made on the way by the encoder in
    use. A version that was said after another stays on the list for its second vector.
    """
    subject_id = version.subject_id
    if not Corpus.objects.filter(id=subject_id, encoder=wanted()).exists():
        return
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=subject_id, version=version, encoder=wanted(), chunk=0, vector=vector
            )
        ],
        ignore_conflicts=True,
    )
    if not version.session:
        waiting(subject_id).filter(encoder=wanted(), version_id=version.id).delete()


def follow_setting() -> int:
    """Let the encoder of the setting begin to encode the subjects of the tenant in context that
    another one serves; gives how many subjects began. The other one serves until all is encoded.
    """
    name, begun = wanted(), 0
    for corpus in Corpus.objects.filter(encoder=name).exclude(coming=""):
        Corpus.objects.filter(id=corpus.id).update(coming="")
        _only(corpus.id, name)
    for corpus in Corpus.objects.exclude(encoder=name).exclude(coming=name):
        versions = MemoryVersion.objects.filter(subject_id=corpus.id).values_list("id", flat=True)
        Waiting.objects.bulk_create(
            [
                Waiting(subject_id=corpus.id, encoder=name, version_id=version)
                for version in versions.iterator()
            ],
            batch_size=1_000,
            ignore_conflicts=True,
        )
        Corpus.objects.filter(id=corpus.id).update(coming=name)
        begun += 1
    return begun


def crowd(tenant_id: UUID, subject_id: UUID) -> bool:
    """Put a step of a subject that has grown too large for comparing everything into the
    approximate index; gives whether steps are left. Recall compares everything until all is there.
    """
    with tenant_context(tenant_id):
        corpus = Corpus.objects.filter(id=subject_id, crowded=False).first()
        if corpus is None or corpus.documents <= current_policy().ranking.exact_up_to:
            return False
        rows = Embedding.objects.filter(subject_id=subject_id, crowded=False)
        step = list(rows.values_list("version_id", flat=True)[:CROWDED_AT_ONCE])
        if step:
            rows.filter(version_id__in=step).update(crowded=True)
            return True
        Corpus.objects.filter(id=subject_id).update(crowded=True, revision=F("revision") + 1)
        return False


def _let_follow(corpus: Corpus) -> None:
    """Put the coming encoder in the place of the one in use, once nothing waits for it."""
    if not corpus.coming or waiting(corpus.id).filter(encoder=corpus.coming).exists():
        return
    Corpus.objects.filter(id=corpus.id).update(
        encoder=corpus.coming, coming="", revision=F("revision") + 1
    )
    _only(corpus.id, corpus.coming)


def _only(subject_id: UUID, encoder: str) -> None:
    """Forget what other encoders made of a subject, and have still to make."""
    Embedding.objects.filter(subject_id=subject_id).exclude(encoder=encoder).delete()
    waiting(subject_id).exclude(encoder=encoder).delete()
