"""Ends of a piece that say nothing of anybody: greetings, thanks, vocatives, questions."""

from ledger.extraction.language import heard

Span = tuple[int, int]
_EDGE = " \t\r\n,，、;；:："
_OPENINGS = ("greeting", "opener", "connector")
_CLOSINGS = ("joined", "courtesy", "vocative")


def trimmed(plain: str, span: Span, slot: Span | None) -> Span:
    """The span of plain text without them; never into the slot, never all that says something."""
    start, end = span
    first, last = slot or (end, start)
    first += len(plain[first:end]) - len(plain[first:end].lstrip())
    for name in _OPENINGS:
        match = heard(name, plain[start:end])
        if match and match.start() == 0 and start + match.end() <= first:
            start += match.end() if _says(plain, start + match.end(), end) else 0
    for name in (*_CLOSINGS, "tail_question" if slot else "tail_asked"):
        match = heard(name, plain[start:end])
        if match and match.start() > 0 and start + match.start() >= last:
            end = start + match.start() if _says(plain, start, start + match.start()) else end
    return _without_edge(plain, start, end)


def _says(plain: str, start: int, end: int) -> bool:
    """Whether words are left that tell something."""
    rest = plain[start:end].strip(_EDGE + ".。!?~")
    opener = heard("opener", rest + ", ")
    return rest != "" and (opener is None or opener.end() <= len(rest))


def _without_edge(plain: str, start: int, end: int) -> Span:
    while start < end and (plain[start] in _EDGE or plain[start].isspace()):
        start += 1
    while start < end and (plain[end - 1] in _EDGE or plain[end - 1].isspace()):
        end -= 1
    return start, end
