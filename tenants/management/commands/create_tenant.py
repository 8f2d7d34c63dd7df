"""manage.py create_tenant NAME [--owner USERNAME] [--json]: a tenant and its first API key."""

import getpass
import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tenants.context import tenant_context
from tenants.errors import MemoryHubError
from tenants.models import Role
from tenants.principals import ALL_SCOPES
from tenants.services.api_keys import create_api_key
from tenants.services.create_tenant import create_tenant
from tenants.services.members import add_member, create_user, require_new_user


class Command(BaseCommand):
    help = "Create a tenant with an API key (shown once), and an owner who can sign in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--owner",
            metavar="USERNAME",
            help="also create this user as owner; the password is read from the terminal or stdin",
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        owner, password = options["owner"], ""
        try:
            if owner:
                # Before anything is made: a refusal must not leave a tenant whose key nobody saw.
                password = _read_password()
                require_new_user(owner, password)
            tenant = create_tenant(options["name"])
            with tenant_context(tenant.id):
                _, text = create_api_key(name="first key", scopes=ALL_SCOPES)
            if owner:
                user = create_user(owner, password)
                with tenant_context(tenant.id):
                    add_member(user, Role.OWNER)
        except MemoryHubError as error:
            raise CommandError(error.message) from error
        if options["json"]:
            self.stdout.write(json.dumps({"tenant": str(tenant.id), "api_key": text}))
        else:
            self.stdout.write(f"tenant   {tenant.name} ({tenant.id})")
            self.stdout.write(f"API key  {text}   (kept nowhere: store it now)")


def _read_password() -> str:
    if sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return sys.stdin.readline().rstrip("\n")
