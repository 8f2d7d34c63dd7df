"""The policy's section about working memory: what agents note down while they do one task."""

from pydantic import Field

from ledger.policy.section import Section


class Working(Section):
    """How much is noted down, and for how long."""

    # Where a note names no time of its own.
    ttl_seconds: int = Field(7_200, ge=1, le=86_400)
    # Of one task.
    most_keys: int = Field(1_000, ge=1, le=10_000)
    # Of one value, as JSON in UTF-8.
    value_bytes: int = Field(65_536, ge=1, le=1_048_576)
