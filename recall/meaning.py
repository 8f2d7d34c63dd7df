"""What the ledger's write path asks of encoders and the index (ledger.meaning.Meaning)."""

import logging
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import numpy as np
from django.core.exceptions import ImproperlyConfigured

from ledger.meaning import MeaningAway, Near
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from ledger.selectors import as_of
from recall import encoding, reading
from recall.arrays import Array
from recall.chunks import chunks_of
from recall.encoders import BUNDLED, EncoderDown, Vectors, encoder, wanted
from recall.looking import look
from recall.relevance import rarity_of
from recall.signals import Hits
from recall.snapshot import Snapshot
from recall.terms import terms_of
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher

log = logging.getLogger(__name__)


class IndexMeaning:
    """The encoder in use, and the search index as a neighbourhood of what is believed."""

    @property
    def encoder(self) -> str:
        return wanted()

    def vectors(self, texts: Sequence[str], *, hurry: bool = False) -> Any:
        seconds = encoding.HURRY_SECONDS if hurry else None
        try:
            return encoder().passages(list(texts), seconds=seconds)
        except (EncoderDown, ImproperlyConfigured) as error:
            log.warning("the encoder is away; rules decide without it", exc_info=True)
            raise MeaningAway from error

    def catch_up(self, tenant_id: UUID, subject_id: UUID) -> None:
        with tenant_context(tenant_id):
            limit = current_policy().ranking.catch_up
        try:
            encoding.encode_waiting(tenant_id, subject_id, limit, hurry=True)
        except EncoderDown:
            log.warning("the encoder is away; the worker will encode this", exc_info=True)

    def shared_words(self, cipher: SubjectCipher, text: str) -> float:
        """Counted by rarity; a word that nobody has said yet is no rarer than one said once: else
        the first few memories would never share enough with what contradicts them.
        """
        terms = sorted({cipher.term(term) for term in terms_of(text)})
        postings = reading.read_postings(cipher.subject_id, terms)
        snapshot = self._believed(cipher, None, postings, "")
        hits = Hits(postings, snapshot)
        weights = rarity_of(snapshot.documents, hits.counts(terms))
        if not len(snapshot) or not weights.sum():
            return 0.0
        shares = weights @ (hits.matrix(terms) > 0) / weights.sum()
        return float(shares.max())

    def near(
        self, cipher: SubjectCipher, vector: Vectors, limit: int, *, agent: str = ""
    ) -> list[Near]:
        postings = reading.read_postings(cipher.subject_id, [])
        snapshot = self._believed(cipher, vector, postings, agent)
        if snapshot.encoder != wanted():
            return []
        alone, _ = snapshot.cosines(vector)
        alone[snapshot.versions["pending"] | np.isnan(alone)] = -np.inf
        best = np.argsort(-alone, kind="stable")[:limit]
        return [
            Near(
                UUID(bytes=bytes(snapshot.versions["id"][place])),
                float(alone[place]),
                _passages(snapshot, int(place), vector),
            )
            for place in best
            if np.isfinite(alone[place])
        ]

    def keep(self, version: MemoryVersion, content: str, vector: Any) -> None:
        if chunks_of(content) == [content]:
            encoding.keep_vector(version, vector)

    def _believed(
        self, cipher: SubjectCipher, vector: Vectors | None, postings: Array, agent: str
    ) -> Snapshot:
        state = reading.read_state(cipher.subject_id, 1)
        snapshot, _ = look(cipher, state, as_of(), current_policy(), agent, vector, postings, [])
        return snapshot


def _passages(snapshot: Snapshot, place: int, vector: Vectors) -> tuple[Any, Any]:
    """The vector of a version that has one chunk, and the one that it was compared with."""
    chunks = np.flatnonzero(snapshot.owner == place)
    if snapshot.encoder != BUNDLED or len(chunks) != 1:
        return None, None
    return snapshot.chunks[chunks[0]], vector
