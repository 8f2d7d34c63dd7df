"""What a policy would change for what is stored, without changing anything.

Texts are judged as they are stored (masked by the policy that ruled them), a sample of the newest;
what only needs counting is counted over all.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from ledger.meaning import Vectors
from ledger.models import DERIVED, MemoryVersion
from ledger.pipeline import judge_text
from ledger.policies import current_policy, policy_from
from ledger.policy import Policy
from ledger.policy.privacy import Action
from ledger.privacy import action, find_private_in
from ledger.projection import words_of
from ledger.services.set_policy import require_to_rule
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.principals import Principal

MOST_EXAMPLES = 10
MOST_EXAMINED = 500


@dataclass
class Change:
    """How many stored memories one rule would change, and the first of them."""

    count: int = 0
    examples: list[UUID] = field(default_factory=list)

    def add(self, memory: UUID) -> None:
        self.count += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(memory)


@dataclass(frozen=True)
class Trial:
    """What would change. `examined` of `stored` texts were judged."""

    examined: int
    stored: int
    changes: dict[str, Change]


def try_policy(principal: Principal, document: dict[str, Any], *, limit: int) -> Trial:
    """Judge what is stored by another policy. Slow: models read texts while no transaction is open.

    Raises ScopeMissing, Pinned, BadPolicy.
    """
    require_to_rule(principal)
    policy = policy_from(document)
    with tenant_context(principal.tenant_id):
        now = current_policy()
        stored = _believed().count()
        texts = list(_texts(limit))
        changes = {"expired": _expired(policy), "single_valued_conflicts": _conflicts(policy)}
    found: dict[str, Change] = {
        name: Change() for name in ("not_admitted", "masked", "dropped", "refused", "device_only")
    }
    _judge_admission(texts, now, policy, found["not_admitted"])
    _judge_privacy(texts, now, policy, found)
    return Trial(len(texts), stored, found | changes)


@dataclass(frozen=True)
class Text:
    """One stored text; `judged` unless it was written to be kept as it is.

    `stated` is what a client stated by itself, which other thresholds rule.
    """

    memory: UUID
    content: str
    judged: bool
    stated: bool


def _believed() -> Any:
    return MemoryVersion.objects.filter(recorded_to=None, pending=False)


def _texts(limit: int) -> Iterator[Text]:
    rows = _believed().select_related("entry").order_by("-recorded_from", "-id")[:limit]
    versions = list(rows)
    ciphers = keys.ciphers_for({version.subject_id for version in versions})
    for version in versions:
        if cipher := ciphers.get(version.subject_id):
            verbatim = version.entry.header["facts"]["verbatim"] or version.kind in DERIVED
            words = words_of(version, cipher)
            yield Text(version.memory_id, words["content"], not verbatim, not words["turns"])


def _judge_admission(texts: list[Text], now: Policy, policy: Policy, change: Change) -> None:
    if policy.admission == now.admission:
        return
    vectors = Vectors()
    for text in texts:
        rules = policy.admission.for_stated if text.stated else policy.admission
        if text.judged and not judge_text(text.content, rules, vectors).admitted:
            change.add(text.memory)


def _judge_privacy(
    texts: list[Text], now: Policy, policy: Policy, found: dict[str, Change]
) -> None:
    """Values that are in clear now and would not be: placeholders are no longer private."""
    if policy.privacy == now.privacy:
        return
    names = {
        Action.MASK: "masked",
        Action.DROP: "dropped",
        Action.REFUSE: "refused",
        Action.DEVICE_ONLY: "device_only",
    }
    all_findings = find_private_in([text.content for text in texts], policy.privacy)
    for text, findings in zip(texts, all_findings, strict=True):
        for done in {action(finding, policy.privacy) for finding in findings}:
            found[names[done]].add(text.memory)


def _expired(policy: Policy) -> Change:
    due = Q(pk__in=[])
    for kind, days in policy.retention.memory_days.items():
        due |= Q(kind=kind, valid_from__lte=clock.now() - timedelta(days=days), valid_to=None)
    rows = _believed().filter(due).order_by("-recorded_from", "-id")
    return Change(rows.count(), list(rows.values_list("memory_id", flat=True)[:MOST_EXAMPLES]))


def _conflicts(policy: Policy) -> Change:
    """Attributes that would hold one value and hold several now: one change a subject's slot."""
    moment = clock.now()
    rows = (
        _believed()
        .filter(attribute__in=policy.attributes.single_valued, single_valued=False)
        .filter(Q(valid_to=None) | Q(valid_to__gt=moment), valid_from__lte=moment)
    )
    slots = rows.values("subject_id", "attribute").annotate(held=Count("memory_id", distinct=True))
    several = list(slots.filter(held__gt=1)[:MOST_EXAMPLES])
    change = Change(slots.filter(held__gt=1).count())
    for slot in several:
        first = rows.filter(subject_id=slot["subject_id"], attribute=slot["attribute"]).first()
        if first is not None:
            change.examples.append(first.memory_id)
    return change
