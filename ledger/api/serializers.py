"""What the ledger's routes take and give."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.chain import canonical
from ledger.models import ATTRIBUTE_LENGTH, Kind
from ledger.selectors import ANY_STATUS, SEQ, STATUSES
from ledger.statements import ATTRIBUTE, CONTENT_LENGTH, METADATA_BYTES, VALUE_LENGTH
from tenants.api.fields import (
    AwareDateTimeField,
    FlagField,
    IdField,
    NumberField,
    StrictCharField,
    StrictSerializer,
    WholeNumberField,
)
from tenants.api.pagination import PageQuery

BIGGEST_SEQ = 2**63 - 1


class AttributeField(StrictCharField):
    """The name of a slot: a letter, then letters, digits, '_', '.', '-'."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=ATTRIBUTE_LENGTH, **options)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name and not ATTRIBUTE.fullmatch(name):
            raise serializers.ValidationError(
                "An attribute's name is a letter, then letters, digits, '_', '.' or '-'."
            )
        return name


@extend_schema_field(OpenApiTypes.STR)
class KnownAtField(AwareDateTimeField):
    """A moment, or 'seq:N': after the subject's Nth entry. Gives a datetime or an int."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and (match := SEQ.fullmatch(data)):
            return min(int(match[1]), BIGGEST_SEQ)
        return super().to_internal_value(data)


class MetadataField(serializers.DictField):
    """The tenant's own labels: one JSON object, stored in clear and no place for content."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        labels = super().to_internal_value(data)
        if len(canonical(labels)) > METADATA_BYTES:
            raise serializers.ValidationError(
                f"Metadata has at most {METADATA_BYTES} bytes as JSON.", code="too_long"
            )
        return labels


class MemoryIn(StrictSerializer):
    """One thing to remember."""

    subject = IdField()
    content = StrictCharField(max_length=CONTENT_LENGTH)
    kind = serializers.ChoiceField(choices=Kind.choices, default=Kind.FACT)
    attribute = AttributeField(required=False)
    value = StrictCharField(required=False, max_length=VALUE_LENGTH)
    valid_from = AwareDateTimeField(required=False)
    valid_to = AwareDateTimeField(required=False)
    expires_at = AwareDateTimeField(required=False)
    importance = WholeNumberField(min_value=1, max_value=10, default=5)
    confidence = NumberField(min_value=0, max_value=1, default=1.0)
    agent = IdField(required=False)
    session = IdField(required=False)
    metadata = MetadataField(required=False)
    verbatim = FlagField(default=False)


class Provenance(serializers.Serializer[Any]):
    """From where a memory comes."""

    entry = serializers.UUIDField()
    seq = serializers.IntegerField()
    session = serializers.CharField(allow_null=True)
    turns = serializers.ListField(child=serializers.CharField())
    agent = serializers.CharField(allow_null=True)
    actor = serializers.CharField()
    dated_by = serializers.ChoiceField(choices=["client", "recording"])


class MemoryOut(serializers.Serializer[Any]):
    """A memory as every answer gives it; made from ledger.selectors.MemoryView."""

    id = serializers.UUIDField()
    subject = serializers.CharField()
    content = serializers.CharField()
    kind = serializers.CharField()
    attribute = serializers.CharField(allow_null=True)
    value = serializers.CharField(allow_null=True)
    valid_from = AwareDateTimeField()
    valid_to = AwareDateTimeField(allow_null=True)
    recorded_at = AwareDateTimeField()
    expires_at = AwareDateTimeField(allow_null=True)
    status = serializers.CharField()
    importance = serializers.IntegerField()
    weight = serializers.FloatField()
    confidence = serializers.FloatField()
    metadata = serializers.DictField()
    provenance = Provenance()


class EntryRef(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    recorded_at = AwareDateTimeField()


class WrittenOut(serializers.Serializer[Any]):
    memory = MemoryOut()
    disposition = serializers.ChoiceField(choices=["stored", "unchanged"])
    entry = EntryRef()


class AsOfQuery(StrictSerializer):
    """A point on both time axes."""

    valid_at = AwareDateTimeField(required=False)
    known_at = KnownAtField(required=False)


class ListQuery(AsOfQuery, PageQuery):
    """The parameters of a list of memories."""

    subject = IdField(required=False)
    kind = serializers.ChoiceField(choices=Kind.choices, required=False)
    status = serializers.ChoiceField(choices=[*STATUSES, ANY_STATUS], default="active")
    attribute = AttributeField(required=False)
    session = IdField(required=False)
    agent = IdField(required=False)
    q = StrictCharField(required=False, max_length=500)


class AnsweredAt(serializers.Serializer[Any]):
    """The point on both axes that an answer holds for."""

    valid_at = AwareDateTimeField()
    known_at = AwareDateTimeField()
    seq = serializers.IntegerField(allow_null=True)


class MemoryAt(MemoryOut):
    answered_at = AnsweredAt()


class MemoryPage(serializers.Serializer[Any]):
    results = MemoryOut(many=True)
    next = serializers.CharField(allow_null=True)
    answered_at = AnsweredAt()
