"""Retention: a memory past its date, or its policy's time, ends; the ledger records it."""

from datetime import datetime, timedelta

from django.db.models import F, Q, QuerySet

from ledger import rectangles
from ledger.models import MemoryVersion, Verb
from ledger.policy.storage import Retention
from ledger.writing import held, moment_of, writing
from tenants import clock
from tenants.principals import Principal

BATCH = 100


def expire_due(principal: Principal, retention: Retention) -> int:
    """End up to BATCH versions that are due, in the tenant's context; gives how many were.

    Versions are taken subject by subject, in the order of ids, so that two rounds at once cannot
    lock subjects crosswise.
    """
    due = _due(retention).select_related("subject").order_by("subject_id", "id")[:BATCH]
    ended = 0
    for version in list(due):
        work = writing(principal, version.subject)
        layer = work.layer(version.memory_id, "")
        if all(v.id != version.id for v in layer):
            continue  # revised while this round waited for the subject's lock
        moment = _end_of(version, retention)
        effect = rectangles.end(version.memory_id, moment, held(layer, ""))
        facts = {"valid_to": moment_of(moment), "because": "retention"}
        work.record(Verb.END, version.memory_id, effect, facts=facts)
        ended += 1
    return ended


def _due(retention: Retention) -> QuerySet[MemoryVersion]:
    """Current versions whose date or time is over and that have not ended by then."""
    moment = clock.now()
    dated = Q(expires_at__lte=moment) & (Q(valid_to=None) | Q(valid_to__gt=F("expires_at")))
    due = dated & Q(expires_at__gt=F("valid_from"))
    for kind, days in retention.memory_days.items():
        start = moment - timedelta(days=days)
        due |= Q(kind=kind, valid_from__lte=start, valid_to=None)
    return MemoryVersion.objects.filter(due, recorded_to=None, pending=False)


def _end_of(version: MemoryVersion, retention: Retention) -> datetime:
    """When the version ends: its own date, or its kind's time after it began."""
    ends = []
    # A date before it began says nothing about its end (and must not stop the whole round).
    if version.expires_at is not None and version.expires_at > version.valid_from:
        ends.append(version.expires_at)
    if days := retention.memory_days.get(version.kind):
        ends.append(version.valid_from + timedelta(days=days))
    return min(ends)
