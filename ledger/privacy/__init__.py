"""Finds the private things in a text, and puts placeholders in their place.

Pure, but slow to import with its models: they are imported when a text is first looked at.
"""

from ledger.policy.privacy import Privacy
from ledger.privacy.findings import PLACEHOLDER, Finding, action, placeholder, substitute
from ledger.privacy.normal import normal

__all__ = [
    "PLACEHOLDER",
    "Finding",
    "action",
    "find_private",
    "find_private_in",
    "normal",
    "placeholder",
    "substitute",
    "warm",
]


def find_private(text: str, privacy: Privacy) -> list[Finding]:
    """What is private in the text, in order and without overlaps.

    Kinds whose action is to keep them are not looked for. Placeholders are never touched.
    """
    return find_private_in([text], privacy)[0]


def find_private_in(texts: list[str], privacy: Privacy) -> list[list[Finding]]:
    """What `find_private` gives for each of the texts, in less time than one by one."""
    from ledger.privacy import engine

    return engine.find(texts, privacy)


def warm() -> None:
    """Loads the models, so that the first text does not wait for them."""
    from ledger.privacy import engine

    engine.warm()
