"""Cursor paging over (moment, id), newest first: stable while rows are added, fast at any depth."""

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from rest_framework import serializers

from tenants.api.fields import StrictCharField
from tenants.errors import Invalid

DEFAULT_LIMIT = 50
MAX_LIMIT = 200


class InvalidCursor(Invalid):
    """This cursor was not given out by this list."""

    code = "invalid_cursor"


class PageQuery(serializers.Serializer[Any]):
    """The two parameters of every list."""

    limit = serializers.IntegerField(min_value=1, max_value=MAX_LIMIT, default=DEFAULT_LIMIT)
    cursor = StrictCharField(required=False, max_length=500)


@dataclass(frozen=True)
class Page:
    """One page of rows, and the cursor of the next (None at the end)."""

    rows: list[Any]
    next: str | None


def paginate(rows: QuerySet[Any], *, moment: str, limit: int, cursor: str | None = None) -> Page:
    """The page of `rows` after `cursor`, by the field `moment` and then id, newest first."""
    if cursor:
        at, row_id = _decode(cursor)
        rows = rows.filter(Q(**{f"{moment}__lt": at}) | Q(**{moment: at, "id__lt": row_id}))
    found = list(rows.order_by(f"-{moment}", "-id")[: limit + 1])
    page = found[:limit]
    more = len(found) > limit
    return Page(page, _encode(getattr(page[-1], moment), page[-1].id) if more else None)


def _encode(at: datetime, row_id: UUID) -> str:
    raw = json.dumps([at.isoformat(), str(row_id)]).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(cursor: str) -> tuple[datetime, UUID]:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        at, row_id = json.loads(raw)
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            raise InvalidCursor(field="cursor")
        return moment, UUID(row_id)
    except (binascii.Error, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise InvalidCursor(field="cursor") from error
