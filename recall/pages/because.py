"""Why one candidate stands where it stands, in one sentence. Read off the trace."""

from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from recall.gate import BEYOND_TOP_K, NOT_ANSWERED, RETURNED
from recall.why import of_weight, surest

# From here on a memory is called recent (no older than one half-life) or important.
RECENT = 0.5
IMPORTANT = 0.8
# Of what was held back by any other rule, a rank is the one that it would have had.
RANKED = (RETURNED, BEYOND_TOP_K, NOT_ANSWERED)


def because(record: dict[str, Any], *, meaning_asked: bool) -> str:
    """The sentence of one candidate's record, '' if nothing known speaks for it.

    `meaning_asked`: the encoder was there.
    """
    arms = record["arms"]
    if record["verdict"] not in RANKED:
        reasons = surest(arms) + _reasons_if_it_counted(arms)
    else:
        reasons = surest(arms) + _reasons_of_search(arms, meaning_asked=meaning_asked)
    breakdown = record["score_breakdown"]
    if breakdown.get("recency", 0) >= RECENT:
        reasons.append(_("recent"))
    if breakdown.get("importance", 0) >= IMPORTANT:
        reasons.append(_("marked as important"))
    reasons += of_weight(record["weight"])
    if not reasons:
        return ""
    return _("%(reasons)s.") % {"reasons": capfirst(_("; ").join(reasons))}


def _reasons_of_search(arms: dict[str, Any], *, meaning_asked: bool) -> list[str]:
    words, meaning = arms.get("lexical"), arms.get("vector")
    if words and meaning and words["rank"] == meaning["rank"] == 1:
        return [_("the best match, both by meaning and by shared words")]
    reasons = [_reason_of_meaning(meaning)] if meaning_asked else []
    reasons.append(_reason_of_words(words))
    if arms.get("context", {}).get("rank") == 1:
        reasons.append(_("closest in meaning to what was said around it"))
    return reasons


def _reasons_if_it_counted(arms: dict[str, Any]) -> list[str]:
    """Of what was held back."""
    reasons = []
    if meaning := arms.get("vector"):
        reasons.append(_("would be no. %(rank)d by meaning") % {"rank": meaning["rank"]})
    if words := arms.get("lexical"):
        reasons.append(_("would be no. %(rank)d by shared words") % {"rank": words["rank"]})
    return reasons


def _reason_of_meaning(arm: dict[str, Any] | None) -> str:
    if arm is None:
        return _("its meaning had not been compared yet")
    if arm["rank"] == 1:
        return _("closest to the question in meaning")
    return _("no. %(rank)d by meaning") % {"rank": arm["rank"]}


def _reason_of_words(arm: dict[str, Any] | None) -> str:
    if arm is None:
        return _("shares no word with the question")
    if arm["rank"] == 1:
        return _("best match by shared words")
    return _("no. %(rank)d by shared words") % {"rank": arm["rank"]}
