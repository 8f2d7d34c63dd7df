"""Changing a memory from the page that says why it was used: weigh, correct, end, withdraw, erase.

The page shows a memory as it was told; what is changed is what is believed of it now.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from ledger.api.serializers import MAX_WEIGHT, MIN_WEIGHT
from ledger.masking import Reader
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from ledger.services import revise
from ledger.services.erase import erase_memory
from ledger.services.mask_words import mask_revision, settle_revision
from ledger.services.revise import Revision
from ledger.statements import CONTENT_LENGTH, VALUE_LENGTH
from tenants.api.parsing import is_visible
from tenants.context import tenant_context
from tenants.principals import Principal

# What may be done, and how the page says that it was.
SAID_OF = {
    "weigh": _("From now on it weighs as you said."),
    "correct": _("It is corrected. What it said before stays in its history."),
    "end": _("It is true no longer, as of now."),
    "retract": _("It is believed no more. Its history still shows it."),
    "erase": _("It is erased, and with it every record of a question that met it."),
}
# One press of a button: what counts for twice as much, or for half.
STEP = 2.0


@dataclass(frozen=True)
class Believed:
    """What is believed of a memory now, as the forms need it."""

    version: UUID
    content: str
    value: str | None
    weight: float

    @property
    def more(self) -> str:
        """The next weight up, '' at the end."""
        return f"{min(self.weight * STEP, MAX_WEIGHT):g}" if self.weight < MAX_WEIGHT else ""

    @property
    def less(self) -> str:
        """The next weight down, '' at the end."""
        return f"{max(self.weight / STEP, MIN_WEIGHT):g}" if self.weight > MIN_WEIGHT else ""


def believed_now(memories: Iterable[UUID], reader: Reader) -> dict[UUID, Believed]:
    """What is believed of some memories of one subject; of several periods the last."""
    rows = MemoryVersion.objects.select_related("entry", "subject").filter(
        memory_id__in=set(memories), recorded_to=None
    )
    versions = list(rows.order_by("valid_from"))
    reader.expect(versions)
    found = {}
    for version in versions:
        words = reader.words(version)
        found[version.memory_id] = Believed(
            version.id, words["content"], words["value"], version.weight
        )
    return found


class ChangeForm(forms.Form):
    """What to do with a memory; each way needs its own of the other fields."""

    do = forms.ChoiceField(choices=[(name, name) for name in SAID_OF])
    version = forms.UUIDField(required=False)
    weight = forms.FloatField(
        required=False, min_value=MIN_WEIGHT, max_value=MAX_WEIGHT, label=_("Weight")
    )
    content = forms.CharField(
        required=False, max_length=CONTENT_LENGTH, strip=False, label=_("What is right")
    )
    value = forms.CharField(required=False, max_length=VALUE_LENGTH, label=_("Value"))

    def clean_content(self) -> str:
        """Browsers end lines in two characters; what nobody changed must stay the same."""
        content: str = self.cleaned_data["content"]
        return content.replace("\r\n", "\n")

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if found.get("do") == "weigh" and found.get("weight") is None:
            self._miss("weight")
        if found.get("do") == "correct":
            if not is_visible(found.get("content", "")):
                self._miss("content")
            if not found.get("version"):
                self._miss("version")
        return found

    def _miss(self, name: str) -> None:
        if name not in self.errors:
            self.add_error(name, self.fields[name].error_messages["required"])


def change(principal: Principal, memory_id: UUID, found: dict[str, Any]) -> str:
    """Do what a valid form says, in one transaction; gives what was done, in words.

    Raises ScopeMissing, NotFound, StaleVersion, PrivateRefused, DeviceOnly.
    """
    do = found["do"]
    given = {"content": found["content"], "value": found["value"] or None}
    masked = mask_revision(principal, memory_id, given) if do == "correct" else None
    with tenant_context(principal.tenant_id):
        if do == "weigh":
            weight = found["weight"]
            revise.weigh(principal, memory_id, weight=weight, importance=None, version=None)
        elif do == "correct":
            revision = Revision(**settle_revision(memory_id, given, masked))
            revise.correct(principal, memory_id, revision, current_policy(), found["version"])
        elif do == "end":
            revise.end(principal, memory_id, None, None)
        elif do == "retract":
            revise.retract(principal, memory_id)
        else:
            erase_memory(principal, memory_id, dry_run=False)
    return str(SAID_OF[do])
