"""From a text to the time expressions in it: match, choose, join, resolve."""

from collections.abc import Iterable
from datetime import UTC, datetime, tzinfo

from ledger.dates import chinese, digits, english
from ledger.dates.dated import Dated, Direction
from ledger.dates.joining import joined
from ledger.dates.periods import Calendar, Period
from ledger.dates.ranges import ranged
from ledger.dates.rules import (
    Atom,
    Reading,
    atoms,
)
from ledger.dates.tense import Tenses
from ledger.dates.words import plain

_RULES = (*digits.RULES, *english.RULES, *chinese.RULES)


def find_dates(text: str, at: datetime, zone: tzinfo) -> list[Dated]:
    """The time expressions in `text`, in order and without overlap, as meant at the moment `at`
    (aware) by somebody whose clock runs in `zone`. The longest match wins.

    Raises nothing, for any text: what is no date, lies outside the years 1 to 9999 or cannot be
    resolved is not returned. Takes time linear in the text's length.
    """
    try:
        calendar = Calendar(at.astimezone(zone), zone)
    except (ValueError, OverflowError):
        return []
    read = plain(text)
    reading = Reading(read, text, calendar, Tenses(read))
    chosen = _longest(atoms(_RULES, reading), len(text))
    found = ranged(joined(chosen, read), reading)
    return [dated for atom in found if (dated := _dated(atom, reading)) is not None]


def _longest(found: Iterable[Atom], length: int) -> list[Atom]:
    taken = bytearray(length)
    chosen = []
    for atom in sorted(found, key=lambda atom: (atom.start - atom.end, atom.start)):
        if not any(taken[atom.start : atom.end]):
            taken[atom.start : atom.end] = b"\x01" * (atom.end - atom.start)
            chosen.append(atom)
    return sorted(chosen, key=lambda atom: atom.start)


def _dated(atom: Atom, reading: Reading) -> Dated | None:
    period = atom.meaning.period
    if period is None or atom.meaning.weak:
        return None
    try:
        begins, ends = period.in_utc()
    except (ValueError, OverflowError):
        return None
    if ends is not None and ends <= begins:
        return None
    return Dated(
        start=atom.start,
        end=atom.end,
        text=reading.original[atom.start : atom.end],
        begins=begins,
        ends=ends,
        grain=period.grain,
        direction=_direction(period, begins, ends, reading.calendar.now.astimezone(UTC)),
        rule=atom.rule,
        approximate=period.approximate,
    )


def _direction(period: Period, begins: datetime, ends: datetime | None, now: datetime) -> Direction:
    if period.direction is not None:
        return period.direction
    if ends is not None and ends <= now:
        return Direction.PAST
    return Direction.FUTURE if begins > now else Direction.NONE
