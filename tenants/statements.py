"""Statements by hand, for the few that every request runs: to compile one anew costs more than
PostgreSQL needs to answer it.
"""

from functools import cache
from typing import Any

from django.db import connection, models
from psycopg import Cursor
from psycopg.sql import SQL, Identifier, Placeholder

from tenants.context import current_tenant
from tenants.scoped import TenantRow, own_tenant


def one_row(sql: str, **parameters: Any) -> tuple[Any, ...] | None:
    """The first row of a statement, if it has one; see all_rows."""
    return next(iter(all_rows(sql, **parameters)), None)


def one_value(sql: str, **parameters: Any) -> Any:
    """The one value of a statement that has always one row, as an aggregate has; see all_rows."""
    ((value,),) = all_rows(sql, **parameters)
    return value


def all_rows(sql: str, **parameters: Any) -> list[tuple[Any, ...]]:
    """The rows of a statement about the tenant in context, which is its %(tenant)s.

    Raises NoTenant, and Django's database errors. What comes are bytes, not text: what is packed
    would double in size. Django's own cursors put parameters into the text and so get text back.
    Long lists go there as bytes too, "%(ids)b": as text they cost more than the statement.
    """
    parameters["tenant"] = current_tenant()
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        rows: list[tuple[Any, ...]] = cursor.execute(sql, parameters, binary=True).fetchall()
        return rows


def insert(row: TenantRow) -> None:
    """Insert one row as save(force_insert=True) does, in a third of the time. Raises NoTenant,
    CrossTenant, and Django's database errors.
    """
    row.tenant_id = own_tenant(row.tenant_id)
    fields = row._meta.concrete_fields
    values = {f.attname: f.get_db_prep_save(getattr(row, f.attname), connection) for f in fields}
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(_insertion(type(row)), values)
    row._state.adding, row._state.db = False, connection.alias


@cache
def _insertion(model: type[models.Model]) -> str:
    columns = [field.attname for field in model._meta.concrete_fields]
    sql = SQL("INSERT INTO {} ({}) VALUES ({})").format(
        Identifier(model._meta.db_table),
        SQL(", ").join(map(Identifier, columns)),
        SQL(", ").join(map(Placeholder, columns)),
    )
    return sql.as_string()
