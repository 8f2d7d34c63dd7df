"""What the ledger's write path asks of encoders and the index (ledger.meaning.Meaning)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from ledger.meaning import Near
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from recall import arms, index
from recall.chunks import chunks_of
from recall.encoders import encoder
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher


class IndexMeaning:
    """The encoder in use, and the search index as a neighbourhood of what is believed."""

    @property
    def encoder(self) -> str:
        return encoder().name

    def vectors(self, texts: Sequence[str]) -> Any:
        return encoder().passages(list(texts))

    def catch_up(self, tenant_id: UUID, subject_id: UUID) -> None:
        with tenant_context(tenant_id):
            limit = current_policy().ranking.catch_up
        index.encode_waiting(tenant_id, subject_id, limit)

    def shared_words(self, cipher: SubjectCipher, text: str) -> float:
        return arms.shared_words(cipher, text)

    def near(
        self, cipher: SubjectCipher, vector: Any, limit: int, *, agent: str = ""
    ) -> list[Near]:
        found = arms.nearest(cipher, vector, limit, agent)
        return [Near(version_id, similarity) for version_id, similarity in found.items()]

    def keep(self, version: MemoryVersion, content: str, vector: Any) -> None:
        if chunks_of(content) == [content]:
            index.keep_vector(version, vector)
