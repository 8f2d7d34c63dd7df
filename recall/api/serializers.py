"""What recall's routes take and give."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.api.serializers import (
    AnsweredAt,
    AttributeField,
    KnownAtField,
    MemoryOut,
    MetadataField,
)
from ledger.models import Kind
from recall.filters import Filters
from recall.replies import MAX_USED, TEXT_LENGTH
from recall.working import NAME_LENGTH
from tenants.api.fields import (
    AwareDateTimeField,
    IdField,
    NumberField,
    StrictCharField,
    StrictSerializer,
    WholeNumberField,
)

QUERY_LENGTH = 4_000
MAX_TOP_K = 100
MAX_TOKEN_BUDGET = 100_000
MIN_TOKEN_BUDGET = 50
MAX_LABELS = 20
LABEL_NAME_LENGTH = 255


@extend_schema_field({"oneOf": [{"type": name} for name in ("string", "number", "boolean")]})
class LabelField(serializers.Field):
    """What a label must be equal to. null is refused: it could mean a label that is not there; so
    are objects and lists: they could mean comparisons, which there are none of.
    """

    default_error_messages = {
        "invalid": "A label is compared with a text, a number, true or false, and nothing else."
    }

    def to_internal_value(self, data: Any) -> str | int | float | bool:
        if not isinstance(data, str | int | float | bool):
            self.fail("invalid")
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class LabelsField(MetadataField):
    """The labels that a memory must have, by name; all of it within the limits of metadata."""

    child = LabelField()

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        labels = super().to_internal_value(data)
        if len(labels) > MAX_LABELS:
            raise serializers.ValidationError(
                f"A question names at most {MAX_LABELS} labels.", code="max_length"
            )
        if any(len(name) > LABEL_NAME_LENGTH for name in labels):
            raise serializers.ValidationError(
                f"The name of a label has at most {LABEL_NAME_LENGTH} characters here.",
                code="too_long",
            )
        return labels


class RecallFilters(StrictSerializer):
    """What must hold of a memory, all of what is given."""

    attribute = AttributeField(required=False)
    session = IdField(required=False)
    agent = IdField(required=False)
    metadata = LabelsField(required=False)


class RecallIn(StrictSerializer):
    """A question about one subject."""

    subject = IdField()
    query = StrictCharField(max_length=QUERY_LENGTH)
    top_k = WholeNumberField(min_value=1, max_value=MAX_TOP_K, default=10)
    token_budget = WholeNumberField(
        min_value=MIN_TOKEN_BUDGET, max_value=MAX_TOKEN_BUDGET, required=False
    )
    valid_at = AwareDateTimeField(required=False)
    known_at = KnownAtField(required=False)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(choices=Kind.choices), required=False, max_length=len(Kind)
    )
    filters = RecallFilters(required=False)
    min_score = NumberField(min_value=0, max_value=100, required=False)
    session = IdField(required=False)
    task = StrictCharField(required=False, max_length=NAME_LENGTH)

    def validate_filters(self, given: dict[str, Any]) -> Filters:
        return Filters(**given)


class ScoreBreakdown(serializers.Serializer[Any]):
    relevance = serializers.FloatField()
    recency = serializers.FloatField()
    importance = serializers.FloatField()


class RecalledOut(MemoryOut):
    """A memory of an answer, with its score and the reason in one line."""

    score = serializers.FloatField()
    score_breakdown = ScoreBreakdown()
    why = serializers.CharField()


class AnswerOut(serializers.Serializer[Any]):
    trace = serializers.UUIDField()
    answered_at = AnsweredAt()
    memories = RecalledOut(many=True)
    # The class attribute of this name is the base class's; declared fields do not touch it.
    context = serializers.CharField()  # type: ignore[assignment]
    tokens = serializers.IntegerField()
    footer = serializers.CharField()
    withheld = serializers.DictField(child=serializers.IntegerField())
    not_encoded_yet = serializers.IntegerField()
    missing = serializers.ListField(child=serializers.CharField())
    cached = serializers.BooleanField()


class ReplyIn(StrictSerializer):
    """What an agent said with an answer, and which of the answer's memories it used."""

    text = StrictCharField(max_length=TEXT_LENGTH)
    used = serializers.ListField(child=serializers.UUIDField(), max_length=MAX_USED, default=list)


class ReplyOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    trace = serializers.UUIDField()
    at = AwareDateTimeField()


class SaidOut(serializers.Serializer[Any]):
    """What an agent said, as the trace shows it."""

    id = serializers.UUIDField()
    at = AwareDateTimeField()
    actor = serializers.CharField()
    text = serializers.CharField()
    used = serializers.ListField(child=serializers.UUIDField())


class ArmOut(serializers.Serializer[Any]):
    score = serializers.FloatField()
    rank = serializers.IntegerField()


class CandidateOut(serializers.Serializer[Any]):
    memory = serializers.UUIDField()
    version = serializers.UUIDField()
    content = serializers.CharField(allow_null=True)
    place = serializers.IntegerField()
    score = serializers.FloatField()
    score_breakdown = ScoreBreakdown()
    arms = serializers.DictField(child=ArmOut())
    weight = serializers.FloatField()
    verdict = serializers.CharField()
    in_context = serializers.BooleanField()


class TraceOut(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    subject = serializers.CharField()
    at = AwareDateTimeField()
    actor = serializers.CharField()
    repeats = serializers.UUIDField(allow_null=True)
    found_at = AwareDateTimeField()
    query = serializers.CharField()
    top_k = serializers.IntegerField()
    kinds = serializers.ListField(child=serializers.CharField())
    filters = RecallFilters(allow_null=True)
    min_score = serializers.FloatField(allow_null=True)
    answered_at = AnsweredAt()
    encoder = serializers.CharField()
    policy = serializers.IntegerField()
    weights = ScoreBreakdown()
    strategy = serializers.DictField(child=serializers.CharField())
    missing = serializers.ListField(child=serializers.CharField())
    answerable = serializers.FloatField()
    considered = serializers.IntegerField()
    not_encoded_yet = serializers.IntegerField()
    candidates = CandidateOut(many=True)
    tokens = serializers.IntegerField()
    milliseconds = serializers.DictField(child=serializers.FloatField())
    answers = SaidOut(many=True)
