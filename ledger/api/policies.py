"""REST: the tenant's policy, its versions, and what another one would change."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.writing import IDEMPOTENCY_KEY, answer_once
from ledger.idempotency import Result
from ledger.models import PolicyVersion
from ledger.policies import BUILT_IN, document_of, find_policies
from ledger.policy.presets import PRESETS
from ledger.services.set_policy import from_preset, set_policy
from ledger.services.try_policy import MOST_EXAMINED, Trial, try_policy
from tenants.api.fields import AwareDateTimeField, StrictSerializer, WholeNumberField
from tenants.api.pagination import PageQuery, paginate
from tenants.api.views import TenantAPIView, validated
from tenants.context import tenant_context

PRESET_NAMES = list(PRESETS)


class PolicyIn(StrictSerializer):
    """A policy: a preset, and rules laid over it, section by section."""

    preset = serializers.ChoiceField(choices=PRESET_NAMES, default="balanced")
    rules = serializers.DictField(required=False)


class NewPolicyIn(PolicyIn):
    """With `after`, only if that is still the newest version (else 409)."""

    after = WholeNumberField(min_value=0, required=False)


class TrialIn(PolicyIn):
    """`limit` is how many of the newest memories are judged."""

    limit = WholeNumberField(min_value=1, max_value=MOST_EXAMINED, default=200)


class PolicyOut(serializers.Serializer[Any]):
    """One version of the policy; version 0 is the built-in one."""

    version = serializers.IntegerField()
    rules = serializers.DictField()
    actor = serializers.CharField(allow_null=True)
    created_at = AwareDateTimeField(allow_null=True)


class PolicyPage(serializers.Serializer[Any]):
    """The versions, newest first; `current` is the one that rules."""

    current = PolicyOut()
    presets = serializers.DictField(child=serializers.DictField())
    results = PolicyOut(many=True)
    next = serializers.CharField(allow_null=True)


class PoliciesQuery(StrictSerializer, PageQuery):
    """The parameters of the list of policies."""


class ChangeOut(serializers.Serializer[Any]):
    count = serializers.IntegerField()
    examples = serializers.ListField(child=serializers.UUIDField())


class TrialOut(serializers.Serializer[Any]):
    """What would change for stored data: `examined` of `stored` texts were judged."""

    examined = serializers.IntegerField()
    stored = serializers.IntegerField()
    changes = serializers.DictField(child=ChangeOut())


class PoliciesView(TenantAPIView):
    """The policy of the tenant."""

    @extend_schema(
        operation_id="list_policies", parameters=[PoliciesQuery], responses={200: PolicyPage}
    )
    def get(self, request: Request) -> Response:
        """The policy that rules, the versions before it, and the presets to start from."""
        given = validated(PoliciesQuery, request.query_params.dict())
        with tenant_context(self.principal.tenant_id):
            page = paginate(find_policies(self.principal), moment="created_at", **given)
            newest = find_policies(self.principal).order_by("-number").first()
            return Response(
                {
                    "current": policy_body(newest),
                    "presets": PRESETS,
                    "results": [policy_body(row) for row in page.rows],
                    "next": page.next,
                }
            )

    @extend_schema(
        operation_id="write_policy",
        parameters=[IDEMPOTENCY_KEY],
        request=NewPolicyIn,
        responses={201: PolicyOut},
    )
    def post(self, request: Request) -> Response:
        """Write the next version; it rules from the next request on. Needs the scope "admin"."""
        given = validated(NewPolicyIn, request.data)
        document = from_preset(given["preset"], given.get("rules", {}))

        def work() -> Result:
            row = set_policy(self.principal, document, after=given.get("after"))
            return Result(201, policy_body(row), None)

        return answer_once(request, self.principal, work)


class PolicyTrialView(TenantAPIView):
    @extend_schema(operation_id="try_policy", request=TrialIn, responses={200: TrialOut})
    def post(self, request: Request) -> Response:
        """What a policy would change for stored data; nothing is changed. Needs "admin"."""
        given = validated(TrialIn, request.data)
        document = from_preset(given["preset"], given.get("rules", {}))
        return Response(trial_body(try_policy(self.principal, document, limit=given["limit"])))


def policy_body(row: PolicyVersion | None) -> dict[str, Any]:
    """A version in the shape of PolicyOut; None is the built-in one."""
    if row is None:
        return {"version": 0, "rules": document_of(BUILT_IN), "actor": None, "created_at": None}
    shown = {
        "version": row.number,
        "rules": row.document,
        "actor": row.actor,
        "created_at": row.created_at,
    }
    return dict(PolicyOut(shown).data)


def trial_body(trial: Trial) -> dict[str, Any]:
    """A trial in the shape of TrialOut."""
    return dict(TrialOut(trial).data)
