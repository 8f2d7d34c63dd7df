"""The wall in PostgreSQL, built from the models: row-level security, composite keys, privileges.

The models say what a table is (tenants.scoped); this module turns that into SQL and applies it
after every migration (tenants.apps), and tenants.isolation compares it with the catalog. There is
no other place where a policy, a grant or a tenant key is written.

Why `nullif((select current_setting(…, true)), '')`: on a connection that has been used before, an
unset setting reads as '' and not as NULL; and the sub-select lets the planner read it once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models

from tenants.models import Tenant
from tenants.scoped import TenantForeignKey, TenantRow

TENANT_SETTING = "nullif((select current_setting('app.tenant_id', true)), '')::uuid"
USER_SETTING = "nullif((select current_setting('app.user_id', true)), '')::integer"

APPEND_ONLY_FUNCTION = "refuse_rewriting"
DIRECTORY_FUNCTION = "tenant_directory"

# Tables without a tenant, and all that the application role may do there. A table that is neither
# here nor a TenantRow gets nothing: default deny.
GLOBAL_PRIVILEGES: dict[str, str] = {
    "auth_user": "SELECT, INSERT, UPDATE",
    "auth_group": "SELECT",
    "auth_permission": "SELECT",
    "auth_group_permissions": "SELECT",
    "auth_user_groups": "SELECT",
    "auth_user_user_permissions": "SELECT",
    "django_content_type": "SELECT",
    "django_migrations": "SELECT",
    "django_session": "SELECT, INSERT, UPDATE, DELETE",
    "django_admin_log": "",
}


@dataclass(frozen=True)
class Policy:
    """One row-level policy: its name, command and condition; WITH CHECK is the same condition."""

    name: str
    condition: str
    command: str = "ALL"
    role: str = "PUBLIC"

    def sql(self, table: str) -> str:
        check = f" WITH CHECK ({self.condition})" if self.command == "ALL" else ""
        return (
            f"CREATE POLICY {self.name} ON {table} FOR {self.command} TO {self.role} "
            f"USING ({self.condition}){check}"
        )


def apply(connection: Any) -> None:
    """Bring the database to what the models say, as the owner, in one transaction.

    After a migration to an older state some tables are not there; the wall of the others stands.
    """
    from django.db import transaction

    there = set(connection.introspection.table_names())
    found = [model for model in walled_models() if model._meta.db_table in there]
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        for statement in statements(found):
            cursor.execute(statement)


def walled_models() -> list[type[models.Model]]:
    """The tenant table and every concrete TenantRow, in the order of their tables' names."""
    found = [m for m in apps.get_models() if issubclass(m, TenantRow) or m is Tenant]
    return sorted(found, key=lambda m: m._meta.db_table)


def policies(model: type[models.Model]) -> list[Policy]:
    """The policies that `model`'s table must have, and no others."""
    if model is Tenant:
        own = (
            "EXISTS (SELECT 1 FROM tenants_member m "
            f"WHERE m.tenant_id = tenants_tenant.id AND m.user_id = {USER_SETTING})"
        )
        return [
            Policy("tenant_wall", f"id = {TENANT_SETTING}"),
            Policy("own_tenants", own, command="SELECT"),
            # For tenant_directory() alone, which runs as the owner and gives out ids only.
            Policy("directory", "true", command="SELECT", role="CURRENT_USER"),
        ]
    wall = [Policy("tenant_wall", f"tenant_id = {TENANT_SETTING}")]
    if model._meta.label == "tenants.Member":
        wall.append(Policy("own_memberships", f"user_id = {USER_SETTING}", command="SELECT"))
    return wall


def privileges(model: type[models.Model]) -> dict[str, tuple[str, ...] | None]:
    """What the application role may do: verb → columns (None: the whole row)."""
    allowed: dict[str, tuple[str, ...] | None] = {"SELECT": None, "INSERT": None}
    if issubclass(model, TenantRow):
        if model.wall.update:
            allowed["UPDATE"] = model.wall.update
        if model.wall.delete:
            allowed["DELETE"] = None
    return allowed


def tenant_references(model: type[models.Model]) -> Iterator[TenantForeignKey]:
    """The foreign keys of `model` that stay inside the tenant."""
    for field in model._meta.concrete_fields:
        if isinstance(field, TenantForeignKey):
            yield field


def reference_name(field: TenantForeignKey) -> str:
    """The name of the composite foreign key constraint behind `field`."""
    return f"{field.model._meta.db_table}_{field.column}_wall"


def application_role() -> str:
    """The role that web, worker and beat connect as."""
    return str(settings.DATABASES["default"]["USER"])


def statements(tables: list[type[models.Model]]) -> Iterator[str]:
    """Every statement of the wall of these models, in order; again, they change nothing."""
    role = _quoted(application_role())
    yield from _functions(role)
    for model in tables:
        yield from _keys(model)
    for model in tables:
        yield from _references(model)
    for model in tables:
        yield from _row_level_security(model)
        yield from _append_only(model)
        yield from _grants(model, role)
    for table, verbs in GLOBAL_PRIVILEGES.items():
        yield f"REVOKE ALL ON {table} FROM {role}, PUBLIC"
        if verbs:
            yield f"GRANT {verbs} ON {table} TO {role}"
    yield f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {role}"


def _functions(role: str) -> Iterator[str]:
    yield (
        f"CREATE OR REPLACE FUNCTION {APPEND_ONLY_FUNCTION}() RETURNS trigger LANGUAGE plpgsql "
        "SET search_path = pg_catalog AS $$ BEGIN "
        "RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP "
        "USING ERRCODE = 'insufficient_privilege'; END $$"
    )
    yield (
        f"CREATE OR REPLACE FUNCTION {DIRECTORY_FUNCTION}() RETURNS SETOF uuid LANGUAGE sql STABLE "
        "SECURITY DEFINER SET search_path = pg_catalog AS "
        "$$ SELECT id FROM public.tenants_tenant ORDER BY id $$"
    )
    yield f"REVOKE ALL ON FUNCTION {DIRECTORY_FUNCTION}() FROM PUBLIC"
    yield f"GRANT EXECUTE ON FUNCTION {DIRECTORY_FUNCTION}() TO {role}"


def _keys(model: type[models.Model]) -> Iterator[str]:
    """Django makes the primary key (id); here it becomes (tenant_id, id), once."""
    if model is Tenant or isinstance(model._meta.pk, models.CompositePrimaryKey):
        return
    table = model._meta.db_table
    yield (
        f"DO $$ BEGIN IF (SELECT count(*) FROM pg_index i WHERE i.indrelid = '{table}'::regclass "
        "AND i.indisprimary AND i.indnkeyatts = 2) = 0 THEN "
        f"ALTER TABLE {table} DROP CONSTRAINT {table}_pkey; "
        f"ALTER TABLE {table} ADD CONSTRAINT {table}_pkey PRIMARY KEY (tenant_id, id); "
        "END IF; END $$"
    )


def _references(model: type[models.Model]) -> Iterator[str]:
    table = model._meta.db_table
    for field in tenant_references(model):
        name = reference_name(field)
        target = field.related_model._meta.db_table
        yield (
            f"DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = '{name}' "
            f"AND conrelid = '{table}'::regclass) THEN ALTER TABLE {table} ADD CONSTRAINT {name} "
            f"FOREIGN KEY (tenant_id, {field.column}) REFERENCES {target} (tenant_id, id) "
            "DEFERRABLE INITIALLY DEFERRED; END IF; END $$"
        )


def _row_level_security(model: type[models.Model]) -> Iterator[str]:
    table = model._meta.db_table
    yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
    yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
    for policy in policies(model):
        yield f"DROP POLICY IF EXISTS {policy.name} ON {table}"
        yield policy.sql(table)


def _append_only(model: type[models.Model]) -> Iterator[str]:
    if not (issubclass(model, TenantRow) and model.wall.append_only):
        return
    table = model._meta.db_table
    yield (
        f"CREATE OR REPLACE TRIGGER append_only_rows BEFORE UPDATE OR DELETE ON {table} "
        f"FOR EACH ROW EXECUTE FUNCTION {APPEND_ONLY_FUNCTION}()"
    )
    yield (
        f"CREATE OR REPLACE TRIGGER append_only_table BEFORE TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {APPEND_ONLY_FUNCTION}()"
    )


def _grants(model: type[models.Model], role: str) -> Iterator[str]:
    table = model._meta.db_table
    yield f"REVOKE ALL ON {table} FROM {role}, PUBLIC"
    for verb, columns in privileges(model).items():
        listed = f" ({', '.join(columns)})" if columns else ""
        yield f"GRANT {verb}{listed} ON {table} TO {role}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
