"""Telling a worker that there is work: a hint, since the work itself is a row in PostgreSQL."""

import logging
from typing import Any
from uuid import UUID

from tenants.valkey import breaker

log = logging.getLogger(__name__)


def nudge(task: Any, *ids: UUID) -> None:
    """Send a Celery task with ids. What is lost, a sweeper finds: whoever writes does not wait for
    a broker that is away.
    """
    if breaker.open:
        return
    try:
        task.delay(*map(str, ids))
    except Exception:  # whatever ails the broker, the work is stored and stands
        log.warning("the broker is away; the sweeper will find this work", exc_info=True)
