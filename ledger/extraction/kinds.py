"""Which kind of memory a piece is, by patterns; prototypes decide where none does."""

from ledger.extraction.intents import Intent
from ledger.extraction.reading import Reading
from ledger.models import Kind

INSTRUCTION_SLOT = "nickname"
# What is said about the talk itself: "和你聊天很开心", "your advice helps".
REMARK = "pattern:remark"
# What others say or wrote: 'Bob says: …', '"…" is a song'.
OTHERS = "pattern:others"


def kind_of(reading: Reading, intent: Intent | None) -> tuple[Kind, str]:
    """The kind and the rule that decided it."""
    by_pattern = _by_pattern(reading)
    if by_pattern is not None:
        return by_pattern
    if intent is not None and intent.kind is not None and _may_be(intent.kind, reading):
        return Kind(intent.kind), f"{intent.by}:{intent.code}"
    return Kind.FACT, "default:fact"


def _may_be(kind: str, reading: Reading) -> bool:
    """Whether the words leave room for it: what still goes on is no event."""
    is_asked = reading.states("question")
    return not is_asked and not (kind == Kind.EVENT and reading.hears("ongoing"))


def _by_pattern(reading: Reading) -> tuple[Kind, str] | None:
    if reading.found is None and reading.is_of_others:
        return Kind.FACT, OTHERS
    if reading.hears("commitment") or _is_duty(reading):
        return Kind.COMMITMENT, "pattern:commitment"
    if reading.hears("instruction") and _is_for_the_agent(reading):
        return Kind.INSTRUCTION, "pattern:instruction"
    if reading.found is not None:
        return Kind(reading.found.kind), f"pattern:{reading.found.attribute}"
    if reading.hears("recurring"):
        return Kind.FACT, "pattern:recurring_problem"
    return _by_time(reading)


def _by_time(reading: Reading) -> tuple[Kind, str] | None:
    if reading.states("question"):
        return None
    if reading.hears("remark") and not reading.hears("feeling"):
        return Kind.FACT, REMARK
    ahead = any(reading.is_ahead(date) for date in reading.dates)
    past = any(date.begins <= reading.said.at for date in reading.dates)
    dated = past and not ahead and not reading.hears("ongoing")
    if reading.states("happened") or (dated and reading.states("past_verb")):
        return Kind.EVENT, "pattern:happened"
    if reading.states("preference"):
        return Kind.PREFERENCE, "pattern:preference"
    if reading.states("habit_now") and not ahead:
        return Kind.FACT, "pattern:habit"
    if ahead or reading.states("planned"):
        return Kind.EVENT, "pattern:planned"
    return None


def _is_duty(reading: Reading) -> bool:
    return reading.hears("duty") and any(reading.is_not_over(date) for date in reading.dates)


def _is_for_the_agent(reading: Reading) -> bool:
    """A slot about the speaker is no rule for the agent, but what the agent shall call them is."""
    return reading.found is None or reading.found.attribute == INSTRUCTION_SLOT
