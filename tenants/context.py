"""The one way into a tenant: a transaction, a database setting and a context variable together.

Requests, tasks, commands and tests all enter here. Row-level security reads the database
setting; the model managers read the context variable; the transaction bounds both.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import UUID

from django.db import connection, transaction
from psycopg import Cursor

from tenants.errors import CrossTenant, NoTenant

_tenant: ContextVar[UUID | None] = ContextVar("tenant", default=None)
_user: ContextVar[int | None] = ContextVar("user", default=None)


def current_tenant() -> UUID:
    """The tenant in context. Raises NoTenant when there is none."""
    tenant_id = _tenant.get()
    if tenant_id is None:
        raise NoTenant
    return tenant_id


def current_user() -> int:
    """The user whose own memberships are being read. Raises NoTenant outside user_context."""
    user_id = _user.get()
    if user_id is None:
        raise NoTenant("No user is in context: wrap the work in user_context(user_id).")
    return user_id


@contextmanager
def tenant_context(tenant_id: UUID, *, lightly: bool = False) -> Iterator[None]:
    """Run the block inside `tenant_id`, in one transaction; the same tenant again joins it.

    `lightly`: the commit does not wait for the disk. For traces and audit lines of reading only: a
    crash of PostgreSQL's server may lose what was committed in the last 0.6 s (its manual,
    "Asynchronous Commit"); a crash of this process loses nothing.

    The outermost block owns the transaction (durable), so that the transaction-local setting
    ends with it and a pooled connection never carries a tenant to its next user.
    Raises CrossTenant inside another tenant's or a user's context.
    """
    entered = _tenant.get()
    if entered == tenant_id:
        yield
        return
    if entered is not None or _user.get() is not None:
        raise CrossTenant
    with transaction.atomic(durable=True):
        _set_local("app.tenant_id", str(tenant_id), lightly=lightly)
        token = _tenant.set(tenant_id)
        try:
            yield
        finally:
            _tenant.reset(token)


@contextmanager
def user_context(user_id: int) -> Iterator[None]:
    """Run the block as a signed-in person outside any tenant: only own memberships are visible."""
    if _tenant.get() is not None or _user.get() is not None:
        raise CrossTenant
    with transaction.atomic(durable=True):
        _set_local("app.user_id", str(user_id))
        token = _user.set(user_id)
        try:
            yield
        finally:
            _user.reset(token)


def _set_local(name: str, value: str, *, lightly: bool = False) -> None:
    """Settings of this transaction, in one round trip; by hand, see tenants.statements."""
    committing = ", set_config('synchronous_commit', 'off', true)" if lightly else ""
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(f"SELECT set_config(%s, %s, true){committing}", [name, value])
