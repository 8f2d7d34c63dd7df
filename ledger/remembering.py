"""What is believed of a subject at a point, as reflection and the profile read it; masked."""

from collections.abc import Collection

from ledger.models import MemoryVersion
from ledger.policy.reflection import Reflection
from ledger.projection import words_of
from ledger.reflection import Remembered
from ledger.selectors import STATUSES, AsOf
from tenants.crypto import SubjectCipher
from tenants.principals import Principal


def remembered_at(
    principal: Principal,
    cipher: SubjectCipher,
    at: AsOf,
    policy: Reflection,
    *,
    without: Collection[str] = (),
) -> list[Remembered]:
    """The newest memories that are true at the point, but those of the kinds `without`."""
    rows = MemoryVersion.objects.filter(
        at.believed, STATUSES["active"](at), subject_id=cipher.subject_id
    ).exclude(kind__in=without)
    if principal.agent:
        rows = rows.filter(agent=principal.agent)
    newest = rows.order_by("-valid_from", "-id")[: policy.most_facts]
    return [_remembered(version, cipher) for version in newest]


def _remembered(version: MemoryVersion, cipher: SubjectCipher) -> Remembered:
    words = words_of(version, cipher)
    return Remembered(
        memory=version.memory_id,
        content=words["content"],
        kind=version.kind,
        attribute=version.attribute,
        value=words["value"],
        importance=version.importance,
        confidence=version.confidence,
        weight=version.weight,
        valid_from=version.valid_from,
        session=version.session,
        details=words.get("details", {}),
    )
