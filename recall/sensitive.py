"""Sensitive topics, pure: a memory's marks in the index, and those a question must not bring."""

from ledger.policy.recall import Recalled, Sensitive
from ledger.reflection.sensitive import sensitive_topics
from ledger.reflection.words import tokens_of

# No term begins with it (recall.terms).
MARK = "!"


def marks_of(text: str) -> list[str]:
    """A mark for each sensitive topic of which a text speaks.

    >>> marks_of("I am allergic to peanuts")
    ['!health']
    """
    return sorted(MARK + topic for topic in sensitive_topics(tokens_of(text)))


def held_back(question: str, rules: Sensitive) -> list[str]:
    """The marks of what a question must not bring: neither always recalled nor asked about.

    >>> held_back("What can I eat?", Sensitive(health="when_asked"))
    ['!health']
    """
    guarded = {name: rule for name, rule in rules if rule != Recalled.ALWAYS}
    asked = sensitive_topics(tokens_of(question)) if guarded else set()
    return [
        MARK + name for name, rule in guarded.items() if rule == Recalled.NEVER or name not in asked
    ]
