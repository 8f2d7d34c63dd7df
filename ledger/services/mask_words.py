"""The first stage of every write: private values out of the texts, before anything reads them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ledger.append import lock_head
from ledger.masking import Masks, disarm, rename
from ledger.metrics import MASKED
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from ledger.policy import Policy
from ledger.policy.privacy import Action
from ledger.privacy import Finding, action, find_private_in
from ledger.selectors import subject_of
from tenants import keys
from tenants.context import tenant_context
from tenants.errors import MemoryHubError, NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope

# The parts of a revision that hold words.
REVISED_WORDS = ("content", "value")


class PrivateRefused(MemoryHubError):
    """The tenant's policy does not take texts with such private values: leave them out."""

    code = "private_refused"
    status = 422


class DeviceOnly(MemoryHubError):
    """Nothing was stored: the tenant's policy wants such private values kept on the device."""

    code = "device_only"
    status = 422


@dataclass(frozen=True)
class Masked:
    """Texts with placeholders, under the policy that ruled them; None stays None."""

    policy: Policy
    masks: Masks
    texts: list[str | None]

    def settle(self, subject: Subject) -> dict[str, str]:
        """Under the subject's lock: keep the values; gives the placeholders to be renamed."""
        return self.masks.settle(keys.cipher_for(subject)) if self.masks.originals else {}


def mask_words(
    principal: Principal, external_id: str, texts: Sequence[str | None], field: str = "content"
) -> Masked:
    """Mask texts about one subject. Outside a transaction: models read them.

    Raises PrivateRefused, DeviceOnly, PolicyBroken.
    """
    tenant_id = principal.tenant_id
    with tenant_context(tenant_id):
        policy = current_policy()
    given = [disarm(text or "") if principal.agent else text or "" for text in texts]
    found = find_private_in(given, policy.privacy)
    require_taken(policy, found, field)
    masks = Masks(policy.privacy)
    for text, findings in zip(given, found, strict=True):
        masks.note(text, findings)
        count(policy, findings)
    if masks.originals:
        with tenant_context(tenant_id):
            subject = Subject.objects.filter(external_id=external_id).first()
            masks.foresee(keys.cipher_for(subject) if subject else None)
    masked = [masks.mask(text, findings) for text, findings in zip(given, found, strict=True)]
    return Masked(
        policy, masks, [m if t is not None else None for m, t in zip(masked, texts, strict=True)]
    )


def require_taken(policy: Policy, found: Sequence[Sequence[Finding]], field: str) -> None:
    """Raise PrivateRefused or DeviceOnly, naming the kind, where the policy says so."""
    for findings in found:
        if kind := kind_with(policy, findings, Action.REFUSE):
            raise PrivateRefused(field=field, rule=f"privacy.{kind}")
        if kind := kind_with(policy, findings, Action.DEVICE_ONLY):
            raise DeviceOnly(field=field, rule=f"privacy.{kind}")


def kind_with(policy: Policy, findings: Sequence[Finding], wanted: Action) -> str | None:
    """The kind of the first finding to which the policy gives this action."""
    return next((str(f.kind) for f in findings if action(f, policy.privacy) == wanted), None)


def count(policy: Policy, findings: Sequence[Finding]) -> None:
    """Count what was found, for the metrics."""
    for found in findings:
        MASKED.labels(str(found.kind), str(action(found, policy.privacy))).inc()


def renamed_text(text: str | None, renamed: dict[str, str]) -> str | None:
    """A text, or None, with its placeholders renamed."""
    return None if text is None else rename(text, renamed)


def mask_revision(principal: Principal, memory_id: UUID, given: dict[str, Any]) -> Masked | None:
    """Mask what a client revises a memory with; None without words, or without such a memory.

    Raises ScopeMissing, PrivateRefused, DeviceOnly.
    """
    principal.require(Scope.WRITE)
    if not any(name in given for name in REVISED_WORDS):
        return None
    try:
        with tenant_context(principal.tenant_id):
            subject = subject_of(principal, memory_id)
    except NotFound:
        return None  # the verb itself answers for that
    texts = [given.get(name) for name in REVISED_WORDS]
    return mask_words(principal, subject.external_id, texts)


def settle_revision(
    memory_id: UUID, given: dict[str, Any], masked: Masked | None
) -> dict[str, Any]:
    """What is given, with the masked words and real placeholders; in the write's transaction."""
    if masked is None:
        return given
    subject = Subject.objects.get(
        id__in=MemoryVersion.objects.filter(memory_id=memory_id).values("subject_id")
    )
    lock_head(subject)
    renamed = masked.settle(subject)
    words = {
        name: renamed_text(text, renamed)
        for name, text in zip(REVISED_WORDS, masked.texts, strict=True)
        if text is not None
    }
    return given | words
