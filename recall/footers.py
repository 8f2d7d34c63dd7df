"""A footer that an agent can show under its answer: ① date, text, weight. Pure."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from ledger.selectors import MemoryView

LONGEST = 80
# ① to ⑳; beyond, plain numbers in brackets.
FIRST_CIRCLE, CIRCLES = 0x2460, 20


def footer(memories: Sequence[MemoryView]) -> str:
    """One line a memory, in the order of the answer; '' without any."""
    return "\n".join(_line(place, memory) for place, memory in enumerate(memories))


def _line(place: int, memory: MemoryView) -> str:
    number = chr(FIRST_CIRCLE + place) if place < CIRCLES else f"({place + 1})"
    text = " ".join(memory.content.split())
    if len(text) > LONGEST:
        text = text[: LONGEST - 1] + "…"
    return _("%(number)s %(date)s “%(text)s” (weight %(weight)s)") % {
        "number": number,
        "date": f"{memory.valid_from:%Y-%m-%d}",
        "text": text,
        "weight": f"{memory.weight:g}",
    }
