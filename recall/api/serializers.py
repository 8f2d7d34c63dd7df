"""What recall's routes take and give."""

from typing import Any

from rest_framework import serializers

from ledger.api.serializers import AnsweredAt, KnownAtField, MemoryOut
from ledger.models import Kind
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
    min_score = NumberField(min_value=0, max_value=100, required=False)
    session = IdField(required=False)
    task = StrictCharField(required=False, max_length=NAME_LENGTH)


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
