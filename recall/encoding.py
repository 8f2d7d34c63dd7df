"""From waiting versions to vectors: each alone, and once more after what was said before it.

Reading, encoding and storing are three steps, so that no transaction is open while a model works.
Two workers may do the same version: the second finds the row there and leaves it.
"""

import logging
from collections.abc import Container, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import ImproperlyConfigured
from django.db.models import F, QuerySet

from ledger.models import DERIVED, MemoryVersion
from ledger.policies import current_policy
from ledger.projection import words_of
from recall.chunks import chunks_of
from recall.encoders import EncoderDown, encoder_named, wanted
from recall.models import IN_CONTEXT, Corpus, Embedding, Waiting
from recall.traits import in_context
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.subject_lock import share_subject

log = logging.getLogger(__name__)

BATCH = 32
CROWDED_AT_ONCE = 500
# How long somebody who asks or writes waits for what was written before.
HURRY_SECONDS = 3.0


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


def encode_waiting(tenant_id: UUID, subject_id: UUID, limit: int, *, hurry: bool = False) -> int:
    """Encode up to `limit` waiting versions of a subject; gives how many were encoded.

    While the encoder in use is away the coming one goes on. In a `hurry` (somebody waits) only the
    one in use is asked, and not for long. Raises EncoderDown if so nothing could be encoded.
    """
    done, seconds = 0, HURRY_SECONDS if hurry else None
    away: dict[str, EncoderDown] = {}
    while done < limit and not (hurry and away):
        most = min(BATCH, limit - done)
        name, versions, pieces = _read_waiting(tenant_id, subject_id, most, away, hurry=hurry)
        if not versions:
            break
        try:
            vectors = _encoded(name, pieces, seconds)
        except EncoderDown as error:
            away[name] = error
            continue
        with tenant_context(tenant_id):
            # An erasure may have come in between: what is gone must not come back.
            share_subject(subject_id)
            _store(subject_id, name, versions, zip(pieces, vectors, strict=True))
        done += len(versions)
    for failure in away.values():
        if not done:
            raise failure
        log.warning("an encoder is away; what waits for it goes on waiting", exc_info=failure)
    return done


def _encoded(name: str, pieces: list[Piece], seconds: float | None) -> list[object]:
    """One vector a piece. An encoder that cannot even be loaded is away, too."""
    if not pieces:
        return []
    try:
        return list(encoder_named(name).passages([p.text for p in pieces], seconds=seconds))
    except ImproperlyConfigured as error:
        raise EncoderDown(str(error)) from error


def _read_waiting(
    tenant_id: UUID, subject_id: UUID, limit: int, away: Container[str], *, hurry: bool
) -> tuple[str, set[UUID], list[Piece]]:
    """The next waiting versions of one encoder that is not away, and the pieces of them that have
    no vector yet.
    """
    with tenant_context(tenant_id):
        subject = Subject.objects.filter(id=subject_id).first()
        corpus = Corpus.objects.filter(id=subject_id).first()
        if subject is None or corpus is None:
            return "", set(), []
        for name in (corpus.encoder,) if hurry else (corpus.encoder, corpus.coming):
            if name in away:
                continue
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
    corpus = Corpus.objects.select_for_update().filter(id=subject_id).first()
    if corpus is None or encoder not in (corpus.encoder, corpus.coming):
        return  # another encoder took over meanwhile
    rows = MemoryVersion.objects.filter(subject_id=subject_id)
    # A piece may hold words of the version before it: that one has to be there too.
    pairs = list(encoded)
    named = versions | {piece.after for piece, _ in pairs if piece.after}
    alive = set(rows.filter(id__in=named).values_list("id", flat=True))
    kept = Embedding.objects.filter(subject_id=subject_id, encoder=encoder, version_id__in=versions)
    there = set(kept.values_list("version_id", "chunk"))
    made = Embedding.objects.bulk_create(
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
            and (piece.version_id, piece.chunk) not in there
        ]
    )
    # What lost the version before it meanwhile waits for a vector after the one before that.
    lost = {piece.version_id for piece, _ in pairs if piece.after and piece.after not in alive}
    rows_waiting = waiting(subject_id).filter(encoder=encoder, version_id__in=versions - lost)
    struck_off, _ = rows_waiting.delete()
    if made or struck_off:
        Corpus.objects.filter(id=subject_id).update(revision=F("revision") + 1)
    _let_follow(corpus)


def keep_vector(version: MemoryVersion, vector: object) -> None:
    """Store the vector of a version whose words are one chunk, made on the way by the encoder in
    use. A version that was said after another stays on the list for its second vector.
    """
    subject_id = version.subject_id
    serving = Corpus.objects.select_for_update().filter(id=subject_id, encoder=wanted())
    corpus = serving.first()
    if corpus is None:
        return
    Embedding.objects.bulk_create(
        [
            Embedding(
                subject_id=subject_id,
                version=version,
                encoder=wanted(),
                chunk=0,
                vector=vector,
                crowded=corpus.crowded,
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
        # First, since it takes the lock of the corpus: what is written later is put on the list by
        # its writer, and what was written before is read here.
        Corpus.objects.filter(id=corpus.id).update(coming=name)
        versions = MemoryVersion.objects.filter(subject_id=corpus.id).values_list("id", flat=True)
        Waiting.objects.bulk_create(
            [
                Waiting(subject_id=corpus.id, encoder=name, version_id=version)
                for version in versions.iterator()
            ],
            batch_size=1_000,
            ignore_conflicts=True,
        )
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
        # Whoever stores vectors holds this lock: they are seen here, or made for a crowded subject.
        Corpus.objects.select_for_update().get(id=subject_id)
        if rows.exists():
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
