"""The ledger app: what is remembered."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LedgerConfig(AppConfig):
    name = "ledger"
    verbose_name = _("Ledger")
    default_auto_field = "django.db.models.BigAutoField"
