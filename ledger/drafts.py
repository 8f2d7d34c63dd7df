"""What passes between stages of the write path, pure: what was said, and drafts of memories."""

from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from ledger.models import Kind


@dataclass(frozen=True, kw_only=True)
class Said:
    """Something that a person said. `text` is masked already; `at` is aware, in any zone.

    `zone` is the speaker's time zone, in which words like "tomorrow" are meant. `speaker` is the
    placeholder of a named speaker, or empty: then it is the subject. `before` are the masked texts
    that were said just before it, oldest first.
    """

    text: str
    at: datetime
    zone: tzinfo
    speaker: str = ""
    before: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Draft:
    """One statement taken from what was said, before it is compared with what is believed.

    `span` is where in the text it stands: [start, end) in characters. `details` holds what has no
    column of its own, as JSON values: "polarity" (1 or -1), "due_at" (RFC 3339), "slots" (what else
    the same words tell, by attribute), "intent", "place", "device", "channel" and what else
    ledger.extraction names. `decided_by` names the rules that made it, in order.
    """

    content: str
    span: tuple[int, int]
    kind: str = Kind.FACT
    attribute: str = ""
    value: str | None = None
    polarity: int = 1
    confidence: float = 1.0
    importance: int = 5
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    details: dict[str, Any] = field(default_factory=dict)
    decided_by: tuple[str, ...] = ()
