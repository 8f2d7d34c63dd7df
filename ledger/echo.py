"""What an agent repeats of our own: a packed context inside a message is not something said."""

import re

# The block into which recall packs memories (recall.packing), and how it is found in a message.
CONTEXT_OPENS, CONTEXT_CLOSES = "<memories>", "</memories>"
# Agents wrap, nest and escape it.
_LESS, _MORE = r"(?:<|&lt;)", r"(?:>|&gt;)"
_TAG = re.compile(
    rf"{_LESS}\s{{0,9}}(?P<closes>/?)\s{{0,9}}memories\b[^<>&]{{0,200}}{_MORE}", re.IGNORECASE
)


def without_echo(text: str) -> str:
    """The text without contexts that recall gave: memories must not breed from themselves.

    A block that is never closed reaches to the end.
    """
    kept, start, depth = [], 0, 0
    for tag in _TAG.finditer(text):
        if depth == 0 and tag["closes"]:
            continue
        if depth == 0:
            kept.append(text[start : tag.start()])
        depth += -1 if tag["closes"] else 1
        start = tag.end()
    if depth == 0:
        kept.append(text[start:])
    return " ".join(kept)
