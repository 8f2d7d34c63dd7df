"""The project as an app (commands, metrics) and its console (Django's admin behind the wall)."""

from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig


class MemoryHubConfig(AppConfig):
    name = "memoryhub"

    def ready(self) -> None:
        from memoryhub import schema  # noqa: F401  (registers the OpenAPI extension)


class ConsoleConfig(SimpleAdminConfig):
    """Django's admin, with the site that asks for a tenant."""

    default_site = "tenants.console.Console"

    def ready(self) -> None:
        super().ready()
        autodiscover()
