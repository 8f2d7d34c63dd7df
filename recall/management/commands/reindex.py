"""manage.py reindex: let the encoder of the setting encode everything, and show how far it is."""

import time
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from recall.encoders import wanted
from recall.encoding import follow_setting, waiting
from recall.index import nudge
from tenants.context import tenant_context
from tenants.directory import tenant_ids

SECONDS = 2.0


class Command(BaseCommand):
    help = (
        "Begin to encode what another encoder serves by the one of MEMORYHUB_ENCODER, and show "
        "the progress. Questions are answered by the old index until a subject's new one is whole."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--no-wait", action="store_true", help="begin, and leave it at that")

    def handle(self, *args: Any, **options: Any) -> None:
        begun = sum(self._begin(tenant_id) for tenant_id in tenant_ids())
        self.stdout.write(f"{wanted()}: {begun} subjects begun; the worker encodes.")
        if options["no_wait"]:
            return
        total = left = self._left()
        while left:
            self.stdout.write(f"{total - left} of {total} versions encoded")
            time.sleep(SECONDS)
            left = self._left()
            total = max(total, left)
        self.stdout.write("Nothing waits: everything is encoded.")

    def _begin(self, tenant_id: UUID) -> int:
        with tenant_context(tenant_id):
            begun = follow_setting()
            subjects = set(waiting().values_list("subject_id", flat=True))
        for subject_id in subjects:
            nudge(tenant_id, subject_id)
        return begun

    def _left(self) -> int:
        left = 0
        for tenant_id in tenant_ids():
            with tenant_context(tenant_id):
                left += waiting().count()
        return left
