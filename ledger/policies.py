"""Which policy rules a tenant now: the newest version that was written, or the built-in one."""

import functools
import json
from typing import Any

from django.db.models import QuerySet
from pydantic import ValidationError

from ledger.models import Kind, PolicyVersion
from ledger.policy import Policy
from tenants.errors import Invalid, MemoryHubError
from tenants.principals import Principal, Scope
from tenants.statements import one_row

BUILT_IN = Policy()
KEPT_POLICIES = 256
NEWEST = """
    SELECT document::text, number FROM ledger_policyversion WHERE tenant_id = %(tenant)s
    ORDER BY number DESC LIMIT 1
"""


class PolicyBroken(MemoryHubError):
    """The tenant's stored policy cannot be read, so nothing is written or recalled: write a new
    one with POST /api/v1/policies.
    """

    code = "policy_broken"
    status = 503


class BadPolicy(Invalid):
    """This is not a policy."""

    code = "bad_policy"


def current_policy() -> Policy:
    """The policy of the tenant in context. Raises PolicyBroken: a rule that cannot be read rules.

    A text that would have been masked must not be stored because the rule to mask it was lost.
    """
    row = one_row(NEWEST)
    return BUILT_IN if row is None else _parsed(*row)


def stored_policy(row: PolicyVersion) -> Policy:
    """The rules of one stored version. Raises PolicyBroken."""
    return _parsed(json.dumps(row.document, sort_keys=True), row.number)


@functools.lru_cache(KEPT_POLICIES)
def _parsed(document: str, number: int) -> Policy:
    try:
        return Policy.model_validate(json.loads(document) | {"version": number})
    except (ValidationError, TypeError) as error:
        raise PolicyBroken from error


def policy_from(document: dict[str, Any]) -> Policy:
    """A policy as a client gives it: sections that are left out are as built in.

    Raises BadPolicy, naming the first rule that is wrong.
    """
    if "version" in document:
        raise BadPolicy("The version is given by the server.", field="version")
    try:
        # As JSON, strictly: "0.5" and true are no numbers.
        policy = Policy.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise BadPolicy(f"{path}: {first['msg']}", field=path or None) from error
    for kind in policy.retention.memory_days:
        if kind not in Kind.values:
            path = f"retention.memory_days.{kind}"
            raise BadPolicy(f"{path}: there is no such kind of memory.", field=path)
    return policy


def document_of(policy: Policy) -> dict[str, Any]:
    """A policy as it is stored and answered, without its version."""
    document: dict[str, Any] = json.loads(policy.model_dump_json(exclude={"version"}))
    return document


def find_policies(principal: Principal) -> QuerySet[PolicyVersion]:
    """All versions that were written. Raises ScopeMissing."""
    principal.require(Scope.READ)
    return PolicyVersion.objects.all()
