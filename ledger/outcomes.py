"""What the write path decided about a turn, sealed beside it for people to see."""

import json
from typing import Any
from uuid import UUID

from ledger.models import Turn
from tenants import ids
from tenants.crypto import SubjectCipher


def seal_outcome(turn_id: UUID, outcome: dict[str, Any], cipher: SubjectCipher) -> bytes:
    """Seal the record of one turn's stages."""
    return cipher.seal(_row(turn_id), json.dumps(outcome, ensure_ascii=False).encode())


def outcome_of(turn: Turn, cipher: SubjectCipher) -> dict[str, Any] | None:
    """The record of one turn's stages; None while it was not learned from."""
    if turn.sealed_outcome is None:
        return None
    outcome: dict[str, Any] = json.loads(cipher.open(_row(turn.id), turn.sealed_outcome))
    return outcome


def _row(turn_id: UUID) -> UUID:
    """An id of its own, so that it cannot be put in the place of the turn's words."""
    return ids.derived_id(turn_id, "outcome")
