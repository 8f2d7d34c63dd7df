"""What the ledger asks of the rooms above it about meaning: vectors, and what lies near.

The encoder and the search index live in recall, which the ledger does not import: the one that
knows them is named in settings.LEDGER_MEANING.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string

from ledger.models import MemoryVersion
from tenants.crypto import SubjectCipher


class MeaningAway(Exception):
    """The encoder does not answer now: what rules alone can decide has to do."""


@dataclass(frozen=True)
class Near:
    """A current version that may say the same: cosine similarity of the two texts (−1 to 1).

    `passages` are the vectors of the two, the version's first, where the bundled encoder made them
    of the whole texts: the judge of comparisons need not make them again.
    """

    version_id: UUID
    similarity: float
    passages: tuple[Any, Any] = field(default=(None, None), compare=False, repr=False)


class Meaning(Protocol):
    """Implemented by recall.meaning."""

    @property
    def encoder(self) -> str:
        """The name of the encoder in use: what was tuned for one does not hold for another."""

    def vectors(self, texts: Sequence[str], *, hurry: bool = False) -> Any:
        """One unit vector a text (rows); in a `hurry` within seconds. Raises MeaningAway."""

    def catch_up(self, tenant_id: UUID, subject_id: UUID) -> None:
        """Encode the few versions that wait for it, if it can. Outside a transaction."""

    def near(
        self, cipher: SubjectCipher, vector: Any, limit: int, *, agent: str = ""
    ) -> list[Near]:
        """The current versions that are nearest, best first; of one agent only, if it is named."""

    def keep(self, version: MemoryVersion, content: str, vector: Any) -> None:
        """Store a vector that was made already, if it is all that the index needs of this text."""


@cache
def meaning() -> Meaning:
    """The one named in settings."""
    made: Meaning = import_string(settings.LEDGER_MEANING)()
    return made


class Vectors:
    """Vectors of texts, made when first asked for, each once; in a `hurry` if somebody waits.

    Once the encoder was `away` it is not asked again: each time may take as long as the first.
    """

    def __init__(self, *, hurry: bool = False) -> None:
        self._made: dict[str, Any] = {}
        self._hurry = hurry
        self.away = False

    def of(self, text: str) -> Any:
        """The vector of one text. Raises MeaningAway."""
        return self.all([text])[0]

    def all(self, texts: Sequence[str]) -> list[Any]:
        """The vectors of several texts, made together. Raises MeaningAway."""
        missing = [text for text in dict.fromkeys(texts) if text not in self._made]
        if missing:
            self._made |= dict(zip(missing, self._vectors(missing), strict=True))
        return [self._made[text] for text in texts]

    def made(self, text: str) -> Any | None:
        """The vector of a text, if somebody asked for it already."""
        return self._made.get(text)

    def _vectors(self, texts: list[str]) -> Any:
        if self.away:
            raise MeaningAway
        try:
            return meaning().vectors(texts, hurry=self._hurry)
        except MeaningAway:
            self.away = True
            raise
