"""What the ledger's routes take and give."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ledger.chain import canonical
from ledger.models import ATTRIBUTE_LENGTH, BIGGEST_SEQ, Kind
from ledger.selectors import ANY_STATUS, SEQ, STATUSES, MemoryView
from ledger.statements import ATTRIBUTE, CONTENT_LENGTH, METADATA_BYTES, VALUE_LENGTH, DatedBy
from tenants.api.fields import (
    AwareDateTimeField,
    FlagField,
    IdField,
    NumberField,
    StrictCharField,
    StrictSerializer,
    WholeNumberField,
    moment_text,
)
from tenants.api.pagination import PageQuery

MIN_WEIGHT, MAX_WEIGHT = 0.1, 10.0
DISPOSITIONS = [
    "stored",
    "superseded",
    "merged",
    "unchanged",
    "pending_review",
    "corrected",
    "ended",
    "retracted",
    "weighed",
    "approved",
    "declined",
    "undone",
]


@extend_schema_field(OpenApiTypes.STR)
class HexField(serializers.Field):
    """Bytes as hexadecimal digits; read only."""

    def to_representation(self, value: bytes) -> str:
        return bytes(value).hex()


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

    operation = serializers.ChoiceField(choices=["assert", "change"], default="assert")
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
    dated_by = serializers.ChoiceField(choices=[str(way) for way in DatedBy])


class MemoryOut(serializers.Serializer[Any]):
    """A memory as every answer gives it; made from ledger.selectors.MemoryView."""

    id = serializers.UUIDField()
    version = serializers.UUIDField()
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
    details = serializers.DictField()
    provenance = Provenance()

    def to_representation(self, memory: MemoryView) -> dict[str, Any]:
        """By hand: field by field, ten memories take longer than it takes to find them."""
        provenance = memory.provenance
        return {
            "id": str(memory.id),
            "version": str(memory.version),
            "subject": memory.subject,
            "content": memory.content,
            "kind": memory.kind,
            "attribute": memory.attribute,
            "value": memory.value,
            "valid_from": moment_text(memory.valid_from),
            "valid_to": moment_text(memory.valid_to),
            "recorded_at": moment_text(memory.recorded_at),
            "expires_at": moment_text(memory.expires_at),
            "status": memory.status,
            "importance": memory.importance,
            "weight": memory.weight,
            "confidence": memory.confidence,
            "metadata": memory.metadata,
            "details": memory.details,
            "provenance": provenance | {"entry": str(provenance["entry"])},
        }


class EntryRef(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    recorded_at = AwareDateTimeField()


class WrittenOut(serializers.Serializer[Any]):
    memory = MemoryOut()
    disposition = serializers.ChoiceField(choices=DISPOSITIONS)
    entry = EntryRef()


class VersionedIn(StrictSerializer):
    """A revision; with `version`, only if that is still what is believed (else 409)."""

    version = serializers.UUIDField(required=False)


class ChangeIn(VersionedIn):
    """What holds from valid_from (default: now) on; what is left out stays."""

    content = StrictCharField(required=False, max_length=CONTENT_LENGTH)
    value = StrictCharField(required=False, max_length=VALUE_LENGTH)
    valid_from = AwareDateTimeField(required=False)
    valid_to = AwareDateTimeField(required=False)
    importance = WholeNumberField(min_value=1, max_value=10, required=False)
    confidence = NumberField(min_value=0, max_value=1, required=False)
    session = IdField(required=False)
    metadata = MetadataField(required=False)


class CorrectIn(ChangeIn):
    """What should have been said; `version` names what was wrong."""

    version = serializers.UUIDField()


class EndIn(VersionedIn):
    valid_to = AwareDateTimeField(required=False)


class WeighIn(VersionedIn):
    weight = NumberField(min_value=MIN_WEIGHT, max_value=MAX_WEIGHT, required=False)
    importance = WholeNumberField(min_value=1, max_value=10, required=False)


class ReviewIn(VersionedIn):
    """Nothing but, perhaps, the version that is meant."""


class UndoIn(StrictSerializer):
    entry = serializers.UUIDField()


class LedgerEntryOut(serializers.Serializer[Any]):
    """One entry of the ledger: what stays readable of it."""

    id = serializers.UUIDField()
    seq = serializers.IntegerField()
    recorded_at = AwareDateTimeField()
    verb = serializers.CharField()
    memory = serializers.UUIDField(source="memory_id", allow_null=True)
    actor = serializers.CharField()
    hash = HexField()


class HistoryVersionOut(serializers.Serializer[Any]):
    memory = MemoryOut()
    recorded_from = AwareDateTimeField()
    recorded_to = AwareDateTimeField(allow_null=True)
    opened_by = serializers.UUIDField(source="opened_by.id")
    closed_by = serializers.UUIDField(source="closed_by.id", default=None, allow_null=True)


class HistoryOut(serializers.Serializer[Any]):
    versions = HistoryVersionOut(many=True)
    entries = LedgerEntryOut(many=True)


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


class DryRunQuery(StrictSerializer):
    """Count first: with dry_run=true nothing is touched."""

    dry_run = serializers.BooleanField(default=False)


class SourceIn(StrictSerializer):
    """Where something was learned: at least one of the three."""

    session = IdField(required=False)
    agent = IdField(required=False)
    since = AwareDateTimeField(required=False)
    dry_run = FlagField(default=False)


class ReceiptOut(serializers.Serializer[Any]):
    """What an erasure found in each store, and what it left there."""

    scope = serializers.ChoiceField(choices=["subject", "memory", "source"])
    dry_run = serializers.BooleanField()
    found = serializers.DictField(child=serializers.IntegerField())
    left = serializers.DictField(child=serializers.IntegerField())
    entry = EntryRef(allow_null=True)


class RetractedOut(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField()
    memories = serializers.ListField(child=serializers.UUIDField())


class SubjectOut(serializers.Serializer[Any]):
    id = serializers.CharField(source="external_id")
    locale = serializers.CharField()
    time_zone = serializers.CharField()
    created_at = AwareDateTimeField()


class SubjectPage(serializers.Serializer[Any]):
    results = SubjectOut(many=True)
    next = serializers.CharField(allow_null=True)


class ProfileItemOut(serializers.Serializer[Any]):
    """One thing known, and the memory from which it is. `label` is its attribute, or empty."""

    # The class attribute of this name is the base class's; declared fields do not touch it.
    label = serializers.CharField()  # type: ignore[assignment]
    text = serializers.CharField()
    memory = serializers.UUIDField()
    since = AwareDateTimeField()
    confidence = serializers.FloatField()
    due_at = AwareDateTimeField(allow_null=True)


class ProfileOut(serializers.Serializer[Any]):
    """What is believed of a subject, by section, in a fixed order."""

    subject = serializers.CharField()
    answered_at = AnsweredAt()
    sections = serializers.DictField(child=ProfileItemOut(many=True))


class LedgerQuery(StrictSerializer, PageQuery):
    """The parameters of a list of entries."""

    subject = IdField()


class LedgerPage(serializers.Serializer[Any]):
    results = LedgerEntryOut(many=True)
    next = serializers.CharField(allow_null=True)


class VerifyQuery(StrictSerializer):
    """One subject; without it, the whole tenant."""

    subject = IdField(required=False)


class BrokenOut(serializers.Serializer[Any]):
    """The first broken entry; `entry` is null where one is missing, `subject` where it is gone."""

    subject = serializers.CharField(allow_null=True)
    subject_id = serializers.UUIDField()
    seq = serializers.IntegerField()
    entry = serializers.UUIDField(allow_null=True)
    reason = serializers.CharField()
    message = serializers.CharField()


class CheckpointRef(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    at = AwareDateTimeField()
    hash = HexField()


class BrokenCheckpointOut(serializers.Serializer[Any]):
    """The first broken checkpoint, and the subject and entry that it is about, if it is."""

    number = serializers.IntegerField()
    subject = serializers.CharField(allow_null=True)
    subject_id = serializers.UUIDField(allow_null=True)
    seq = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    message = serializers.CharField()


class CheckpointsOut(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    latest = CheckpointRef(allow_null=True)
    broken = BrokenCheckpointOut(allow_null=True)


class VerificationOut(serializers.Serializer[Any]):
    """What was verified, up to the first broken entry if there is one."""

    ok = serializers.BooleanField()
    subjects = serializers.IntegerField()
    entries = serializers.IntegerField()
    broken = BrokenOut(allow_null=True)
    checkpoints = CheckpointsOut()
