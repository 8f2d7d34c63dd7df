"""The wall in PostgreSQL itself, asked in raw SQL as the application role."""

import threading
import uuid
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction
from psycopg import sql

from ledger.models import Entry, MemoryVersion, RebuildRun
from ledger.policies import current_policy
from ledger.services.make_checkpoint import make_checkpoint
from ledger.services.remember import remember
from ledger.statements import Statement
from recall.models import Waiting
from tenants import wall
from tenants.context import current_tenant, tenant_context, user_context
from tenants.errors import CrossTenant, NoTenant
from tenants.models import Member, Subject, Tenant
from tests.cast import Actor, Api, Cast
from tests.database import as_application, as_superuser
from tests.sayings import saying

TABLES = [model._meta.db_table for model in wall.walled_models()]


@pytest.fixture(scope="module")
def filled(cast: Cast) -> Cast:
    """Both tenants have at least one row in every table."""
    for actor in (cast.alice, cast.charlie):
        api = Api(actor.api_key)
        written = api.write("wall", f"I keep a row for every table: {saying()}")
        turns = [{"role": "user", "content": "My phone number is 13812345678"}]
        api.post("/api/v1/sessions/wall/turns", {"subject": "wall", "turns": turns, "wait": True})
        api.post("/api/v1/policies", {})
        trace = api.recall("wall", "Which rows are there?")["trace"]
        api.post(f"/api/v1/recall/{trace}/answer", {"text": "One for every table."})
        api.client.post(
            "/api/v1/memories",
            {"subject": "wall", "content": "I keep a row for the answers"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {actor.api_key}", "Idempotency-Key": "wall"},
        )
        with tenant_context(actor.tenant_id):
            remember(
                actor.principal,
                subject="wall",
                statement=Statement(content="Keeps rows", sources=(UUID(written["memory"]["id"]),)),
                policy=current_policy(),
            )
            version = MemoryVersion.objects.get(id=written["memory"]["version"])
            # Of an encoder that there is not: the worker would strike off any other.
            Waiting(subject_id=version.subject_id, encoder="none", version=version).save()
            make_checkpoint()
            RebuildRun(id=actor.tenant_id, last_subject=uuid.uuid4()).save()
    return cast


def count(cursor: Any, table: str) -> int:
    query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(table))
    return int(cursor.execute(query).fetchone()[0])


def enter(cursor: Any, tenant_id: UUID | str) -> None:
    cursor.execute("SELECT set_config('app.tenant_id', %s, true)", [str(tenant_id)])


@pytest.mark.parametrize("table", TABLES)
def test_without_a_tenant_the_database_shows_no_row(filled: Cast, table: str) -> None:
    """The superuser proves that the table is not empty: the zero is the wall's doing."""
    with as_superuser() as cursor:
        assert count(cursor, table) > 0
    with as_application() as cursor:
        assert count(cursor, table) == 0


@pytest.mark.parametrize("table", TABLES)
def test_inside_a_tenant_the_database_shows_that_tenants_rows(filled: Cast, table: str) -> None:
    column = "id" if table == Tenant._meta.db_table else "tenant_id"
    query = sql.SQL("SELECT DISTINCT {}::text FROM {}").format(
        sql.Identifier(column), sql.Identifier(table)
    )
    with as_application() as cursor:
        enter(cursor, filled.alice.tenant_id)
        assert cursor.execute(query).fetchall() == [(str(filled.alice.tenant_id),)]


@pytest.mark.parametrize("setting", ["", "not-a-uuid"])
def test_an_empty_or_broken_setting_shows_nothing(filled: Cast, setting: str) -> None:
    with as_application() as cursor:
        enter(cursor, setting)
        if setting == "":
            assert count(cursor, "tenants_subject") == 0
        else:
            with pytest.raises(psycopg.errors.InvalidTextRepresentation):
                count(cursor, "tenants_subject")


def test_a_row_of_another_tenant_can_be_neither_written_nor_moved(filled: Cast) -> None:
    """I1, I2: whatever a client plants in a row, the database refuses another tenant's id."""
    mine, theirs = filled.alice.tenant_id, filled.charlie.tenant_id
    insert = (
        "INSERT INTO tenants_subject (tenant_id, id, external_id, locale, time_zone, created_at) "
        "VALUES (%s, %s, 'planted', '', 'UTC', now())"
    )
    with as_application() as cursor:
        enter(cursor, mine)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            cursor.execute(insert, [theirs, uuid.uuid4()])
    with as_application() as cursor:
        enter(cursor, mine)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            cursor.execute("UPDATE tenants_subject SET tenant_id = %s", [theirs])


def test_a_reference_cannot_cross_tenants(filled: Cast) -> None:
    """Foreign key checks ignore row-level security; the composite key stops them."""
    mine, theirs = filled.alice.tenant_id, filled.charlie.tenant_id
    with tenant_context(theirs):
        foreign = Subject.objects.values_list("id", flat=True)[0]
    insert = (
        "INSERT INTO ledger_memory (tenant_id, id, subject_id, created_at) "
        "VALUES (%s, %s, %s, now())"
    )
    with as_application() as cursor:
        enter(cursor, mine)
        cursor.execute(insert, [mine, uuid.uuid4(), foreign])
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def test_the_application_role_cannot_leave_the_wall(filled: Cast) -> None:
    attempts = [
        "SET ROLE memoryhub_owner",
        "ALTER TABLE tenants_subject DISABLE ROW LEVEL SECURITY",
        "DROP POLICY tenant_wall ON tenants_subject",
        "CREATE TABLE public.mine (x int)",
        "SET session_replication_role = replica",
        "TRUNCATE ledger_entry",
        "SELECT pg_read_file('/etc/passwd')",
        "COPY tenants_subject TO PROGRAM 'true'",
    ]
    for attempt in attempts:
        with as_application() as cursor, pytest.raises(psycopg.errors.InsufficientPrivilege):
            cursor.execute(attempt)


def test_row_security_off_is_an_error_and_not_a_way_out(filled: Cast) -> None:
    with as_application() as cursor:
        cursor.execute("SET row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            count(cursor, "tenants_subject")


def test_the_tenant_ends_with_its_transaction(filled: Cast) -> None:
    """The next transaction of the same connection starts with nothing."""
    with as_application() as cursor:
        enter(cursor, filled.alice.tenant_id)
        assert count(cursor, "tenants_subject") > 0
        cursor.connection.commit()
        assert count(cursor, "tenants_subject") == 0


# --- In Django


def test_managers_raise_without_a_tenant() -> None:
    for model in wall.walled_models():
        with pytest.raises(NoTenant):
            model._default_manager.count()


def test_a_queryset_made_inside_does_not_work_outside(filled: Cast) -> None:
    with tenant_context(filled.alice.tenant_id):
        rows = Subject.objects.all()
    with pytest.raises(NoTenant):
        list(rows)


def test_contexts_do_not_nest_across_tenants(filled: Cast) -> None:
    with tenant_context(filled.alice.tenant_id), tenant_context(filled.alice.tenant_id):
        assert current_tenant() == filled.alice.tenant_id
    with (
        tenant_context(filled.alice.tenant_id),
        pytest.raises(CrossTenant),
        tenant_context(filled.charlie.tenant_id),
    ):
        pytest.fail("entered a second tenant")


def test_a_row_for_another_tenant_is_refused_before_the_database_is_asked(filled: Cast) -> None:
    with tenant_context(filled.alice.tenant_id), pytest.raises(CrossTenant):
        Subject(tenant_id=filled.charlie.tenant_id, external_id="x").save()
    with tenant_context(filled.alice.tenant_id), pytest.raises(CrossTenant):
        Subject.objects.bulk_create([Subject(tenant_id=filled.charlie.tenant_id, external_id="x")])


def test_a_savepoint_keeps_the_tenant_and_its_rollback_does_too(filled: Cast) -> None:
    with tenant_context(filled.alice.tenant_id):
        before = Subject.objects.count()
        savepoint = transaction.savepoint()
        Subject(external_id=uuid.uuid4().hex).save()
        assert Subject.objects.count() == before + 1
        transaction.savepoint_rollback(savepoint)
        assert Subject.objects.count() == before > 0


def test_an_error_leaves_no_tenant_behind(filled: Cast) -> None:
    with pytest.raises(RuntimeError), tenant_context(filled.alice.tenant_id):
        raise RuntimeError
    with pytest.raises(NoTenant):
        current_tenant()
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(current_setting('app.tenant_id', true), '')")
        assert cursor.fetchone() == ("",)


def test_pooled_connections_carry_no_tenant_to_their_next_user(filled: Cast) -> None:
    """Many threads take turns on few connections; each sees its own tenant and then none."""
    wrong: list[str] = []

    def visit(actor: Actor) -> None:
        for _ in range(10):
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM tenants_subject")
                if cursor.fetchone() != (0,):
                    wrong.append("rows before entering")
            with tenant_context(actor.tenant_id):
                seen = set(Subject.objects.values_list("tenant_id", flat=True))
            if seen != {actor.tenant_id}:
                wrong.append(f"saw {seen}")
        connection.close()

    actors = [filled.alice, filled.charlie] * 8
    threads = [threading.Thread(target=visit, args=(actor,)) for actor in actors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_a_person_sees_their_own_memberships_and_nothing_else(filled: Cast) -> None:
    with tenant_context(filled.alice.tenant_id):
        user_id = Member.objects.get(user__username=filled.alice.username).user_id
    with user_context(user_id):
        assert [m.user_id for m in Member.own.all()] == [user_id]
        with connection.cursor() as cursor:
            for table in TABLES:
                if table not in ("tenants_member", "tenants_tenant"):
                    cursor.execute(f"SELECT count(*) FROM {table}")
                    assert cursor.fetchone() == (0,), table
            cursor.execute("SELECT DISTINCT user_id FROM tenants_member")
            assert cursor.fetchall() == [(user_id,)]
            cursor.execute("SELECT id FROM tenants_tenant")
            assert cursor.fetchall() == [(filled.alice.tenant_id,)]
        with pytest.raises(NoTenant):
            Subject.objects.count()


def test_a_task_works_inside_its_own_tenant_only(filled: Cast) -> None:
    """A task that is handed another tenant's subject finds nothing to do, and changes nothing."""
    from recall.models import Embedding
    from recall.tasks import encode_subject

    api = Api(filled.charlie.api_key)
    api.write("task", f"I have something to be encoded: {saying()}")
    with tenant_context(filled.charlie.tenant_id):
        subject = Subject.objects.get(external_id="task")
    encode_subject(str(filled.alice.tenant_id), str(subject.id))
    with tenant_context(filled.alice.tenant_id):
        assert not Embedding.objects.filter(subject_id=subject.id).exists()
        assert not MemoryVersion.objects.filter(subject_id=subject.id).exists()
    encode_subject(str(filled.charlie.tenant_id), str(subject.id))
    with tenant_context(filled.charlie.tenant_id):
        assert Embedding.objects.filter(subject_id=subject.id).count() == 1


# --- The net is noticed when it is gone


@pytest.fixture
def altered() -> Iterator[Any]:
    """A superuser's cursor in a transaction that is always rolled back."""
    with as_superuser() as cursor:
        yield cursor
        cursor.connection.rollback()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("DROP POLICY tenant_wall ON ledger_entry", "tenant_wall (ALL) is missing"),
        ("ALTER TABLE ledger_entry DISABLE ROW LEVEL SECURITY", "row-level security is off"),
        ("ALTER TABLE ledger_entry NO FORCE ROW LEVEL SECURITY", "not forced"),
        ("CREATE POLICY open ON ledger_entry USING (true)", "unexpected policy open"),
        (
            "ALTER POLICY tenant_wall ON ledger_entry USING (true)",
            "tenant_wall has another condition",
        ),
        (
            "ALTER POLICY tenant_wall ON ledger_entry WITH CHECK (true)",
            "tenant_wall checks another condition",
        ),
        ("ALTER POLICY directory ON tenants_tenant TO PUBLIC", "directory is for other roles"),
        ("ALTER POLICY tenant_wall ON ledger_entry TO memoryhub_owner", "is for other roles"),
        ("GRANT UPDATE ON ledger_entry TO {role}", "may UPDATE"),
        ("GRANT TRUNCATE ON ledger_entry TO PUBLIC", "may TRUNCATE"),
        ("REVOKE INSERT ON ledger_entry FROM {role}", "may not INSERT"),
        ("GRANT UPDATE (sealed) ON ledger_memoryversion TO {role}", "may UPDATE sealed"),
        ("ALTER TABLE ledger_entry DISABLE TRIGGER append_only_rows", "append_only_rows"),
        ("DROP TRIGGER append_only_table ON ledger_entry", "append_only_table"),
        ("CREATE UNIQUE INDEX loose ON ledger_entry (hash)", "does not begin with tenant_id"),
        (
            "ALTER TABLE ledger_memory DROP CONSTRAINT ledger_memory_subject_id_wall",
            "ledger_memory_subject_id_wall is missing",
        ),
        ("CREATE TABLE stray (x int)", "a table that the wall does not know"),
        ("CREATE VIEW leak AS SELECT * FROM ledger_entry", "without security_invoker"),
        ("GRANT SELECT ON django_admin_log TO {role}", "django_admin_log"),
    ],
)
def test_a_hole_in_the_wall_is_noticed(altered: Any, change: str, said: str) -> None:
    """check_isolation and /readyz ask this; the untouched wall is clean: the hole is the cause."""
    from tenants.isolation import differences

    class Connection:
        """The superuser's uncommitted view of the catalog, as `differences` reads it."""

        def cursor(self) -> Any:
            return altered.connection.cursor()

    assert differences(Connection()) == []
    altered.execute(change.format(role=wall.application_role()))
    found = differences(Connection())
    assert len(found) >= 1
    assert any(said in line for line in found), found


def test_the_isolation_suite_notices_a_dropped_policy(filled: Cast) -> None:
    """The removed net: with one policy gone, the question that the suite asks gets rows."""
    with as_superuser() as cursor:
        role = sql.Identifier(wall.application_role())
        ask = sql.SQL("SET LOCAL ROLE {}").format(role)
        cursor.execute(ask)
        assert count(cursor, Entry._meta.db_table) == 0
        cursor.execute("RESET ROLE")
        cursor.execute("ALTER TABLE ledger_entry DISABLE ROW LEVEL SECURITY")
        cursor.execute(ask)
        assert count(cursor, Entry._meta.db_table) > 0
        cursor.connection.rollback()
