"""manage.py import_subject FILE --tenant T --subject S: an archive into an empty subject."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.services.import_subject import import_subject
from tenants.context import tenant_context
from tenants.directory import find_tenant
from tenants.errors import MemoryHubError
from tenants.principals import ALL_SCOPES, Principal


class Command(BaseCommand):
    help = "Import an archive that GET /subjects/{id}/export made, all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--tenant", required=True, help="name or id")
        parser.add_argument("--subject", required=True, help="the tenant's own id of the person")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tenant = find_tenant(options["tenant"])
            principal = Principal(tenant.id, "command:import_subject", ALL_SCOPES)
            with tenant_context(tenant.id):
                count = import_subject(principal, options["subject"], options["file"])
        except MemoryHubError as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{count} entries imported.")
