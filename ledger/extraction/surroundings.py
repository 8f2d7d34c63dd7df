"""What surrounds a piece: place, device, channel, troubles that come back, ends of slots."""

import re
from typing import Any

from ledger.extraction.language import cues
from ledger.extraction.reading import Reading
from ledger.extraction.slots import STATE, TURN, WAS, values

_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")}
_ORDINALS = {"second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "tenth": 10}


def context(reading: Reading) -> dict[str, str]:
    """Where and by what it was said or done, in the words of the text, as far as it says so."""
    found = {}
    for name in ("place", "device", "channel"):
        span = _span(name, reading.plain)
        if span is not None:
            found[name] = reading.text[span[0] : span[1]]
    return found


def _span(name: str, plain: str) -> tuple[int, int] | None:
    matches = (match for pattern in cues(name) if (match := pattern.search(plain)))
    first = min(matches, key=lambda match: match.start(), default=None)
    return first.span("v") if first else None


def recurring(reading: Reading) -> dict[str, Any]:
    """{"pattern": "recurring_problem", "count": …} if it is a trouble that came back."""
    matches = [match for pattern in cues("recurring") if (match := pattern.search(reading.plain))]
    if not matches:
        return {}
    counts = [count for match in matches if (count := _count(match)) is not None]
    return {"pattern": "recurring_problem"} | ({"count": counts[0]} if counts else {})


def _count(match: re.Match[str]) -> int | None:
    groups = match.groupdict()
    if groups.get("word"):
        return _ORDINALS[groups["word"].lower()]
    number = groups.get("en") or groups.get("zh")
    return _number(number) if number else None


def _number(text: str) -> int:
    """12 or 十二, up to 99 in words."""
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _HAN_DIGITS[text[-1]]
    return 10 * (_HAN_DIGITS[tens[-1]] if tens else 1) + (_HAN_DIGITS[ones] if ones else 0)


def slot_details(reading: Reading, value: str | None, claims: bool) -> dict[str, Any]:
    """What is said of a slot besides its value.

    A slot that is claimed and lists several things gives "values"; further slots of the same words
    are "slots". One that is not claimed gives
    "ends" with "ended_value" if it held once and does no more, else "denies" with "denied_value".
    """
    found = reading.found
    if found is None:
        return {}
    more = _more(reading)
    if claims:
        several = values(value) if value and found.several else []
        return more | ({"values": several} if len(several) > 1 else {})
    is_over = found.no_longer or found.how == WAS
    says, of_value = ("ends", "ended_value") if is_over else ("denies", "denied_value")
    return {says: found.attribute} | ({of_value: value} if value else {}) | more


def _more(reading: Reading) -> dict[str, Any]:
    """{"slots": {attribute: value}} of what the same words say besides."""
    held = [one for one in reading.piece.more if one.how in (STATE, TURN) and not one.denied]
    slots = {one.attribute: words for one in held if (words := reading.value(one))}
    return {"slots": slots} if slots else {}
