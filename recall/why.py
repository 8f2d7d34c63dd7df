"""One line that says why a memory came back, in the language of the person who asks."""

from django.utils.translation import gettext as _

from ledger.models import MemoryVersion, Verb
from recall.candidates import Candidate


def why(candidate: Candidate, version: MemoryVersion) -> str:
    """For example: 'shares words with the question (no. 1); close in meaning (no. 2)'."""
    reasons = _found_by(candidate)
    if version.entry.verb in (Verb.CHANGE, Verb.CORRECT):
        reasons.append(_("took the place of what was believed before"))
    if candidate.weight > 1:
        reasons.append(_("weighs more than usual"))
    if candidate.weight < 1:
        reasons.append(_("weighs less than usual"))
    return _("; ").join(reasons)


def _found_by(candidate: Candidate) -> list[str]:
    """What the arms say, the surest first."""
    arms, reasons = candidate.arms, []
    if "exact" in arms:
        reasons.append(_("holds exactly what was asked for"))
    if "period" in arms:
        reasons.append(_("falls into the time that was asked about"))
    if "named" in arms:
        reasons.append(_("said by somebody whom the question names"))
    if lexical := arms.get("lexical"):
        reasons.append(_("shares words with the question (no. %(rank)d)") % {"rank": lexical.rank})
    if vector := arms.get("vector"):
        reasons.append(_("close in meaning (no. %(rank)d)") % {"rank": vector.rank})
    if (context := arms.get("context")) and context.rank == 1:
        reasons.append(_("closest in meaning to what was said around it"))
    return reasons
