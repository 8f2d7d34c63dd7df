"""The ledger's codes in plain words."""

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger.models import Kind
from ledger.selectors import ANY_STATUS, STATUSES

STATUS_WORDS = {
    "active": pgettext_lazy("status", "current"),
    "ended": pgettext_lazy("status", "ended"),
    "expired": pgettext_lazy("status", "expired"),
    "upcoming": pgettext_lazy("status", "upcoming"),
    "pending": pgettext_lazy("status", "waiting for review"),
    ANY_STATUS: pgettext_lazy("status", "any"),
}
DATED_BY_WORDS = {
    "client": _("whoever wrote it gave the date"),
    "recording": _("no date was given, so it counts from when it was recorded"),
}
KIND_CHOICES = [("", _("Any kind")), *((kind.value, capfirst(kind.label)) for kind in Kind)]
STATUS_CHOICES = [
    (status, capfirst(STATUS_WORDS.get(status, status))) for status in (*STATUSES, ANY_STATUS)
]


def kind_word(kind: str) -> str:
    """The kind in the language in force."""
    return str(dict(Kind.choices).get(kind, kind))


def status_word(status: str) -> str:
    """The status in the language in force."""
    return str(STATUS_WORDS.get(status, status))
