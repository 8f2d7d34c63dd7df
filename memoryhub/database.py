"""Prepares a PostgreSQL database for MemoryHub: its version, its two roles and its extension.

`memoryhub_owner` owns the tables and runs the migrations. `memoryhub_app` serves requests: it owns
nothing, bypasses nothing and can do to a table only what a migration granted, so that the
database's own walls hold against the application as well.
"""

import re
from typing import Final, LiteralString
from urllib.parse import quote

import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

OWNER: Final = "memoryhub_owner"
APPLICATION: Final = "memoryhub_app"
OLDEST_POSTGRES: Final = 16
OLDEST_VECTOR: Final = (0, 8, 4)
CONNECT_SECONDS: Final = 10

Connection = psycopg.Connection[tuple[object, ...]]


def connect(url: str, variable: str) -> Connection:
    """Open a connection; raises ImproperlyConfigured naming the variable, never the password."""
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=CONNECT_SECONDS)
    except psycopg.OperationalError as error:
        raise ImproperlyConfigured(
            f"The database in {variable} cannot be reached: check that the server runs and that "
            f"address, user and password are right ({' '.join(str(error).split())})."
        ) from None


def check_redis(url: str, variable: str = "MEMORYHUB_REDIS_URL") -> None:
    """Raises ImproperlyConfigured if no Redis or Valkey answers there."""
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=CONNECT_SECONDS) as client:
            client.ping()
    except (redis.RedisError, ValueError) as error:
        raise ImproperlyConfigured(
            f"The server in {variable} cannot be reached: check that it runs and that the address "
            f"and password are right ({type(error).__name__})."
        ) from None


def create_cluster_objects(
    superuser_url: str, *, name: str, owner_password: str, application_password: str
) -> None:
    """As superuser, make both roles and the database `name`, or put them right."""
    with psycopg.connect(superuser_url, autocommit=True) as server:
        _check_version(server)
        _ensure_role(server, OWNER, owner_password)
        _ensure_role(server, APPLICATION, application_password)
        if not _one(server, "SELECT 1 FROM pg_database WHERE datname = %s", name):
            server.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(_id(name), _id(OWNER)))
    with psycopg.connect(make_conninfo(superuser_url, dbname=name), autocommit=True) as inside:
        _ensure_vector(inside)
        _grant(inside, APPLICATION)


def is_powerful(url: str) -> bool:
    """Whether the role in MEMORYHUB_DATABASE_URL could get round the wall between tenants."""
    with connect(url, "MEMORYHUB_DATABASE_URL") as connection:
        found = _one(
            connection,
            "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR pg_has_role(rolname, datdba, "
            "'MEMBER') FROM pg_roles, pg_database "
            "WHERE rolname = current_user AND datname = current_database()",
        )
    return bool(found and found[0])


def application_url(owner_url: str, password: str) -> str:
    """The same database through the role that serves requests."""
    parts = {
        key: quote(str(value), safe="")
        for key, value in conninfo_to_dict(owner_url, user=APPLICATION, password=password).items()
    }
    login, name = f"{parts.pop('user')}:{parts.pop('password')}", parts.pop("dbname")
    return f"postgresql://{login}@/{name}?" + "&".join(f"{k}={v}" for k, v in parts.items())


def prepare(owner_url: str, application_url: str, *, own_role: bool = False) -> None:
    """As the owner, prepare a database on a server of one's own.

    `own_role`: the application's role is ours to make and to give a password, each time. Raises
    ImproperlyConfigured with the SQL that a superuser has to run where the owner may not.
    """
    role = str(conninfo_to_dict(application_url)["user"])
    password = str(conninfo_to_dict(application_url).get("password", ""))
    with connect(owner_url, "MEMORYHUB_OWNER_DATABASE_URL") as owner:
        _check_version(owner)
        _ensure_vector(owner)
        known = _one(owner, "SELECT 1 FROM pg_roles WHERE rolname = %s", role)
        if own_role or not known:
            statement = sql.SQL(
                "ALTER ROLE {} LOGIN PASSWORD {}"
                if known
                else "CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS PASSWORD {}"
            )
            _run_or_tell(
                owner,
                statement.format(_id(role), _scrambled(owner, role, password)),
                statement.format(_id(role), "…"),
                "and put that password into MEMORYHUB_DATABASE_URL, and the address of the role "
                f"{owner.info.user} into MEMORYHUB_OWNER_DATABASE_URL",
            )
        _refuse_powerful(owner, role)
        _grant(owner, role)
    connect(application_url, "MEMORYHUB_DATABASE_URL").close()


def _one(
    connection: Connection, query: LiteralString, *values: object
) -> tuple[object, ...] | None:
    return connection.execute(query, values).fetchone()


def _id(name: str) -> sql.Identifier:
    return sql.Identifier(name)


def _scrambled(connection: Connection, role: str, password: str) -> str:
    """The password as PostgreSQL stores it, so that the clear text is in no server's log."""
    made = connection.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256")
    return made.decode()


def _check_version(connection: Connection) -> None:
    version = connection.info.server_version // 10_000
    if version < OLDEST_POSTGRES:
        raise ImproperlyConfigured(
            f"MemoryHub needs PostgreSQL {OLDEST_POSTGRES} or later; this server is {version}."
        )


def _ensure_role(connection: Connection, role: str, password: str) -> None:
    if not _one(connection, "SELECT 1 FROM pg_roles WHERE rolname = %s", role):
        connection.execute(sql.SQL("CREATE ROLE {}").format(_id(role)))
    connection.execute(
        sql.SQL(
            "ALTER ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION "
            "PASSWORD {}"
        ).format(_id(role), _scrambled(connection, role, password))
    )


def _ensure_vector(connection: Connection) -> None:
    oldest = ".".join(map(str, OLDEST_VECTOR))
    found = _one(
        connection,
        "SELECT installed_version, default_version FROM pg_available_extensions "
        "WHERE name = 'vector'",
    )
    if found is None:
        raise ImproperlyConfigured(
            f"The PostgreSQL server has no pgvector: install its package, {oldest} or later."
        )
    installed, offered = found
    if installed and _numbers(installed) >= OLDEST_VECTOR:
        return
    if _numbers(offered) < OLDEST_VECTOR:
        raise ImproperlyConfigured(
            f"MemoryHub needs pgvector {oldest} or later; the server has {offered}."
        )
    change = "ALTER EXTENSION vector UPDATE" if installed else "CREATE EXTENSION vector"
    _run_or_tell(connection, sql.SQL(change))


def _numbers(version: object) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", str(version))))


def _refuse_powerful(owner: Connection, role: str) -> None:
    powerful = _one(
        owner,
        "SELECT rolsuper OR rolbypassrls OR rolcreaterole OR pg_has_role(oid, current_user, "
        "'MEMBER') FROM pg_roles WHERE rolname = %s",
        role,
    )
    if powerful and powerful[0]:
        raise ImproperlyConfigured(
            f"The role {role} in MEMORYHUB_DATABASE_URL could get round the wall between tenants: "
            "give it one of its own that is not the owner, not a member of the owner, and has "
            "none of SUPERUSER, BYPASSRLS and CREATEROLE."
        )


def _grant(connection: Connection, role: str) -> None:
    """Only the way in: each migration grants the rights to its own tables."""
    here = _id(connection.info.dbname)
    wanted: list[tuple[LiteralString, bool, sql.SQL | sql.Composed]] = [
        (
            "SELECT has_schema_privilege('public', 'public', 'CREATE'), %s",
            False,
            sql.SQL("REVOKE CREATE ON SCHEMA public FROM PUBLIC"),
        ),
        (
            "SELECT has_schema_privilege(%s, 'public', 'USAGE')",
            True,
            sql.SQL("GRANT USAGE ON SCHEMA public TO {}").format(_id(role)),
        ),
        (
            "SELECT has_database_privilege(%s, current_database(), 'CONNECT')",
            True,
            sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(here, _id(role)),
        ),
    ]
    for question, answer, statement in wanted:
        found = _one(connection, question, role)
        if found and found[0] != answer:
            _run_or_tell(connection, statement)


def _run_or_tell(
    connection: Connection,
    statement: sql.SQL | sql.Composed,
    shown: sql.Composed | None = None,
    further: str = "",
) -> None:
    """Run it; where this role may not, say what a superuser has to run instead."""
    try:
        connection.execute(statement)
    except psycopg.errors.InsufficientPrivilege:
        raise ImproperlyConfigured(
            f"The role {connection.info.user} may not prepare the database: as a superuser, in "
            f"the database {connection.info.dbname}, run "
            f"{(shown or statement).as_string(connection)}; {further}".rstrip()
        ) from None
