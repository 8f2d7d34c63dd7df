"""How much a piece matters (importance) and how surely it is meant (confidence)."""

from ledger.extraction.intents import Intent
from ledger.extraction.kinds import OTHERS, REMARK
from ledger.extraction.language import heard
from ledger.extraction.reading import Reading
from ledger.extraction.validity import When
from ledger.models import Kind
from ledger.policy.extraction import Extraction

_CUES = ("life_event", "safety", "recurring", "relation", "health", "feeling")
_KEYS = {"recurring": "recurring_problem"}
# Rules by which a text without a slot tells something: what falls to none of them is chatter.
_TELLING = ("pattern:planned", "pattern:preference", "pattern:habit", "pattern:recurring_problem")
# Rules after which cues in the words count for nothing, and what such a piece weighs.
_LIGHT = {REMARK: "remark", OTHERS: "chatter"}
LEAST, MOST = 1, 10


def importance(
    reading: Reading,
    decided: tuple[Kind, str],
    attribute: str,
    intent: Intent | None,
    period: When,
    policy: Extraction,
) -> int:
    """From 1 to 10: the highest that kind, attribute and cues give, more with emphasis.

    `decided`: the kind, and the rule that found it (kinds.kind_of).
    """
    kind, rule = decided
    table = policy.importance
    if rule in _LIGHT:
        return table[_LIGHT[rule]]
    is_told = bool(reading.found or reading.dates) or rule in _TELLING
    is_chatter = not is_told and kind in (Kind.FACT, Kind.EVENT)
    keys = ["chatter" if is_chatter else kind, *_keys(reading, attribute, period)]
    weight = max(table[key] for key in keys if key in table)
    if reading.hears("emphasis"):
        weight += policy.emphasis_bonus
    if intent is not None and intent.is_small_talk and keys == ["chatter"]:
        weight -= policy.small_talk_malus
    return max(LEAST, min(MOST, weight))


def _keys(reading: Reading, attribute: str, period: When) -> list[str]:
    """What is looked up in the policy's table besides the kind: attributes and cues."""
    slots = [attribute, *(one.attribute for one in reading.piece.more)]
    cues = [_KEYS.get(cue, cue) for cue in _CUES if _counts(reading, cue)]
    is_awaited = "occurs_from" in period.details and reading.hears("appointment")
    due = ["deadline"] if is_awaited or "due_at" in period.details else []
    return [*(slot for slot in slots if slot), *cues, *due]


def _counts(reading: Reading, cue: str) -> bool:
    """Whether the cue stands in the piece; what may happen is no event of a life yet."""
    return heard(cue, reading.asserted if cue == "life_event" else reading.own) is not None


def confidence(reading: Reading, policy: Extraction) -> float:
    """The lowest that holds of plain, hedged and reported speech."""
    levels = [policy.plain_confidence]
    if reading.hears("hedged"):
        levels.append(policy.hedged_confidence)
    if reading.hears("reported"):
        levels.append(policy.reported_confidence)
    return min(levels)
