"""The sensitive topics of a text: health, religion, politics, sexuality, ethnicity. Pure."""

from collections.abc import Sequence

from ledger.reflection.lexicon import lexicons
from ledger.reflection.words import Token


def sensitive_topics(tokens: Sequence[Token]) -> set[str]:
    """The topics by their names in the policy's section about them."""
    return {hit.topic for hit in lexicons()["sensitive"].hits(tokens)}
