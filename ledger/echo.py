"""What an agent repeats of our own: a packed context inside a message is not something said."""

import re

# The block into which recall packs memories (recall.packing), and how it is found in a message.
CONTEXT_OPENS, CONTEXT_CLOSES = "<memories>", "</memories>"
_BLOCK = re.compile(rf"{CONTEXT_OPENS}.*?(?:{CONTEXT_CLOSES}|\Z)", re.DOTALL)


def without_echo(text: str) -> str:
    """The text without contexts that recall gave: memories must not breed from themselves."""
    return _BLOCK.sub(" ", text) if CONTEXT_OPENS in text else text
