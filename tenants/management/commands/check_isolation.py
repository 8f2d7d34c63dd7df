"""manage.py check_isolation: does the database hold the wall? Exit status 1 when it does not."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from tenants import wall
from tenants.isolation import differences, unsafe_reasons


class Command(BaseCommand):
    help = "Compare the wall in the database's catalog with what the models say it must be."

    def handle(self, *args: Any, **options: Any) -> None:
        found = differences(connection) + [
            f"the application role {reason}" for reason in unsafe_reasons(connection)
        ]
        if found:
            raise CommandError("The wall has holes:\n  " + "\n  ".join(found))
        tables = len(wall.walled_models())
        self.stdout.write(
            f"The wall stands: {tables} tables under forced row-level security, keys that lead "
            f"with the tenant, and role {wall.application_role()!r} bound by them."
        )
