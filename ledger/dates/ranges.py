"""Two expressions that make a range, and one that is a range's edge: "from May to July", "since".

Read as: "since X" and 自X以来 open at X's beginning; "until X", "by X" and X前 run from the moment
of speaking to X's end; "before X" to X's beginning; "after X" opens at X's end. What could only be
written with an open beginning ("before 2019", said later) is no date; "until 2019", said later,
stays the year.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from ledger.dates.dated import Direction, Grain
from ledger.dates.periods import SHORT, Calendar, Period
from ledger.dates.rules import (
    DAYS,
    NOTHING,
    Atom,
    Meaning,
    Reading,
)

_WIDEST = 12
# Characters before an expression in which the word stands that opens it.
_LEAD = 24
_FROM = re.compile(r"(?:(?<![a-z])(?:from|between) (?:the )?|自从?|从)$")
_BETWEEN = re.compile(r"(?:(?<![a-z])between (?:the )?|在)$")
_TO = re.compile(r" ?(?:--?|~|to|until|till|through|thru|一?直?到|至) ?(?:the )?")
_AND = re.compile(r" and (?:the )?|和|与")

# What stands before an expression, what stands behind it; the first that fits decides.
_EDGES = (
    (
        "since",
        r"(?:(?<![a-z])(?:since|as of|(?:starting|beginning)(?: in| on| from)?) (?:the )?"
        r"|自从?|从)$",
        r"",
    ),
    ("since", r"(?<![a-z])from (?:the )?$", r" on(?:wards?)?(?![a-z])"),
    ("since", r"", r" ?(?:(?:开始)?以来|起(?![床来飞])|至今|onwards?(?![a-z]))"),
    ("begun", r"", r"开始"),
    ("until", r"(?:(?<![a-z])(?:until|till|by|up to) (?:the )?|直到|截至|截止到?)$", r""),
    ("until", r"[到至]$", r"为止"),
    ("before", r"(?<![a-z])before (?:the )?$", r""),
    ("due", r"", r"之?前(?![面后])|以前"),
    ("after", r"(?<![a-z])after (?:the )?$", r""),
    ("after", r"", r"之后|以后|过后|后(?![面天来])"),
)
_COMPILED = tuple((name, re.compile(lead), re.compile(tail)) for name, lead, tail in _EDGES)


def ranged(atoms: list[Atom], reading: Reading) -> list[Atom]:
    """The atoms in order, with pairs made ranges and edges made open or closed periods."""
    done: list[Atom] = []
    for atom in atoms:
        both = _pair(done[-1], atom, reading) if done else None
        if both is None:
            done.append(atom)
        else:
            done[-1] = both
    found: list[Atom] = []
    ends = [*(atom.start for atom in done[1:]), len(reading.text)]
    for atom, end in zip(done, ends, strict=False):
        found.append(_edge(atom, reading, found[-1].end if found else 0, end))
    return found


def _pair(left: Atom, right: Atom, reading: Reading) -> Atom | None:
    if right.start - left.end > _WIDEST or left.rule.endswith("range"):
        return None
    gap, lead = reading.text[left.end : right.start], _lead(left, reading)
    if not (_TO.fullmatch(gap) or (_BETWEEN.search(lead) and _AND.fullmatch(gap))):
        return None
    try:
        period = _spanned(left.meaning, right, reading.calendar)
    except (ValueError, OverflowError):
        return None
    if period is None:
        return None
    opening = _FROM.search(lead)
    start = left.start - (len(opening[0]) if opening else 0)
    return Atom(start, right.end, Meaning(period), f"{left.rule}+{right.rule}+range")


def _lead(atom: Atom, reading: Reading, begin: int = 0) -> str:
    return reading.text[max(begin, atom.start - _LEAD) : atom.start]


def _spanned(left: Meaning, right: Atom, calendar: Calendar) -> Period | None:
    """From the first one's beginning to the second one's end. The one that lacks its year, month,
    week or day takes that of the other."""
    first, last = left.period, right.meaning.period
    if right.rule == "now":
        return first and replace(first, ends=None, direction=Direction.NOW)
    # "9am to 11am on Monday": only the second one has its day.
    left_lacks_day = left.inside & DAYS and not right.meaning.inside & DAYS
    if right.meaning.place and first and not left_lacks_day:
        last = _following(first, right.meaning, calendar)
    elif left.place and last:
        first = _preceding(last, left, calendar)
    if first is None or last is None or last.ends is None:
        return None
    # "3pm to 5pm" ends at five.
    ends = last.begins if last.grain in SHORT else last.ends
    return Period(first.begins, ends, last.grain, whole=False) if first.begins < ends else None


def _following(first: Period, right: Meaning, calendar: Calendar) -> Period | None:
    """The second one in the same day, week, month or year as the first, or else in the next."""
    assert right.place is not None
    outer = _outer(first, right, calendar)
    # "3 to 5 o'clock": the first one decides between morning and afternoon.
    placed = right.place(first if first.grain in SHORT and right.inside & DAYS else outer)
    if placed is not None and placed.begins > first.begins:
        return placed
    assert outer.ends is not None
    return right.place(_outer(replace(outer, begins=outer.ends), right, calendar))


def _preceding(last: Period, left: Meaning, calendar: Calendar) -> Period | None:
    """The first one in the same day, week, month or year as the second, or else in the one
    before."""
    assert left.place is not None
    outer = _outer(last, left, calendar)
    placed = left.place(outer)
    if placed is not None and placed.begins < last.begins:
        return placed
    before = replace(outer, begins=outer.begins - timedelta(1))
    return left.place(_outer(before, left, calendar))


def _outer(period: Period, meaning: Meaning, calendar: Calendar) -> Period:
    """The larger period around the beginning of `period` in which the meaning has its place."""
    grain = Grain.DAY if meaning.inside & DAYS else min(meaning.inside)
    return calendar.containing(grain, period.begins.date())


def _since(period: Period, calendar: Calendar) -> Period:
    direction = Direction.NOW if period.begins <= calendar.now else Direction.FUTURE
    return replace(period, ends=None, direction=direction, whole=False)


def _begun(period: Period, calendar: Calendar) -> Period:
    """两个月前开始 goes on; 八点开始 is when something will begin."""
    return _since(period, calendar) if period.begins <= calendar.now else period


def _until(period: Period, calendar: Calendar) -> Period:
    ends = period.begins if period.grain in SHORT else period.ends
    if ends is None or ends <= calendar.now:
        return period
    return Period(calendar.now, ends, period.grain, direction=Direction.FUTURE, whole=False)


def _due(period: Period, calendar: Calendar) -> Period | None:
    until = _until(period, calendar)
    return None if until is period else until


def _before(period: Period, calendar: Calendar) -> Period | None:
    if period.begins <= calendar.now:
        return None
    return Period(
        calendar.now, period.begins, period.grain, direction=Direction.FUTURE, whole=False
    )


def _after(period: Period, calendar: Calendar) -> Period | None:
    if period.ends is None:
        return None
    begins = period.begins if period.grain in SHORT else period.ends
    direction = Direction.NOW if begins <= calendar.now else Direction.FUTURE
    return Period(begins, None, period.grain, direction=direction, whole=False)


_READ: dict[str, Callable[[Period, Calendar], Period | None]] = {
    "since": _since,
    "begun": _begun,
    "until": _until,
    "due": _due,
    "before": _before,
    "after": _after,
}


def _edge(atom: Atom, reading: Reading, begin: int, end: int) -> Atom:
    """The atom with the words around it that make it an edge, none of them another atom's: these
    leave it the text from `begin` to `end`.
    """
    period = atom.meaning.period
    if period is None or period.ends is None or period.direction in _WINDOWS:
        return atom
    lead = _lead(atom, reading, begin)
    tail = reading.text[atom.end : min(end, atom.end + _WIDEST)]
    for name, before, behind in _COMPILED:
        opening, closing = before.search(lead), behind.match(tail)
        if opening is not None and closing is not None:
            edge = _READ[name](period, reading.calendar)
            whole = atom.start - len(opening[0]), atom.end + len(closing[0])
            return Atom(*whole, Meaning(edge) if edge else NOTHING, f"{atom.rule}+{name}")
    return atom


_WINDOWS = (Direction.PAST, Direction.FUTURE)
