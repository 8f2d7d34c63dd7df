"""The shapes that a language model must answer in: read strictly, and described as JSON schemas."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

# What no text of a memory may hold: PostgreSQL refuses NUL, and nobody says the others.
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# What servers with strict schemas refuse or do not need; these are checked here.
NOT_SENT = frozenset(
    {
        "default",
        "description",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "title",
    }
)


def _printable(text: str) -> str:
    if CONTROL.search(text):
        raise ValueError("control characters")
    return text


Words = Annotated[str, Field(min_length=1, max_length=2_000), AfterValidator(_printable)]
# A date or moment in ISO 8601.
Moment = Annotated[str, Field(max_length=40)]


class _Answer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class StatementAnswer(_Answer):
    """One statement, as the model gives it."""

    quote: Words
    content: Words
    kind: Literal["fact", "preference", "event", "commitment", "instruction"]
    attribute: Words | None = None
    value: Words | None = None
    polarity: Literal[1, -1]
    confidence: float = Field(ge=0, le=1)
    importance: int = Field(ge=1, le=10)
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    due_at: Moment | None = None


class StatementsAnswer(_Answer):
    """What one text says."""

    statements: list[StatementAnswer]


class SummaryAnswer(_Answer):
    """A summary of some texts."""

    summary: Annotated[str, Field(min_length=1, max_length=20_000), AfterValidator(_printable)]


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class Completion(BaseModel):
    """The part of the protocol's envelope that is read."""

    choices: list[_Choice] = Field(min_length=1)


def json_schema(shape: type[BaseModel]) -> dict[str, Any]:
    """The shape as a strict JSON schema: no limits, and every field named."""
    sent: dict[str, Any] = _sent(shape.model_json_schema())
    return sent


def _sent(node: Any) -> Any:
    if isinstance(node, list):
        return [_sent(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept = {key: _sent(value) for key, value in node.items() if key not in NOT_SENT}
    if isinstance(kept.get("properties"), dict):
        kept["required"] = list(kept["properties"])
    return kept
