"""One line that says why a memory came back, in the language of the person who asks."""

from collections.abc import Container

from django.utils.translation import gettext as _

from ledger.models import MemoryVersion, Verb
from recall.candidates import Candidate


def why(candidate: Candidate, version: MemoryVersion) -> str:
    """For example: 'shares words with the question (no. 1); close in meaning (no. 2)'."""
    reasons = _found_by(candidate)
    if version.entry.verb in (Verb.CHANGE, Verb.CORRECT):
        reasons.append(_("took the place of what was believed before"))
    return _("; ").join(reasons + of_weight(candidate.weight))


def surest(arms: Container[str]) -> list[str]:
    """What those arms say of a memory that are no matter of degree."""
    found = {
        "exact": _("holds exactly what was asked for"),
        "period": _("falls into the time that was asked about"),
        "named": _("said by somebody whom the question names"),
    }
    return [words for arm, words in found.items() if arm in arms]


def of_weight(weight: float) -> list[str]:
    """What a memory's own weight adds; nothing as long as nobody has changed it."""
    if weight == 1:
        return []
    return [_("weighs more than usual") if weight > 1 else _("weighs less than usual")]


def _found_by(candidate: Candidate) -> list[str]:
    """What the arms say, the surest first."""
    arms = candidate.arms
    reasons = surest(arms)
    if lexical := arms.get("lexical"):
        reasons.append(_("shares words with the question (no. %(rank)d)") % {"rank": lexical.rank})
    if vector := arms.get("vector"):
        reasons.append(_("close in meaning (no. %(rank)d)") % {"rank": vector.rank})
    if (context := arms.get("context")) and context.rank == 1:
        reasons.append(_("closest in meaning to what was said around it"))
    return reasons
