"""manage.py import_conversation FILE --tenant T --subject S: a JSON conversation, verbatim."""

import json
import zoneinfo
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.conversations import Turn, read_conversation
from ledger.services.import_turns import import_turns
from ledger.statements import CONTENT_LENGTH
from tenants.api.parsing import is_storable
from tenants.directory import find_tenant
from tenants.errors import MemoryHubError
from tenants.models import SUBJECT_ID_LENGTH
from tenants.principals import AGENT_SCOPES, Principal

MAX_FILE_BYTES = 100 * 1024 * 1024


class Command(BaseCommand):
    help = "Load a JSON conversation (LoCoMo's format, sessions, or a list of turns) verbatim."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--tenant", required=True, help="name or id")
        parser.add_argument("--subject", required=True, help="the tenant's own id of the person")
        parser.add_argument(
            "--time-zone", default="UTC", help="of times without an offset, e.g. Asia/Shanghai"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        subject = options["subject"]
        if not subject.strip() or len(subject) > SUBJECT_ID_LENGTH or not is_storable(subject):
            raise CommandError(f"--subject has 1 to {SUBJECT_ID_LENGTH} characters, not blank.")
        try:
            zone = zoneinfo.ZoneInfo(options["time_zone"])
        except (zoneinfo.ZoneInfoNotFoundError, ValueError) as error:
            raise CommandError(f"There is no time zone {options['time_zone']!r}.") from error
        try:
            turns = read_conversation(_load(options["file"]), zone)
            _require_limits(turns)
            tenant = find_tenant(options["tenant"])
            principal = Principal(tenant.id, "command:import_conversation", AGENT_SCOPES)
            total = len(turns)
            counts = import_turns(
                principal,
                subject=subject,
                turns=turns,
                progress=lambda done: self._progress(done, total),
            )
        except MemoryHubError as error:
            raise CommandError(error.message) from error
        self.stdout.write(
            f"{total} turns: {counts['stored']} stored, {counts['unchanged']} already there. "
            "They can be recalled by their words now, and by meaning as the worker encodes them."
        )

    def _progress(self, done: int, total: int) -> None:
        self.stderr.write(f"\r{done} of {total} turns", ending="" if done < total else "\n")
        self.stderr.flush()


def _load(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise CommandError(f"{path} is larger than {MAX_FILE_BYTES} bytes.")
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON in UTF-8.") from error


def _require_limits(turns: list[Turn]) -> None:
    for turn in turns:
        if len(turn.session) > SUBJECT_ID_LENGTH:
            raise CommandError(
                f"The session of turn {turn.ref!r} has an id of more than {SUBJECT_ID_LENGTH} "
                "characters. Nothing was imported."
            )
        if len(turn.text) > CONTENT_LENGTH or not is_storable(turn.text + turn.ref + turn.session):
            raise CommandError(
                f"Turn {turn.ref!r} is longer than {CONTENT_LENGTH} characters, or holds NUL or "
                "half of a surrogate pair. Nothing was imported."
            )
