"""How many memories subjects have, for a page's list of them."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Count

from ledger.models import MemoryVersion
from ledger.selectors import STATUSES, AsOf


def count_current(subject_ids: Iterable[UUID], at: AsOf) -> dict[UUID, int]:
    """The number of memories that are true at the point, by subject; absent where there is none."""
    rows = MemoryVersion.objects.filter(
        at.believed, STATUSES["active"](at), subject_id__in=list(subject_ids)
    )
    counted = rows.values_list("subject_id").annotate(Count("memory_id", distinct=True))
    return dict(counted.order_by())
