"""System checks of the wall: the static ones always, the database ones when a database is named."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections, models

from tenants.models import Tenant
from tenants.scoped import TenantManager, TenantRow


@register(Tags.models)
def tenant_models_are_walled(
    app_configs: Sequence[AppConfig] | None, **_: Any
) -> list[CheckMessage]:
    """Every model of ours is tenant data, and its keys lead with the tenant."""
    found: list[CheckMessage] = []
    for model in apps.get_models():
        if model._meta.app_label not in {"tenants", "ledger", "recall"}:
            continue
        if issubclass(model, TenantRow):
            found += _weak_spots(model)
        elif model is not Tenant:
            found.append(
                Error(
                    f"{model._meta.label} is neither tenant data nor a listed global table.",
                    hint="Derive it from TenantRow.",
                    obj=model,
                    id="tenants.E001",
                )
            )
    return found


def _weak_spots(model: type[TenantRow]) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    manager: object = model._default_manager
    if not isinstance(manager, TenantManager):
        found.append(
            Error(
                f"{model._meta.label}'s default manager does not ask for a tenant.",
                hint="Name a TenantManager first.",
                obj=model,
                id="tenants.E002",
            )
        )
    for constraint in model._meta.constraints:
        fields = getattr(constraint, "fields", ())
        if isinstance(constraint, models.UniqueConstraint) and fields[:1] != ("tenant",):
            found.append(
                Error(
                    f"{constraint.name} does not begin with the tenant.",
                    hint="Put 'tenant' first in its fields.",
                    obj=model,
                    id="tenants.E003",
                )
            )
    return found


@register(Tags.database)
def database_holds_the_wall(
    app_configs: Sequence[AppConfig] | None, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """The catalog agrees with the models (`check --database default`, `check_isolation`)."""
    from tenants.isolation import differences

    if "default" not in (databases or ()):
        return []
    return [
        Error(text, hint="Run 'manage.py migrate --database owner'.", id="tenants.E004")
        for text in differences(connections["default"])
    ]
