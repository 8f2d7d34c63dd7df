"""What a client says about a subject. Pure data, with its limits."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from ledger.models import ATTRIBUTE_LENGTH, Kind

CONTENT_LENGTH = 20_000
VALUE_LENGTH = 2_000
METADATA_BYTES = 8_192
MAX_TURNS = 200
# Characters of one request's turns together: models read them while the client waits.
TURNS_LENGTH = 200_000


class DatedBy(StrEnum):
    """What gave a memory its valid_from."""

    CLIENT = "client"
    WORDS = "words"
    TURN = "turn"
    RECORDING = "recording"


# Nobody said since when it holds: it was true when it was said, and may have been before.
UNDATED = frozenset({DatedBy.TURN, DatedBy.RECORDING})
ATTRIBUTE = re.compile(rf"[^\W\d_][\w.-]{{0,{ATTRIBUTE_LENGTH - 1}}}")


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One thing to remember, as given. Moments are aware; None means "not said"."""

    content: str
    kind: str = Kind.FACT
    attribute: str = ""
    value: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    importance: int = 5
    confidence: float = 1.0
    weight: float = 1.0
    agent: str = ""
    session: str = ""
    turns: tuple[str, ...] = ()
    metadata: dict[str, Any] = field(default_factory=dict)
    verbatim: bool = False
    # When it was said and by what valid_from was given, where the client itself did not give it.
    said_at: datetime | None = None
    dated_by: DatedBy | None = None
    # What has no column of its own (ledger.drafts).
    details: dict[str, Any] = field(default_factory=dict)
    # How it came to be what it is, stage by stage.
    decisions: dict[str, Any] = field(default_factory=dict)
    # The memories that it was derived from.
    sources: tuple[UUID, ...] = ()

    @property
    def meaning(self) -> list[Any]:
        """What makes two statements the same thing said twice.

        A verbatim turn of a conversation is its own thing: the same words at another turn are
        another event.
        """
        source = [self.session, *self.turns] if self.verbatim and self.turns else []
        content = self.content if self.verbatim else " ".join(self.content.split())
        return [self.kind, self.attribute, content, self.value, *source]

    def was_never_current(self, moment: datetime) -> bool:
        """Whether it expired before it begins, which is at the moment unless it says when."""
        return self.expires_at is not None and self.expires_at <= (self.valid_from or moment)
