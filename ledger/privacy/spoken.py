"""A question as an encoder reads it, pure: without the names that many of the memories bear.

Such a name tells no memories apart. It draws an encoder to the ones that say names, away from the
ones that answer; whom a question is about, its terms still say.
"""

import re
from collections.abc import Collection

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import PLACEHOLDER

_OWNED = re.compile(rf"(?P<name>{PLACEHOLDER.pattern})(?:['’]s(?![A-Za-z])|\s?的)?")


def names_in(question: str) -> frozenset[str]:
    """The placeholders of names in a masked question."""
    found = PLACEHOLDER.finditer(question)
    return frozenset(match[0] for match in found if match[1] == PrivateKind.NAME)


def spoken(question: str, common: Collection[str]) -> str:
    """The masked question without the placeholders in `common`; all of it, if no word is left.

    >>> spoken("Where did [NAME_1] meet [NAME_2]'s boss?", {"[NAME_1]"})
    "Where did meet [NAME_2]'s boss?"
    """
    left = _OWNED.sub(lambda match: " " if match["name"] in common else match[0], question)
    return " ".join(left.split()) if any(map(str.isalnum, left)) else question
