"""Who is asking, and what they may do. Pure: made from a credential, never from a request body."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from tenants.errors import NotFound, Pinned, ScopeMissing
from tenants.models import Role


class Scope(StrEnum):
    """What a credential may be allowed to do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    ERASE = "erase"
    # See masked values (phones, names …) in full instead of their placeholders.
    REVEAL = "reveal"


ALL_SCOPES = frozenset(Scope)
AGENT_SCOPES = frozenset({Scope.READ, Scope.WRITE})
ROLE_SCOPES: dict[str, frozenset[Scope]] = {
    Role.OWNER: ALL_SCOPES,
    Role.ADMIN: ALL_SCOPES,
    Role.AUDITOR: frozenset({Scope.READ}),
    Role.MEMBER: AGENT_SCOPES,
}
# Whoever is limited to one subject is that person, and may see what is held about them in full.
OWN_SCOPES = frozenset({Scope.READ, Scope.WRITE, Scope.REVEAL})


@dataclass(frozen=True)
class Principal:
    """An authenticated caller inside one tenant.

    `subject` and `agent`, when given, are the only ones that the caller may act for.
    `actor` names the caller in entries, traces and the audit: 'key:…', 'member:…', 'token:…'.
    """

    tenant_id: UUID
    actor: str
    scopes: frozenset[Scope]
    subject: str | None = None
    agent: str | None = None
    key_id: UUID | None = None
    # What Django REST framework and its throttles ask of a request's user.
    is_authenticated: bool = True

    def require(self, scope: Scope) -> None:
        """Raise ScopeMissing without `scope`."""
        if scope not in self.scopes:
            raise ScopeMissing(f"This credential lacks the scope '{scope}'.")

    def sees(self, external_id: str) -> bool:
        """Whether the caller may act for this subject."""
        return self.subject is None or self.subject == external_id

    def require_subject(self, external_id: str) -> None:
        """Raise Pinned when the caller names a subject that is not theirs."""
        if not self.sees(external_id):
            raise Pinned("This credential is pinned to another subject.", field="subject")

    def require_visible(self, external_id: str) -> None:
        """Raise NotFound, as for an id that does not exist, for an object of another subject."""
        if not self.sees(external_id):
            raise NotFound

    def require_all_agents(self) -> None:
        """Raise Pinned when the caller may act as one agent only, and this concerns all of them."""
        if self.agent:
            raise Pinned("This credential is pinned to an agent; this concerns all of them.")

    def require_whole_tenant(self) -> None:
        """Raise Pinned when the caller is limited to a subject or an agent."""
        self.require_all_agents()
        if self.subject is not None:
            raise Pinned("This credential is pinned to a subject; this concerns all of them.")

    def acting_agent(self, named: str) -> str:
        """The agent to record: the pinned one, or the named one. Raises Pinned if they differ."""
        if self.agent and named and named != self.agent:
            raise Pinned("This credential is pinned to another agent.", field="agent")
        return self.agent or named
