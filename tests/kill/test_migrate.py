"""A migration that was cut off can run again: it and the note that it ran are one transaction."""

from collections.abc import Iterator

import pytest
from django.db import connections, migrations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState

from memoryhub.management.commands.migrate import WholeMigrations


class Cut(Exception):
    """The process ended here."""


class Probe(migrations.Migration):
    """One with deferred SQL, which is where Django notes it in a second transaction."""

    operations = [
        migrations.RunSQL("CREATE TABLE probe_of_migrate ()"),
        migrations.RunPython(lambda apps, editor: editor.deferred_sql.append("SELECT 1")),
    ]


@pytest.fixture
def no_table() -> Iterator[None]:
    yield
    with connections["owner"].cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS probe_of_migrate")


def table_after_a_cut(executor: type[MigrationExecutor], monkeypatch: pytest.MonkeyPatch) -> bool:
    def cut(*_: object) -> None:
        raise Cut

    monkeypatch.setattr(executor, "record_migration", cut)
    with pytest.raises(Cut):
        executor(connections["owner"]).apply_migration(ProjectState(), Probe("probe", "tenants"))
    return "probe_of_migrate" in connections["owner"].introspection.table_names()


@pytest.mark.usefixtures("no_table")
def test_a_migration_cut_off_before_its_note_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not table_after_a_cut(WholeMigrations, monkeypatch)


@pytest.mark.usefixtures("no_table")
def test_without_the_net_it_would_leave_its_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert table_after_a_cut(MigrationExecutor, monkeypatch)
