"""History cannot be rewritten: the database refuses it, to the application and to the owner."""

import uuid
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.db import ProgrammingError, connection, models

from ledger.services.make_checkpoint import make_checkpoint
from tenants import wall
from tenants.context import tenant_context
from tenants.models import Tenant
from tenants.scoped import TenantRow
from tests.cast import Actor, Api, new_tenant
from tests.integration.tools import connected, owner_url, superuser_url

APPEND_ONLY = [
    "ledger_checkpoint",
    "ledger_checkpointhead",
    "ledger_entry",
    "ledger_policyversion",
    "tenants_accessevent",
]


@pytest.fixture(scope="module")
def filled() -> Actor:
    """A tenant in which every append-only table has a row."""
    actor = new_tenant(f"test {uuid.uuid4().hex}")
    api = Api(actor.api_key)
    api.write("alice", "I moved to Hangzhou")
    api.recall("alice", "Where does Alice live?")
    api.post("/api/v1/policies", {})
    with tenant_context(actor.tenant_id):
        make_checkpoint()
    return actor


def run(actor: Actor, statement: str) -> Any:
    """Run one statement as the application, inside the tenant; gives the first row, if any."""
    with tenant_context(actor.tenant_id), connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone() if cursor.description else None


def rows(other: psycopg.Connection[Any], table: str) -> int:
    found = other.execute(f"SELECT count(*) FROM {table}").fetchone()
    assert found is not None
    return int(found[0])


def test_the_list_of_append_only_tables_is_complete() -> None:
    found = [m for m in apps.get_models() if issubclass(m, TenantRow) and m.wall.append_only]
    assert sorted(m._meta.db_table for m in found) == APPEND_ONLY


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {} SET tenant_id = tenant_id",
        "DELETE FROM {}",
        "TRUNCATE {}",
        "TRUNCATE {} CASCADE",
        "ALTER TABLE {} DISABLE TRIGGER ALL",
        "DROP TABLE {}",
    ],
)
def test_the_application_may_only_add(filled: Actor, table: str, statement: str) -> None:
    assert run(filled, f"SELECT count(*) FROM {table}")[0] > 0
    with pytest.raises(ProgrammingError):
        run(filled, statement.format(table))


@pytest.mark.parametrize("table", APPEND_ONLY)
@pytest.mark.parametrize("url", [owner_url, superuser_url])
@pytest.mark.parametrize(
    "statement", ["UPDATE {} SET tenant_id = tenant_id", "DELETE FROM {}", "TRUNCATE {} CASCADE"]
)
def test_a_trigger_refuses_even_the_owner_and_the_superuser(
    filled: Actor, table: str, url: Any, statement: str
) -> None:
    with connected(url(), filled.tenant_id) as other:
        assert rows(other, table) > 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            other.execute(statement.format(table))


def privileges() -> set[tuple[str, str]]:
    """What the application role was given: (table, verb) for whole tables."""
    with connected(superuser_url()) as other:
        return set(
            other.execute(
                "SELECT table_name, privilege_type FROM information_schema.role_table_grants "
                "WHERE grantee = %s AND table_schema = 'public'",
                [wall.application_role()],
            ).fetchall()
        )


def test_no_table_may_be_truncated_or_updated_as_a_whole() -> None:
    """What may change is named column by column, in the models."""
    granted = privileges()
    tenant_tables = {
        m._meta.db_table for m in apps.get_models() if issubclass(m, TenantRow | Tenant)
    }
    assert ("ledger_entry", "INSERT") in granted
    assert not {t for t, verb in granted if verb in ("TRUNCATE", "TRIGGER", "REFERENCES")}
    assert not {t for t, verb in granted if verb == "UPDATE"} & tenant_tables


@pytest.mark.parametrize(
    ("label", "column"),
    [
        ("ledger.EntryPayload", "sealed"),
        ("ledger.MemoryVersion", "sealed"),
        ("ledger.MemoryVersion", "valid_from"),
        ("ledger.MemoryVersion", "subject_id"),
        ("ledger.Memory", "subject_id"),
        ("recall.Trace", "sealed"),
        ("tenants.ApiKey", "scopes"),
        ("tenants.ApiKey", "secret_digest"),
        ("tenants.Subject", "created_at"),
        ("tenants.Tenant", "name"),
    ],
)
def test_a_column_that_is_not_listed_cannot_change(filled: Actor, label: str, column: str) -> None:
    """I1: no update moves a row to somebody else."""
    model: type[models.Model] = apps.get_model(label)
    with pytest.raises(ProgrammingError, match="permission denied"):
        run(filled, f"UPDATE {model._meta.db_table} SET {column} = {column}")
