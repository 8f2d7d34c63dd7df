"""The gate, pure: which candidates may be returned; each refusal names its rule."""

from datetime import datetime

from recall.candidates import Candidate


def gate(
    candidates: list[Candidate],
    *,
    valid_at: datetime,
    kinds: frozenset[str],
    min_score: float | None,
) -> None:
    """Mark the candidates that are held back, in place. The first rule that applies is named."""
    for candidate in candidates:
        candidate.withheld_by = _verdict(candidate, valid_at, kinds, min_score)


def _verdict(
    candidate: Candidate, valid_at: datetime, kinds: frozenset[str], min_score: float | None
) -> str | None:
    if candidate.pending:
        return "pending_review"
    if candidate.valid_from > valid_at:
        return "not_yet_valid"
    if candidate.valid_to is not None and candidate.valid_to <= valid_at:
        return "ended"
    if candidate.expires_at is not None and candidate.expires_at <= valid_at:
        return "expired"
    if kinds and candidate.kind not in kinds:
        return "other_kind"
    if min_score is not None and candidate.score < min_score:
        return "below_min_score"
    return None
