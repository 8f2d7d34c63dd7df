"""The sensitive topics of a text: health, religion, politics, sexuality, ethnicity. Pure."""

import re

from ledger.reflection.lexicon import lexicons
from ledger.reflection.words import tokens_of


def sensitive_topics(content: str, attribute: str = "", value: str | None = None) -> set[str]:
    """The topics of which a memory, or a question, speaks, by their names in the policy."""
    named = re.sub(r"[._-]", " ", attribute)
    tokens = (tokens_of(content), tokens_of(f"{named}\n{value or ''}"))
    lexicon = lexicons()["sensitive"]
    return {hit.topic for some in tokens for hit in lexicon.hits(some)}
