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
from recall.chunks import chunks_of
from recall.encoders import BUNDLED, EncoderDown, Vectors, encoder, wanted
from recall.looking import look
from recall.snapshot import Snapshot
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

    def near(
        self, cipher: SubjectCipher, vector: Vectors, limit: int, *, agent: str = ""
    ) -> list[Near]:
        state = reading.read_state(cipher.subject_id, 1)
        words = reading.read_postings(cipher.subject_id, [])
        snapshot, _ = look(cipher, state, as_of(), current_policy(), agent, vector, words, [])
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


def _passages(snapshot: Snapshot, place: int, vector: Vectors) -> tuple[Any, Any]:
    """The vector of a version that has one chunk, and the one that it was compared with."""
    chunks = np.flatnonzero(snapshot.owner == place)
    if snapshot.encoder != BUNDLED or len(chunks) != 1:
        return None, None
    return snapshot.chunks[chunks[0]], vector
