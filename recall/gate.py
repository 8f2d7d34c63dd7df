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
    scores: Array,
    *,
    valid_at: datetime,
    kinds: frozenset[str],
    matching: Array | None,
    min_score: float | None,
) -> Array:
    """For each version the number of the rule in RULES that holds it back, or -1: shape (n).

    `matching` (n) says which versions the question's filters let pass; None: all of them.
    """
    rows, now = snapshot.versions, moment(valid_at)
    wanted = [number for number, kind in enumerate(KINDS, start=1) if not kinds or kind in kinds]
    refusals = (
        rows["pending"],
        rows["valid_from"] > now,
        rows["valid_to"] <= now,
        rows["expires_at"] <= now,
        ~np.isin(rows["kind"], wanted),
        np.zeros(len(rows), bool) if matching is None else ~matching,
        scores < (-np.inf if min_score is None else min_score),
    )
    return np.select(refusals, range(len(RULES)), default=-1)
