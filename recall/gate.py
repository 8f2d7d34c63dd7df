"""The gate, pure: which versions may be returned; each refusal names the first rule against it."""

from datetime import datetime

import numpy as np

from recall.arrays import Array
from recall.snapshot import KINDS, Snapshot, moment

# In the order in which they are asked.
RULES = (
    "pending_review",
    "not_yet_valid",
    "ended",
    "expired",
    "sensitive",
    "other_kind",
    "filtered_out",
    "below_min_score",
)
# Of all that the gate lets pass, where nothing seems to answer the question.
NOT_ANSWERED = "nothing_relevant"
# What the trace says of the others that pass.
RETURNED, BEYOND_TOP_K = "returned", "beyond_top_k"


def gate(
    snapshot: Snapshot,
    *,
    valid_at: datetime,
    sensitive: Array | None,
    kinds: frozenset[str],
    matching: Array | None,
) -> Array:
    """For each version the number of the rule in RULES that holds it back, or -1: shape (n).

    `sensitive` (n) says which versions the question must not bring; None: there are none.
    `matching` (n) says which versions the question's filters let pass; None: all of them.
    """
    rows, now = snapshot.versions, moment(valid_at)
    refusals = {
        "pending_review": rows["pending"],
        "not_yet_valid": rows["valid_from"] > now,
        "ended": rows["valid_to"] <= now,
        "expired": rows["expires_at"] <= now,
    }
    if sensitive is not None:
        refusals["sensitive"] = sensitive
    if kinds:
        wanted = [number for number, kind in enumerate(KINDS, start=1) if kind in kinds]
        refusals["other_kind"] = ~np.isin(rows["kind"], wanted)
    if matching is not None:
        refusals["filtered_out"] = ~matching
    return np.select(list(refusals.values()), [*map(RULES.index, refusals)], default=-1)


def with_min_score(verdicts: Array, scores: Array, min_score: float | None) -> Array:
    """What `gate` says, and that what it lets pass with less than the least score is held back."""
    if min_score is None:
        return verdicts
    too_low = (verdicts < 0) & (scores < min_score)
    return np.where(too_low, RULES.index("below_min_score"), verdicts)
