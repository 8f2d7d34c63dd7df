"""manage.py load_demo [--json]: the demo tenant, made on first use; prints how to get in."""

import json
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memoryhub.demo import load_demo


class Command(BaseCommand):
    help = "Make the demo tenant if it is not there, and print its sign-in and API key."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        access = asdict(load_demo())
        if options["json"]:
            self.stdout.write(json.dumps(access))
        else:
            for name, value in access.items():
                self.stdout.write(f"{name:<9} {value}")
