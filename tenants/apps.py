"""The tenants app: raises the wall after every migration and refuses unsafe database roles."""

import time
from typing import Any
from weakref import WeakKeyDictionary

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _

# The pool lends a connection to every request anew. Its role is looked at again after a minute: it
# could have been altered meanwhile. Seconds since when a connection was found to be safe.
SAFE_SECONDS = 60
_safe_since: WeakKeyDictionary[Any, float] = WeakKeyDictionary()


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

    if connection.alias != "default":
        return
    moment = time.monotonic()
    if moment - _safe_since.get(connection.connection, -SAFE_SECONDS) < SAFE_SECONDS:
        return
    require_safe_role(connection)
    _safe_since[connection.connection] = moment


def raise_wall(*, sender: AppConfig, using: str, **signal: Any) -> None:
    """Apply the wall as the owner, once, after the last app's migrations."""
    from django.apps import apps
    from django.db import connections

    from tenants import wall

    last = [config for config in apps.get_app_configs() if config.models_module][-1]
    if using == "owner" and sender.label == last.label:
        wall.apply(connections[using])
