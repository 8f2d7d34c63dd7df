"""manage.py rebuild_views: views from the ledger again, tenant by tenant, subject by subject.

An interrupted run is continued: subjects are taken in the order of their ids, and the last one done
is kept in the tenant's RebuildRun until all are.
"""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ledger.models import RebuildRun
from ledger.rebuild import Rebuilt, rebuild_subject
from tenants.context import current_tenant, tenant_context
from tenants.directory import find_tenant, tenant_ids
from tenants.errors import MemoryHubError
from tenants.models import Subject, SubjectSecret


class Command(BaseCommand):
    help = "Rebuild memories and search index from the ledger; what is equal stays as it is."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tenant", help="name or id; without it, all tenants")
        parser.add_argument("--force", action="store_true", help="replace equal views too")
        parser.add_argument("--restart", action="store_true", help="forget an interrupted run")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            named = options["tenant"]
            tenants = [find_tenant(named).id] if named else tenant_ids()
            done = differed = 0
            for tenant_id in tenants:
                for result in self._tenant(tenant_id, options):
                    done += 1
                    differed += result.differed
                    self._progress(done, differed)
        except MemoryHubError as error:
            raise CommandError(error.message) from error
        self.stderr.write("")
        self.stdout.write(f"{done} subjects rebuilt, {differed} differed and were replaced.")

    def _tenant(self, tenant_id: UUID, options: dict[str, Any]) -> Iterator[Rebuilt]:
        if options["restart"]:
            with tenant_context(tenant_id):
                RebuildRun.objects.filter(id=tenant_id).delete()
        while (result := _next(tenant_id, force=options["force"])) is not None:
            yield result

    def _progress(self, done: int, differed: int) -> None:
        self.stderr.write(f"\r{done} subjects, {differed} differed", ending="")
        self.stderr.flush()


def _next(tenant_id: UUID, *, force: bool) -> Rebuilt | None:
    """Rebuild the next subject of a tenant in one transaction; None when all are done."""
    with tenant_context(tenant_id):
        run = RebuildRun.objects.filter(id=current_tenant()).first()
        alive = SubjectSecret.objects.values("id")
        waiting = Subject.objects.filter(id__in=alive).order_by("id")
        if run is not None:
            waiting = waiting.filter(id__gt=run.last_subject)
        subject = waiting.first()
        if subject is None:
            RebuildRun.objects.filter(id=tenant_id).delete()
            return None
        result = rebuild_subject(subject, force=force)
        if run is None:
            RebuildRun(id=tenant_id, last_subject=subject.id).save(force_insert=True)
        else:
            RebuildRun.objects.filter(id=tenant_id).update(last_subject=subject.id)
        return result
