"""Take a conversation in: verbatim, one memory a turn, dated by its session."""

from collections import Counter
from collections.abc import Callable

from ledger.conversations import Turn
from ledger.models import Kind
from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants.context import tenant_context
from tenants.principals import Principal

BATCH = 50


def import_turns(
    principal: Principal,
    *,
    subject: str,
    turns: list[Turn],
    progress: Callable[[int], None] = lambda done: None,
) -> Counter[str]:
    """Write the turns in order, in short transactions; gives how often each disposition came.

    A second import of the same turns writes nothing, so an interrupted one is simply run again.
    `progress` is called with the number of turns done.
    """
    dispositions: Counter[str] = Counter()
    for start in range(0, len(turns), BATCH):
        batch = turns[start : start + BATCH]
        with tenant_context(principal.tenant_id):
            for turn in batch:
                written = remember(
                    principal,
                    subject=subject,
                    statement=_statement(turn),
                    policy=current_policy(),
                )
                dispositions[written.disposition] += 1
        progress(start + len(batch))
    return dispositions


def _statement(turn: Turn) -> Statement:
    return Statement(
        content=turn.text,
        kind=Kind.EVENT,
        valid_from=turn.at,
        session=turn.session,
        turns=(turn.ref,),
        verbatim=True,
    )
