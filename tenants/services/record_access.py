"""Write one line of the audit."""

from typing import Any

from tenants.context import tenant_context
from tenants.errors import MemoryHubError
from tenants.models import SUBJECT_ID_LENGTH, AccessEvent
from tenants.principals import Principal
from tenants.request_ids import current_request_id
from tenants.statements import insert


def record_access(
    principal: Principal, *, action: str, object_id: str = "", outcome: str = "allowed"
) -> None:
    """Record that `principal` did `action` on `object_id`, or was refused. No content."""
    insert(
        AccessEvent(
            actor=principal.actor,
            action=action,
            object_id=object_id[:SUBJECT_ID_LENGTH],
            outcome=outcome,
            request_id=current_request_id(),
        )
    )


def record_refusal(request: Any, principal: Principal, error: MemoryHubError) -> None:
    """Audit a refusal that concerns one object, in a transaction of its own.

    The request's own transaction was rolled back, and with it everything that it wrote.
    """
    match = request.resolver_match
    with tenant_context(principal.tenant_id):
        record_access(
            principal,
            action=f"{request.method} {match.view_name}"[:64],
            object_id=str(next(iter(match.kwargs.values()), "")),
            outcome=error.code,
        )
