"""manage.py verify_ledger: does the ledger still say what was recorded? Exit status 1 if not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.checkpoint_checks import BrokenCheckpoint
from ledger.publication import Published, published_problems, read_published
from ledger.verification import Broken, verify
from tenants.context import tenant_context
from tenants.directory import find_tenant, tenant_ids
from tenants.errors import MemoryHubError
from tenants.models import Tenant
from tenants.principals import Principal, Scope


class Command(BaseCommand):
    help = "Verify chains and checkpoints; names the first broken entry of each tenant."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", help="name or id; without it, all tenants")
        parser.add_argument("--subject", default="", help="the tenant's own id of one subject")
        parser.add_argument(
            "--checkpoint",
            type=Path,
            metavar="FILE",
            help="what publish_checkpoint printed; its tenant is verified",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            published = _read(options["checkpoint"])
            problems: list[str] = []
            for tenant in _tenants(options["tenant"], options["subject"], published):
                problems += self._verify(tenant, options["subject"])
                if published:
                    problems += self._check_published(tenant, published)
        except MemoryHubError as error:
            raise CommandError(error.message) from error
        if problems:
            raise CommandError("The ledger is broken:\n  " + "\n  ".join(problems))

    def _verify(self, tenant: Tenant, subject: str) -> list[str]:
        principal = Principal(tenant.id, "command:verify_ledger", frozenset({Scope.ADMIN}))
        report = verify(principal, subject=subject, progress=self._progress)
        self.stderr.write("")
        checkpoints = report.checkpoints
        self.stdout.write(
            f"{tenant.name}: {report.subjects} subjects, {report.entries} entries, "
            f"{checkpoints.count} checkpoints: {'all hold' if report.ok else 'BROKEN'}"
        )
        problems = [_entry_text(report.broken)] if report.broken else []
        problems += [_checkpoint_text(checkpoints.broken)] if checkpoints.broken else []
        return [f"{tenant.name}: {problem}" for problem in problems]

    def _check_published(self, tenant: Tenant, published: Published) -> list[str]:
        with tenant_context(tenant.id):
            found = published_problems(published)
        checkpoint = published.checkpoint
        if not found:
            self.stdout.write(
                f"{tenant.name}: all {len(published.heads)} chains hold what checkpoint "
                f"{checkpoint.number} of {checkpoint.at.isoformat()} says"
            )
        return [f"{tenant.name}: the file's {_checkpoint_text(broken)}" for broken in found]

    def _progress(self, subjects: int, entries: int) -> None:
        self.stderr.write(f"\r{subjects} subjects, {entries} entries", ending="")
        self.stderr.flush()


def _read(path: Path | None) -> Published | None:
    try:
        return read_published(path.read_text(encoding="utf-8")) if path else None
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} cannot be read: {error}.") from error


def _tenants(named: str | None, subject: str, published: Published | None) -> Iterator[Tenant]:
    """Whom to verify. Raises NotFound, CommandError."""
    if published:
        tenant_id = published.checkpoint.tenant_id
        if tenant_id not in tenant_ids():
            raise CommandError(f"The tenant of this checkpoint, {tenant_id}, is gone.")
        if named and find_tenant(named).id != tenant_id:
            raise CommandError(f"This is a checkpoint of another tenant, {tenant_id}.")
        yield _tenant(tenant_id)
    elif named:
        yield find_tenant(named)
    elif subject:
        raise CommandError("Name the tenant of the subject with --tenant.")
    else:
        yield from map(_tenant, tenant_ids())


def _tenant(tenant_id: UUID) -> Tenant:
    with tenant_context(tenant_id):
        return Tenant.objects.get()


def _entry_text(broken: Broken) -> str:
    entry = f" ({broken.entry})" if broken.entry else ""
    return f"{_subject_text(broken)}, entry {broken.seq}{entry}: {broken.message} [{broken.reason}]"


def _checkpoint_text(broken: BrokenCheckpoint) -> str:
    about = f", {_subject_text(broken)}, entry {broken.seq}" if broken.subject_id else ""
    return f"checkpoint {broken.number}{about}: {broken.message} [{broken.reason}]"


def _subject_text(broken: Broken | BrokenCheckpoint) -> str:
    """The subject by the tenant's own id if it is known, and always by ours."""
    return (
        f"subject {broken.subject!r} ({broken.subject_id})"
        if broken.subject
        else (f"subject {broken.subject_id}")
    )
