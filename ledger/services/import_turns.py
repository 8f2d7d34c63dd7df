"""Take a conversation in: verbatim, one memory a turn, dated by its session."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from ledger.append import lock_head
from ledger.conversations import Turn
from ledger.masking import rename
from ledger.models import Kind
from ledger.services.mask_words import Masked, mask_words
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants.context import tenant_context
from tenants.principals import Principal
from tenants.services.ensure_subject import ensure_subject

BATCH = 50


def import_turns(
    principal: Principal,
    *,
    subject: str,
    turns: list[Turn],
    progress: Callable[[int], None] = lambda done: None,
) -> Counter[str]:
    """Write the turns in order, in short transactions; gives how often each disposition came.

    Private values are masked first, as on every way in. A second import of the same turns writes
    nothing, so an interrupted one is simply run again. `progress` is called with the number of
    turns done. Raises PrivateRefused, DeviceOnly.
    """
    dispositions: Counter[str] = Counter()
    for start in range(0, len(turns), BATCH):
        batch = turns[start : start + BATCH]
        masked = mask_words(principal, subject, [turn.text for turn in batch], "turns")
        with tenant_context(principal.tenant_id):
            for statement in _statements(batch, masked, subject):
                written = remember(
                    principal, subject=subject, statement=statement, policy=masked.policy
                )
                dispositions[written.disposition] += 1
        progress(start + len(batch))
    return dispositions


def _statements(batch: list[Turn], masked: Masked, subject: str) -> list[Statement]:
    """The turns as statements, with placeholders that are really the subject's."""
    person = ensure_subject(subject)
    lock_head(person)
    renamed = masked.settle(person)
    texts = [rename(text or "", renamed) for text in masked.texts]
    return [replace(_statement(t), content=x) for t, x in zip(batch, texts, strict=True)]


def _statement(turn: Turn) -> Statement:
    return Statement(
        content=turn.text,
        kind=Kind.EVENT,
        valid_from=turn.at,
        session=turn.session,
        turns=(turn.ref,),
        verbatim=True,
    )
