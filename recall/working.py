"""Working memory: what an agent notes down under exact keys while it does one task (DESIGN, L1).

Nothing here is learned from or recalled. Two tenants, two agents and two subjects never see each
other's notes: each has keys of its own.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from ledger.chain import canonical
from ledger.policies import current_policy
from recall.working_store import Note, Shelf
from tenants import keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.errors import Conflict, Invalid, NotFound
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject
from tenants.subject_lock import share_subject
from tenants.tenant_cipher import tenant_cipher

NAME_LENGTH = 200
LONGEST_SECONDS = 86_400


class ValueTooLarge(Invalid):
    """The value is larger than the tenant's policy allows."""

    code = "value_too_large"
    status = 413


class TaskFull(Conflict):
    """The task holds as many keys as the tenant's policy allows: delete some, or let them end."""

    code = "task_full"


@dataclass(frozen=True)
class Place:
    """A task of one subject, or of none (''). A caller pinned to a subject means that one."""

    principal: Principal
    task: str
    subject: str = ""

    def put(self, key: str, value: Any, ttl: int | None = None) -> Note:
        """Keep a value for `ttl` seconds, or for as long as the policy says.

        Raises ScopeMissing, Pinned, ReservedId, NotFound, ValueTooLarge, TaskFull, RedisError.
        """
        self.principal.require(Scope.WRITE)
        with tenant_context(self.principal.tenant_id):
            rules = current_policy().working
            if len(canonical(value)) > rules.value_bytes:
                raise ValueTooLarge(
                    f"A value has at most {rules.value_bytes} bytes as JSON.", field="value"
                )
            shelf = self._shelf(begun=True)
            note = shelf.put(key, value, seconds=ttl or rules.ttl_seconds, most=rules.most_keys)
        if note is None:
            raise TaskFull(field="key")
        return note

    def get(self, key: str) -> Note:
        """The value under a key. Raises ScopeMissing, Pinned, NotFound, RedisError."""
        self.principal.require(Scope.READ)
        with tenant_context(self.principal.tenant_id):
            note = self._shelf().get(key)
        if note is None:
            raise NotFound
        return note

    def page(self, limit: int, after: UUID | None) -> tuple[list[Note], UUID | None]:
        """A page of the task's values. Raises ScopeMissing, Pinned, NotFound, RedisError."""
        self.principal.require(Scope.READ)
        with tenant_context(self.principal.tenant_id):
            notes, following = self._shelf().page(limit, after)
        if not notes and after is None:
            raise NotFound
        return notes, following

    def drop(self, key: str | None = None) -> int:
        """Forget one value, or all of the task; gives how many there were.

        Raises ScopeMissing, Pinned, NotFound, RedisError.
        """
        self.principal.require(Scope.WRITE)
        with tenant_context(self.principal.tenant_id):
            shelf = self._shelf()
            gone = shelf.drop_all() if key is None else shelf.drop(key)
        if not gone:
            raise NotFound
        return gone

    @property
    def about(self) -> str:
        """The subject's id, or ''."""
        return self.subject or self.principal.subject or ""

    def _shelf(self, *, begun: bool = False) -> Shelf:
        return Shelf(self._cipher(begun=begun), self.principal.agent or "", self.task)

    def _cipher(self, *, begun: bool) -> SubjectCipher:
        """The subject's, or else the tenant's; with `begun` a subject comes into being."""
        if not self.about:
            return tenant_cipher("working")
        self.principal.require_subject(self.about)
        if begun:
            person = ensure_subject(self.about)
        else:
            found = Subject.objects.filter(external_id=self.about, erased_at=None).first()
            if found is None:
                raise NotFound
            person = found
        # An erasure waits until the transaction ends, and finds what was put until then.
        share_subject(person.id)
        return keys.cipher_for(person)
