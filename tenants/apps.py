"""The tenants app: raises the wall after every migration and refuses unsafe database roles."""

from typing import Any
from weakref import WeakSet

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

# The pool lends a connection to every request anew; its role was looked at when it was opened.
_safe: WeakSet[Any] = WeakSet()


class TenantsConfig(AppConfig):
    name = "tenants"
    verbose_name = _("Organisation")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from tenants import checks  # noqa: F401  (registers the system checks)

        connection_created.connect(refuse_unsafe_role, dispatch_uid="tenants.refuse_unsafe_role")
        # Sent once per app; the last one named in INSTALLED_APPS comes when all tables are there.
        post_migrate.connect(raise_wall, dispatch_uid="tenants.raise_wall")


def refuse_unsafe_role(*, connection: Any, **signal: Any) -> None:
    """No connection of the application's alias works under a role that could see past the wall."""
    from tenants.isolation import require_safe_role

    if connection.alias == "default" and connection.connection not in _safe:
        require_safe_role(connection)
        _safe.add(connection.connection)


def raise_wall(*, sender: AppConfig, using: str, **signal: Any) -> None:
    """Apply the wall as the owner, once, after the last app's migrations."""
    from django.apps import apps
    from django.db import connections

    from tenants import wall

    last = [config for config in apps.get_app_configs() if config.models_module][-1]
    if using == "owner" and sender.label == last.label:
        wall.apply(connections[using])
