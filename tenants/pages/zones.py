"""In which time zone a page writes and reads its times: the subject's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

from django.utils import timezone

from tenants.models import Subject


@contextmanager
def in_zone_of(subject: Subject) -> Iterator[None]:
    """Hold the subject's zone in force for the block; forms and templates follow it."""
    with timezone.override(_zone(subject.time_zone)):
        yield


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):  # unknown, or not a name at all
        return UTC
