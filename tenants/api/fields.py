"""Serializer building blocks: unknown names are refused, times are aware, texts are not blank."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tenants.api.parsing import is_storable, is_visible
from tenants.models import SUBJECT_ID_LENGTH


class StrictSerializer(serializers.Serializer[Any]):
    """A serializer that refuses names it does not know, instead of ignoring them."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = sorted(set(data) - {n for n, f in self.fields.items() if not f.read_only})
            if unknown:
                raise serializers.ValidationError(
                    {unknown[0]: [_problem("This field is not known here.", "unknown_field")]}
                )
        return super().to_internal_value(data)


class StrictCharField(serializers.CharField):
    """Text as it is: numbers and booleans are not taken for text, white space is kept."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("trim_whitespace", False)
        super().__init__(**options)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        if not is_storable(data):
            raise serializers.ValidationError(
                "The text holds NUL or half of a surrogate pair.", code="invalid_text"
            )
        if data and not is_visible(data) and not self.allow_blank:
            self.fail("blank")
        return super().to_internal_value(data)


class WholeNumberField(serializers.IntegerField):
    """A whole number of a JSON body: texts and booleans are not taken for one."""

    def to_internal_value(self, data: Any) -> int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class NumberField(serializers.FloatField):
    """A number of a JSON body: texts and booleans are not taken for one."""

    def to_internal_value(self, data: Any) -> float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            self.fail("invalid")
        return super().to_internal_value(data)


class FlagField(serializers.BooleanField):
    """true or false of a JSON body, and no other word for them."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class IdField(StrictCharField):
    """An identifier of the tenant's own (subject, session, agent): 1–255 characters, not blank."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=SUBJECT_ID_LENGTH, **options)


@extend_schema_field(OpenApiTypes.DATETIME)
class AwareDateTimeField(serializers.Field):
    """A moment as RFC 3339 with an offset; a naive time is refused, never guessed."""

    default_error_messages = {
        "invalid": "Write the moment as RFC 3339, for example 2024-05-01T09:30:00+08:00.",
        "naive": "The moment needs an offset: 2024-05-01T09:30:00+08:00 or …Z.",
    }

    def to_internal_value(self, data: Any) -> datetime:
        try:
            return self.as_written(data).astimezone(UTC)
        except OverflowError:
            self.fail("invalid")

    def as_written(self, data: Any) -> datetime:
        """The moment with the offset that it was written with."""
        if not isinstance(data, str) or not is_storable(data):
            self.fail("invalid")
        try:
            moment = parse_datetime(data)
        except ValueError:
            moment = None
        if moment is None:
            self.fail("invalid")
        if moment.tzinfo is None:
            self.fail("naive")
        return moment

    def to_representation(self, value: datetime) -> str:
        return _written(value)


@extend_schema_field(OpenApiTypes.DATETIME)
class LocalDateTimeField(AwareDateTimeField):
    """A moment whose offset tells where its speaker was: it is kept."""

    def to_internal_value(self, data: Any) -> datetime:
        super().to_internal_value(data)  # must lie within the calendar in UTC too
        return self.as_written(data)


class TimeZoneField(StrictCharField):
    """The name of a time zone of the IANA database, such as Asia/Shanghai."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=64, **options)

    def to_internal_value(self, data: Any) -> str:
        name = super().to_internal_value(data)
        if name not in _time_zones():
            raise serializers.ValidationError(
                "Name a time zone of the IANA database, for example Asia/Shanghai."
            )
        return name


@cache
def _time_zones() -> frozenset[str]:
    """The names, read from the disk once."""
    return frozenset(available_timezones())


def moment_text(value: datetime | None) -> str | None:
    """A stored moment as the API gives it."""
    return _written(value) if value else None


def _written(value: datetime) -> str:
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _problem(text: str, code: str) -> Any:
    return serializers.ErrorDetail(text, code=code)
