"""Write a new version of the tenant's policy. It rules from the next request on."""

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from ledger.models import PolicyVersion
from ledger.policies import BadPolicy, document_of, policy_from
from ledger.policy.presets import PRESETS
from tenants import clock
from tenants.errors import Conflict
from tenants.principals import Principal, Scope
from tenants.services.record_access import record_access


class PolicyMovedOn(Conflict):
    """Somebody else wrote a policy meanwhile: read it, and decide again."""

    code = "policy_moved_on"


def set_policy(
    principal: Principal, document: dict[str, Any], *, after: int | None = None
) -> PolicyVersion:
    """Store a policy as the next version, in the tenant's context.

    With `after`, only if that is still the newest version. Raises ScopeMissing, Pinned, BadPolicy,
    PolicyMovedOn.
    """
    require_to_rule(principal)
    policy = policy_from(document)
    newest = PolicyVersion.objects.aggregate(newest=Max("number"))["newest"] or 0
    if after is not None and after != newest:
        raise PolicyMovedOn(field="after")
    row = PolicyVersion(
        number=newest + 1,
        document=document_of(policy),
        actor=principal.actor,
        created_at=clock.now(),
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:  # two at once: the unique number lets one in
        raise PolicyMovedOn(field="after") from error
    record_access(principal, action="set_policy", object_id=str(row.number))
    return row


def require_to_rule(principal: Principal) -> None:
    """Only who answers for the whole tenant may rule it. Raises ScopeMissing, Pinned."""
    principal.require(Scope.ADMIN)
    principal.require_whole_tenant()


def from_preset(name: str, changes: dict[str, Any]) -> dict[str, Any]:
    """A preset with changes laid over it, section by section. Raises BadPolicy."""
    if name not in PRESETS:
        raise BadPolicy(f"The presets are {', '.join(PRESETS)}.", field="preset")
    return _merged(PRESETS[name], changes)


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in changes.items():
        under = merged.get(name)
        if isinstance(under, dict) and isinstance(value, dict):
            value = _merged(under, value)
        merged[name] = value
    return merged
