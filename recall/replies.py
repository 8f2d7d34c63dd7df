"""What an agent said with an answer: kept beside the trace of the recall, for as long as that."""

from dataclasses import dataclass
from uuid import UUID

from ledger.append import lock_head
from ledger.chain import canonical
from ledger.services.mask_words import Masked, mask_words, renamed_text
from recall.gate import RETURNED
from recall.models import Reply, Trace
from recall.traces import record_of, visible_trace
from tenants import ids, keys
from tenants.context import tenant_context
from tenants.crypto import SubjectCipher
from tenants.errors import Conflict, MemoryHubError
from tenants.models import Subject
from tenants.principals import Principal, Scope
from tenants.services.record_access import record_access
from tenants.subject_lock import share_subject

TEXT_LENGTH = 20_000
MAX_USED = 100
MAX_REPLIES = 20


class NotRecalled(MemoryHubError):
    """Name only memories which that recall returned."""

    code = "not_recalled"
    status = 422


class TooManyReplies(Conflict):
    """So much was said with this answer that no more is kept: ask again, and answer to that."""

    code = "too_many_replies"


@dataclass(frozen=True)
class Prepared:
    """A reply with its private values masked, before any lock is held."""

    trace: UUID
    masked: Masked
    used: tuple[UUID, ...]


def prepare_reply(principal: Principal, trace_id: UUID, text: str, used: list[UUID]) -> Prepared:
    """Mask what was said, outside a transaction: models read it.

    Raises ScopeMissing, NotFound, NotRecalled, PrivateRefused, DeviceOnly.
    """
    principal.require(Scope.WRITE)
    with tenant_context(principal.tenant_id):
        trace = visible_trace(principal, trace_id)
        subject = trace.subject.external_id
        if not set(used) <= _returned(trace, keys.cipher_for(trace.subject)):
            raise NotRecalled(field="used")
    masked = mask_words(principal, subject, [text], field="text")
    return Prepared(trace_id, masked, tuple(dict.fromkeys(used)))


def add_reply(principal: Principal, prepared: Prepared) -> Reply:
    """Store what was prepared, in the tenant context that is open.

    Raises NotFound if the trace is gone by now, TooManyReplies.
    """
    trace = visible_trace(principal, prepared.trace)
    _lock(trace.subject)
    # Only what is read after that is sure not to be erased meanwhile.
    trace = visible_trace(principal, prepared.trace)
    if Reply.objects.filter(trace=trace).count() >= MAX_REPLIES:
        raise TooManyReplies
    text = renamed_text(prepared.masked.texts[0], prepared.masked.settle(trace.subject))
    reply_id = ids.new_id()
    said = {"text": text, "used": [str(memory) for memory in prepared.used]}
    reply = Reply(
        id=reply_id,
        subject=trace.subject,
        trace=trace,
        actor=principal.actor,
        sealed=keys.cipher_for(trace.subject).seal(reply_id, canonical(said)),
    )
    reply.save(force_insert=True)
    record_access(principal, action="reply", object_id=trace.subject.external_id)
    return reply


def _lock(subject: Subject) -> None:
    """Placeholders and replies are counted by one writer at a time; no erasure meanwhile."""
    lock_head(subject)
    share_subject(subject.id)


def _returned(trace: Trace, cipher: SubjectCipher) -> set[UUID]:
    """The memories that a recall returned; a repeated answer's are those of the first time."""
    record = record_of(trace.repeats or trace, cipher)
    return {UUID(c["memory"]) for c in record["candidates"] if c["verdict"] == RETURNED}
