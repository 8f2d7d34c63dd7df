"""One line that says why a memory came back, in the language of the person who asks."""

from django.utils.translation import gettext as _

from recall.candidates import Candidate


def why(candidate: Candidate) -> str:
    """For example: 'shares words with the question (1st); close in meaning (2nd)'."""
    reasons = []
    if lexical := candidate.arms.get("lexical"):
        reasons.append(_("shares words with the question (no. %(rank)d)") % {"rank": lexical.rank})
    if vector := candidate.arms.get("vector"):
        reasons.append(_("close in meaning (no. %(rank)d)") % {"rank": vector.rank})
    if candidate.weight > 1:
        reasons.append(_("weighs more than usual"))
    if candidate.weight < 1:
        reasons.append(_("weighs less than usual"))
    return _("; ").join(reasons)
