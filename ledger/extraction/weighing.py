"""How much a piece matters (importance) and how surely it is meant (confidence)."""

from ledger.extraction.intents import Intent
from ledger.extraction.reading import Reading
from ledger.models import Kind
from ledger.policy.extraction import DEFAULT_IMPORTANCE, Extraction

_CUES = ("life_event", "safety", "recurring", "relation")
_KEYS = {"recurring": "recurring_problem"}
LEAST, MOST = 1, 10


def importance(
    reading: Reading, kind: str, attribute: str, intent: Intent | None, policy: Extraction
) -> int:
    """From 1 to 10: the highest that kind, attribute and cues give, more with emphasis."""
    keys = [kind, attribute, *(_KEYS.get(cue, cue) for cue in _CUES if reading.hears(cue))]
    table = policy.importance
    weight = max(table[key] for key in keys if key in table or key in DEFAULT_IMPORTANCE)
    if reading.hears("emphasis"):
        weight += policy.emphasis_bonus
    if intent is not None and intent.is_small_talk and kind == Kind.FACT and not attribute:
        weight -= policy.small_talk_malus
    return max(LEAST, min(MOST, weight))


def confidence(reading: Reading, policy: Extraction) -> float:
    """The lowest that holds of plain, hedged and reported speech."""
    levels = [policy.plain_confidence]
    if reading.hears("hedged"):
        levels.append(policy.hedged_confidence)
    if reading.hears("reported"):
        levels.append(policy.reported_confidence)
    return min(levels)
