"""manage.py publish_checkpoint --tenant T > FILE: a signed checkpoint to be kept elsewhere."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.publication import publish
from tenants.context import tenant_context
from tenants.directory import find_tenant
from tenants.errors import MemoryHubError


class Command(BaseCommand):
    help = (
        "Print where every chain of a tenant stands, signed, as one JSON object. Keep it where the "
        "owner of the database cannot reach it, and check it with verify_ledger --checkpoint."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", required=True, help="name or id")
        parser.add_argument(
            "--names",
            action="store_true",
            help="tell the subjects' own ids too, so that one that vanished is called by it; "
            "erasing a subject does not reach the file",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            tenant = find_tenant(options["tenant"])
            with tenant_context(tenant.id):
                for line in publish(names=options["names"]):
                    self.stdout.write(line)
        except MemoryHubError as error:
            raise CommandError(error.message) from error
