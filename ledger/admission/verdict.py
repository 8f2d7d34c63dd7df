"""What admission says about a text."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """Whether a text is admitted, and the stable code of the rule that decided.

    `score` is the classifier's probability, from 0 to 1, where it was asked.
    """

    admitted: bool
    rule: str
    score: float | None = None
