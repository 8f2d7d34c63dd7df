"""Words that no other test says, and that look like no password and no key."""

import secrets

WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heron",
    "islet",
    "knoll",
    "linen",
    "maple",
    "olive",
    "pearl",
]
COUNT = 16


def saying() -> str:
    """Sixteen words, as good as unique: 14 ** 16 are possible."""
    return " ".join(secrets.choice(WORDS) for _ in range(COUNT))
