"""Sensitive topics, pure: a memory's marks in the index, and those a question must not bring."""

from ledger.policy.recall import Occasion, Sensitive
from ledger.reflection.sensitive import sensitive_topics

# No term begins with it (recall.terms).
MARK = "!"


def marks_of(content: str, attribute: str = "", value: str | None = None) -> list[str]:
    """A mark for each sensitive topic of which a memory speaks.

    >>> marks_of("I am allergic to peanuts")
    ['!health']
    """
    return sorted(MARK + topic for topic in sensitive_topics(content, attribute, value))


def withheld_marks(question: str, rules: Sensitive) -> list[str]:
    """The marks of what a question must not bring: neither always recalled nor asked about.

    >>> withheld_marks("What can I eat?", Sensitive(health="when_asked"))
    ['!health']
    """
    guarded = {name: rule for name, rule in rules if rule != Occasion.ALWAYS}
    asked = sensitive_topics(question) if guarded else set()
    return [
        MARK + name for name, rule in guarded.items() if rule == Occasion.NEVER or name not in asked
    ]
