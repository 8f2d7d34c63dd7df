"""What the ledger's pages ask: filters, and a point on both time axes."""

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from ledger.models import ATTRIBUTE_LENGTH, BIGGEST_SEQ
from ledger.pages.words import KIND_CHOICES, STATUS_CHOICES
from ledger.selectors import AsOf, Filters, as_of
from ledger.statements import ATTRIBUTE
from tenants.models import SUBJECT_ID_LENGTH
from tenants.templatetags.pages import in_zone

QUERY_LENGTH = 1_000


class MomentInput(forms.DateTimeInput):
    """The browser's own picker of a date and time, in the zone in force."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(attrs={"step": "any"})

    def format_value(self, value: Any) -> str | None:
        """The picker takes no offset: a moment that came with one is put into the zone."""
        moment = parse_moment(value) if isinstance(value, str) else value
        if not isinstance(moment, datetime):
            return None  # a browser would show nothing and complain
        local = in_zone(moment) if moment.tzinfo else moment
        return local.replace(tzinfo=None).isoformat(timespec="milliseconds").removesuffix(".000")


def parse_moment(text: str) -> datetime | None:
    """The moment written in ISO 8601, or None."""
    try:
        return parse_datetime(text)
    except ValueError:
        return None


class MomentField(forms.DateTimeField):
    """A moment; one without an offset is meant in the zone in force. Gives UTC."""

    widget = MomentInput

    def clean(self, value: Any) -> datetime | None:
        moment: datetime | None = super().clean(value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError as error:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from error


class AsOfForm(forms.Form):
    """A point on both time axes; empty means now."""

    valid_at = MomentField(required=False, label=_("True at"))
    known_at = MomentField(required=False, label=_("As known at"))
    seq = forms.IntegerField(
        required=False, min_value=0, max_value=BIGGEST_SEQ, label=_("or as known after entry no.")
    )

    def clean(self) -> dict[str, Any]:
        found: dict[str, Any] = super().clean() or {}
        if found.get("known_at") and found.get("seq") is not None:
            self.add_error("seq", _("Give a time or an entry's number, not both."))
        return found

    def point(self) -> AsOf:
        """The point that a valid form means; now, for an invalid one."""
        found = self.cleaned_data if self.is_valid() else {}
        seq = found.get("seq")
        return as_of(found.get("valid_at"), found.get("known_at") if seq is None else seq)

    def given(self) -> dict[str, str]:
        """The point as it was typed, to be carried from page to page."""
        names = AsOfForm.base_fields
        return {name: text for name in names if (text := str(self.data.get(name, "")).strip())}

    def carried(self) -> str:
        """The point as the end of an address, so that the next page looks from the same one."""
        return f"?{urlencode(self.given())}" if self.given() else ""


class MemoryFilters(AsOfForm):
    """Which memories to show."""

    q = forms.CharField(
        required=False,
        max_length=QUERY_LENGTH,
        label=_("With the words"),
        widget=forms.TextInput(attrs={"type": "search"}),
    )
    kind = forms.ChoiceField(required=False, choices=KIND_CHOICES, label=_("Kind"))
    status = forms.ChoiceField(required=False, choices=STATUS_CHOICES, label=_("Status"))
    attribute = forms.CharField(required=False, max_length=ATTRIBUTE_LENGTH, label=_("Attribute"))

    field_order = ("q", "kind", "status", "attribute", "valid_at", "known_at", "seq")

    def clean_attribute(self) -> str:
        name: str = self.cleaned_data["attribute"]
        if name and not ATTRIBUTE.fullmatch(name):
            raise ValidationError(
                _("An attribute's name is a letter, then letters, digits, “_”, “.” or “-”.")
            )
        return name

    def filters(self, subject: str) -> Filters:
        """The filters that a valid form means, within one subject."""
        found = self.cleaned_data
        wanted = {name: found[name] for name in ("q", "kind", "attribute")}
        return Filters(subject=subject, status=found["status"] or "active", **wanted)

    def narrows(self) -> bool:
        """Whether anything but the plain list of what is current is asked for."""
        return any(self.data.get(name) for name in self.base_fields)


class SubjectSearch(forms.Form):
    """Which subjects to show."""

    begins = forms.CharField(
        required=False,
        max_length=SUBJECT_ID_LENGTH,
        strip=False,
        label=_("Id begins with"),
        widget=forms.TextInput(attrs={"type": "search", "autocapitalize": "none"}),
    )
    after = forms.CharField(required=False, max_length=SUBJECT_ID_LENGTH, strip=False)
