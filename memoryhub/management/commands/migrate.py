"""manage.py migrate: Django's own, except that a migration and the note that it ran are one.

Django commits a migration and then, in another transaction, notes that it did. A process killed
between the two leaves a database on which the migration can neither run nor count as run.
"""

from contextlib import AbstractContextManager, nullcontext

from django.core.management.commands import migrate
from django.db import transaction
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

Command = migrate.Command


class WholeMigrations(MigrationExecutor):
    """Runs each migration that is atomic in one transaction together with its note."""

    def apply_migration(
        self,
        state: ProjectState,
        migration: Migration,
        fake: bool = False,
        fake_initial: bool = False,
    ) -> ProjectState:
        with self._together(migration):
            return super().apply_migration(state, migration, fake, fake_initial)

    def unapply_migration(
        self, state: ProjectState, migration: Migration, fake: bool = False
    ) -> ProjectState:
        with self._together(migration):
            return super().unapply_migration(state, migration, fake)

    def _together(self, migration: Migration) -> AbstractContextManager[object]:
        return transaction.atomic(self.connection.alias) if migration.atomic else nullcontext()


migrate.MigrationExecutor = WholeMigrations  # type: ignore[attr-defined]
