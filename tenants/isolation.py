"""Does the database hold the wall that the models describe? Compares, changes nothing."""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import models

from tenants import wall
from tenants.models import Tenant
from tenants.scoped import TenantRow

UNSAFE_ROLE = """
    SELECT r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolreplication,
           EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                   WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
                   AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
    FROM pg_roles r WHERE r.rolname = current_user
"""
UNSAFE_BECAUSE = (
    "is a superuser",
    "has BYPASSRLS",
    "has CREATEROLE",
    "has REPLICATION",
    "owns MemoryHub's tables, or is a member of the role that does",
)


class UnsafeRole(ImproperlyConfigured):
    """The database role of the application could see past the wall."""


def unsafe_reasons(connection: Any) -> list[str]:
    """Why the connection's role is not fit to serve tenants; empty when it is."""
    with connection.cursor() as cursor:
        cursor.execute(UNSAFE_ROLE)
        return [
            reason for is_so, reason in zip(cursor.fetchone(), UNSAFE_BECAUSE, strict=True) if is_so
        ]


def require_safe_role(connection: Any) -> None:
    """Raise UnsafeRole, and close the connection, unless the role is bound by the wall."""
    reasons = unsafe_reasons(connection)
    if reasons:
        user = connection.settings_dict["USER"]
        connection.close()
        raise UnsafeRole(
            f"MemoryHub does not run as database role {user!r}: it {' and '.join(reasons)}, so "
            "row-level security would not hold. Point MEMORYHUB_DATABASE_URL at a plain LOGIN role."
        )


def differences(connection: Any) -> list[str]:
    """Every way in which the database differs from the wall; empty when they agree."""
    with connection.cursor() as cursor:
        catalog = _Catalog(cursor)
        found = list(_unknown_tables(catalog))
        for model in wall.walled_models():
            found += _table_differences(catalog, model)
    return found


TABLES = """
    SELECT relname, relrowsecurity, relforcerowsecurity, pg_get_userbyid(relowner) FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
"""
LOOSE_VIEWS = """
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
    AND (relkind = 'm' OR relkind = 'v' AND
         NOT coalesce(reloptions, '{}') @> '{security_invoker=true}')
"""
POLICIES = r"""
    SELECT tablename, policyname, cmd, array_to_string(roles, ','),
           regexp_replace(coalesce(qual, ''), '\s+', ' ', 'g'),
           regexp_replace(coalesce(with_check, ''), '\s+', ' ', 'g')
    FROM pg_policies WHERE schemaname = 'public'
"""
GRANTS = """
    SELECT table_name, privilege_type FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND grantee IN (%s, 'PUBLIC')
"""
COLUMN_GRANTS = """
    SELECT table_name, privilege_type, column_name FROM information_schema.column_privileges
    WHERE table_schema = 'public' AND grantee IN (%s, 'PUBLIC')
"""
# Each unique index with its columns in order.
UNIQUE_KEYS = """
    SELECT c.relname, i.relname, array(
        SELECT a.attname::text FROM unnest(x.indkey::int[]) WITH ORDINALITY AS k(attnum, n)
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum ORDER BY k.n)
    FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
    WHERE c.relnamespace = 'public'::regnamespace AND x.indisunique
"""
FOREIGN_KEYS = """
    SELECT conrelid::regclass::text, conname, confrelid::regclass::text, array(
        SELECT a.attname::text FROM unnest(conkey) WITH ORDINALITY AS k(attnum, n)
        JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = k.attnum ORDER BY k.n),
        convalidated
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
"""
TRIGGERS = """
    SELECT tgrelid::regclass::text, tgname FROM pg_trigger
    WHERE NOT tgisinternal AND tgenabled = 'O'
"""


class _Catalog:
    """The parts of PostgreSQL's catalog that the wall is made of, read once."""

    def __init__(self, cursor: Any) -> None:
        role = wall.application_role()

        def rows(sql: str, *args: Any) -> list[tuple[Any, ...]]:
            cursor.execute(sql, args or None)
            return list(cursor.fetchall())

        found = rows(TABLES)
        self.tables = {name: (enabled, forced) for name, enabled, forced, _ in found}
        self.owners = {name: owner for name, _, _, owner in found}
        self.loose_views = [name for (name,) in rows(LOOSE_VIEWS)]
        self.policies = set(rows(POLICIES))
        self.grants = set(rows(GRANTS, role))
        self.column_grants = set(rows(COLUMN_GRANTS, role))
        self.unique_keys = rows(UNIQUE_KEYS)
        self.foreign_keys = {
            (table, name): (target, tuple(columns), valid)
            for table, name, target, columns, valid in rows(FOREIGN_KEYS)
        }
        self.triggers = set(rows(TRIGGERS))


def _unknown_tables(catalog: _Catalog) -> Iterator[str]:
    known = {m._meta.db_table for m in wall.walled_models()} | set(wall.GLOBAL_PRIVILEGES)
    for table in sorted(set(catalog.tables) - known):
        yield f"{table}: a table that the wall does not know"
    for view in catalog.loose_views:
        yield f"{view}: a view without security_invoker reads past the wall"
    for table, verbs in wall.GLOBAL_PRIVILEGES.items():
        allowed = set(filter(None, verbs.split(", ")))
        for privilege in sorted({p for t, p in catalog.grants if t == table} - allowed):
            yield f"{table}: the application role may {privilege}"


def _table_differences(catalog: _Catalog, model: type[models.Model]) -> Iterator[str]:
    table = model._meta.db_table
    if table not in catalog.tables:
        yield f"{table}: the table is missing"
        return
    enabled, forced = catalog.tables[table]
    if not enabled:
        yield f"{table}: row-level security is off"
    if not forced:
        yield f"{table}: row-level security is not forced on the owner"
    yield from _policy_differences(catalog, model, table)
    yield from _grant_differences(catalog, model, table)
    if issubclass(model, TenantRow):
        yield from _key_differences(catalog, model, table)
        if model.wall.append_only:
            for trigger in ("append_only_rows", "append_only_table"):
                if (table, trigger) not in catalog.triggers:
                    yield f"{table}: the trigger {trigger} is missing or off"


def _policy_differences(catalog: _Catalog, model: type[models.Model], table: str) -> Iterator[str]:
    expected = {(p.name, p.command): p for p in wall.policies(model)}
    found = {
        (name, cmd): (roles, qual, check)
        for t, name, cmd, roles, qual, check in catalog.policies
        if t == table
    }
    for name, command in sorted(expected.keys() - found.keys()):
        yield f"{table}: the policy {name} ({command}) is missing"
    for name, command in sorted(found.keys() - expected.keys()):
        yield f"{table}: an unexpected policy {name} ({command})"
    for key in sorted(expected.keys() & found.keys()):
        roles, qual, check = found[key]
        if roles != ("public" if expected[key].role == "PUBLIC" else catalog.owners[table]):
            yield f"{table}: the policy {key[0]} is for other roles: {roles}"
        if _bare(qual) != _bare(expected[key].condition):
            yield f"{table}: the policy {key[0]} has another condition: {qual}"
        if key[1] == "ALL" and check and _bare(check) != _bare(expected[key].condition):
            yield f"{table}: the policy {key[0]} checks another condition: {check}"


def _bare(condition: str) -> str:
    """A condition without what PostgreSQL adds when it prints one: casts, brackets, case."""
    for noise in ("::text", " as current_setting", "public.", "(", ")", " ", "\n"):
        condition = condition.lower().replace(noise, "")
    return condition


def _grant_differences(catalog: _Catalog, model: type[models.Model], table: str) -> Iterator[str]:
    allowed = wall.privileges(model)
    whole = {verb for verb, columns in allowed.items() if columns is None}
    granted = {privilege for t, privilege in catalog.grants if t == table}
    for privilege in sorted(granted - whole):
        yield f"{table}: the application role may {privilege}"
    for privilege in sorted(whole - granted):
        yield f"{table}: the application role may not {privilege}"
    columns = {c for t, verb, c in catalog.column_grants if t == table and verb == "UPDATE"}
    for column in sorted(columns - set(allowed.get("UPDATE") or ())):
        yield f"{table}: the application role may UPDATE {column}"


def _key_differences(catalog: _Catalog, model: type[TenantRow], table: str) -> Iterator[str]:
    for owner, name, columns in catalog.unique_keys:
        if owner != table:
            continue
        if columns[:1] != ["tenant_id"]:
            yield f"{table}: the key {name} does not begin with tenant_id"
    walled = {m._meta.db_table for m in wall.walled_models() if m is not Tenant}
    for (owner, name), (target, columns, valid) in catalog.foreign_keys.items():
        if owner == table and target in walled and columns[:1] != ("tenant_id",):
            yield f"{table}: the foreign key {name} does not begin with tenant_id"
        if owner == table and not valid:
            yield f"{table}: the foreign key {name} is not validated"
    for field in wall.tenant_references(model):
        if (table, wall.reference_name(field)) not in catalog.foreign_keys:
            yield f"{table}: the foreign key {wall.reference_name(field)} is missing"
