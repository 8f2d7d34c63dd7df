"""The one base class of every error MemoryHub raises on purpose; its docstring is the message."""

from typing import ClassVar


class MemoryHubError(Exception):
    """Something went wrong."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400

    def __init__(
        self, detail: str | None = None, *, field: str | None = None, rule: str | None = None
    ) -> None:
        self.message = " ".join((detail or type(self).__doc__ or self.code).split())
        self.field = field
        # The rule of the tenant's policy that refused, where one did.
        self.rule = rule
        super().__init__(self.message)


class NoTenant(MemoryHubError):
    """No tenant is in context: wrap the work in tenant_context(tenant_id)."""

    code = "no_tenant"
    status = 500


class CrossTenant(MemoryHubError):
    """The work is already inside another tenant's context."""

    code = "cross_tenant"
    status = 500


class NotFound(MemoryHubError):
    """There is no such object here."""

    code = "not_found"
    status = 404


class Unauthenticated(MemoryHubError):
    """Send a valid credential as 'Authorization: Bearer …'."""

    code = "unauthenticated"
    status = 401


class CredentialExpired(Unauthenticated):
    """This credential has expired: make a new one."""

    code = "credential_expired"


class CredentialRevoked(Unauthenticated):
    """This credential was revoked: make a new one."""

    code = "credential_revoked"


class Forbidden(MemoryHubError):
    """This credential may not do that."""

    code = "forbidden"
    status = 403


class ScopeMissing(Forbidden):
    """This credential lacks the scope that the request needs."""

    code = "scope_missing"


class Pinned(Forbidden):
    """This credential is pinned to another subject or agent."""

    code = "pinned"


class Invalid(MemoryHubError):
    """A value in the request is not acceptable."""

    code = "invalid"


class Conflict(MemoryHubError):
    """This clashes with what is already stored."""

    code = "conflict"
    status = 409


class KeyUnavailable(MemoryHubError):
    """The key that protects this content cannot be read; see FIELD_ENCRYPTION_KEY."""

    code = "key_unavailable"
    status = 500


class ContentDamaged(MemoryHubError):
    """Stored content failed its integrity check."""

    code = "content_damaged"
    status = 500
