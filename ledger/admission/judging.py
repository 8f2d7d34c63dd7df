"""Decides whether a text is worth remembering: rules first, then the classifier."""

from collections.abc import Callable, Sequence

from ledger.admission.noise import (
    bare_value,
    emoji,
    key_mash,
    mojibake,
    repeated,
    said_before,
    too_short,
)
from ledger.admission.reading import Reading
from ledger.admission.talk import (
    question_about_own,
    question_without_fact,
    request_without_fact,
    small_talk,
    states_fact,
    tells_then_asks,
)
from ledger.admission.verdict import Verdict
from ledger.policy.admission import Admission

Rule = Callable[[Reading], Verdict | None]

# In this order; the first that decides is the only one. A plain statement said three times over
# is a statement still, so `states_fact` comes before `repeated`.
RULES: list[Rule] = [
    said_before,
    mojibake,
    emoji,
    bare_value,
    too_short,
    states_fact,
    tells_then_asks,
    repeated,
    key_mash,
    small_talk,
    question_about_own,
    question_without_fact,
    request_without_fact,
]


def judge(
    text: str,
    policy: Admission,
    probability: Callable[[str], float | None],
    before: Sequence[str] = (),
) -> Verdict:
    """The verdict on a masked text; `before` are the masked texts said just before it.

    `probability` gives the classifier's probability, from 0 to 1, or None where the encoder in use
    has no classifier. It is called only if no rule decides. With None the text is admitted: to
    lose a fact is worse than to keep small talk.
    """
    reading = Reading(text, policy, before)
    for rule in RULES:
        verdict = rule(reading)
        if verdict is not None:
            return verdict
    score = probability(text)
    if score is None:
        return Verdict(True, "classifier_absent")
    return Verdict(score >= policy.threshold, "classifier", score)
