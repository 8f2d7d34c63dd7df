"""The time algebra of the ledger, pure: what one entry does to a subject's current rectangles.

The *layer* is every version that is open on the recorded axis. An entry closes some of them and
opens others; nothing else ever changes, so an earlier answer stays what it was. Periods are
half-open [start, end); an end of None is open.

Two rules decide everything:

- Carving. Where a single-valued attribute gets a new period, every other version of that attribute
  loses that period: it is closed, and what is left of it is opened again as a copy.
- Valid time decides. A statement without an end holds until the next thing known to begin, so that
  a 2023 address that arrives after a 2024 one does not become current.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tenants.errors import Conflict, Invalid


class StaleVersion(Conflict):
    """This version is not believed any more: read the memory again, and decide again."""

    code = "stale_version"


class NothingToChange(Conflict):
    """The memory does not hold at that time, so there is nothing to change."""

    code = "nothing_to_change"


class EmptyPeriod(Invalid):
    """valid_to must be later than valid_from."""

    code = "empty_period"


class EndsBeforeItBegan(Invalid):
    """The memory would end before it began: retract it instead."""

    code = "ends_before_it_began"


@dataclass(frozen=True)
class Period:
    """Half-open valid time. Raises EmptyPeriod when it holds no moment."""

    start: datetime
    end: datetime | None = None

    def __post_init__(self) -> None:
        if self.end is not None and self.end <= self.start:
            raise EmptyPeriod(field="valid_to")

    def holds(self, moment: datetime) -> bool:
        return self.start <= moment and (self.end is None or moment < self.end)

    def overlaps(self, other: "Period") -> bool:
        begins_in_time = other.end is None or self.start < other.end
        return begins_in_time and (self.end is None or other.start < self.end)

    def covers(self, other: "Period") -> bool:
        if self.start > other.start:
            return False
        return self.end is None or (other.end is not None and other.end <= self.end)

    def minus(self, other: "Period") -> list["Period"]:
        """What is left of this period without the other: none, one or two periods, in order."""
        if not self.overlaps(other):
            return [self]
        left = []
        if self.start < other.start:
            left.append(Period(self.start, other.start))
        if other.end is not None and (self.end is None or other.end < self.end):
            left.append(Period(other.end, self.end))
        return left

    def without(self, others: Iterable["Period"]) -> list["Period"]:
        """What is left of this period without all the others, in order."""
        left = [self]
        for other in others:
            left = [rest for piece in left for rest in piece.minus(other)]
        return left


@dataclass(frozen=True)
class Held:
    """One version of the layer. `slot` is its attribute, if it matters; pending ones rival none."""

    version: UUID
    memory: UUID
    slot: str
    period: Period
    pending: bool = False


@dataclass(frozen=True)
class Opening:
    """A version to open: a copy of the version `source`, or (None) the entry's own words."""

    memory: UUID
    period: Period
    source: UUID | None = None


@dataclass(frozen=True)
class Effect:
    """What an entry does: versions to close, and versions to open, in order."""

    closed: tuple[UUID, ...] = ()
    opened: tuple[Opening, ...] = ()


Layer = Sequence[Held]


def assert_fact(
    memory: UUID, slot: str, period: Period, layer: Layer, *, pending: bool = False
) -> Effect:
    """Learn a fact. `slot` is '' unless its attribute is single-valued."""
    if pending or not slot:
        return Effect(opened=(Opening(memory, period),))
    rivals = _rivals(slot, layer)
    return _carve(rivals, Opening(memory, _until_next(period, rivals)))


def change(memory: UUID, slot: str, period: Period, layer: Layer) -> Effect:
    """The world changed at the start of `period`. Raises NothingToChange."""
    own = [h for h in layer if h.memory == memory]
    before = next((h for h in own if h.period.holds(period.start)), None)
    if before is None:
        raise NothingToChange
    rivals = _giving_way(before, slot, layer)
    return _carve(rivals, Opening(memory, _until_next(period, rivals)))


def correct(version: UUID, slot: str, period: Period | None, layer: Layer) -> Effect:
    """We were wrong: another value, perhaps another period. Raises StaleVersion."""
    target = next((h for h in layer if h.version == version), None)
    if target is None:
        raise StaleVersion(field="version")
    rivals = [h for h in _giving_way(target, slot, layer) if h is not target]
    carved = _carve(rivals, Opening(target.memory, period or target.period))
    return Effect((target.version, *carved.closed), carved.opened)


def end(memory: UUID, at: datetime, layer: Layer) -> Effect:
    """Stopped being true at `at`. No effect if it had ended by then. Raises EndsBeforeItBegan."""
    own = [h for h in layer if h.memory == memory]
    if not any(h.period.start < at for h in own):
        raise EndsBeforeItBegan
    after = Period(at)
    cut = [h for h in own if h.period.overlaps(after)]
    return Effect(
        tuple(h.version for h in cut),
        tuple(Opening(memory, left, h.version) for h in cut for left in h.period.minus(after)),
    )


def retract(memory: UUID, layer: Layer) -> Effect:
    """Was never true: nothing of it is believed any more."""
    return Effect(tuple(h.version for h in layer if h.memory == memory))


def restate(memory: UUID, layer: Layer) -> Effect:
    """The same periods again, with something else about them (a weight, say)."""
    own = [h for h in layer if h.memory == memory]
    return Effect(
        tuple(h.version for h in own), tuple(Opening(memory, h.period, h.version) for h in own)
    )


def approve(memory: UUID, slot: str, layer: Layer) -> Effect:
    """What was pending is believed from now on: as if it were learned now, for its own period."""
    waiting = [h for h in layer if h.memory == memory and h.pending]
    rivals = _rivals(slot, layer)
    believed = [Opening(memory, _until_next(h.period, rivals), h.version) for h in waiting]
    carved = _carve(rivals, *believed)
    return Effect((*(h.version for h in waiting), *carved.closed), carved.opened)


def _rivals(slot: str, layer: Layer) -> list[Held]:
    return [h for h in layer if slot and h.slot == slot and not h.pending]


def _giving_way(target: Held, slot: str, layer: Layer) -> list[Held]:
    """Who loses a period that `target` takes: its own memory, and its rivals unless it waits."""
    rivals = [] if target.pending else _rivals(slot, layer)
    own = [h for h in layer if h.memory == target.memory]
    return list({h.version: h for h in (*own, *rivals)}.values())


def _until_next(period: Period, rivals: list[Held]) -> Period:
    """An open end becomes the next start that is known."""
    if period.end is not None:
        return period
    later = [h.period.start for h in rivals if h.period.start > period.start]
    return Period(period.start, min(later, default=None))


def _carve(rivals: list[Held], *openings: Opening) -> Effect:
    """Open these versions and take their periods from the rivals."""
    taken = [opening.period for opening in openings]
    closed, copies = [], []
    for rival in rivals:
        left = rival.period.without(taken)
        if left != [rival.period]:
            closed.append(rival.version)
            copies += [Opening(rival.memory, period, rival.version) for period in left]
    return Effect(tuple(closed), (*openings, *copies))
