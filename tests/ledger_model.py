"""A small model of the ledger, for tests: what every memory says, moment by moment.

Written from the rules of time (DESIGN, section 3) and not from ledger.rectangles. Valid time is cut
into cells: a dict from the start of each cell to what the memories say in it; a cell lasts until
the next one starts. There is one such dict for every entry: what was believed after it. The model
knows no versions: a rectangle is a run of cells in which a memory says the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

EVER = datetime.min.replace(tzinfo=UTC)
TICK = timedelta(microseconds=1)
Words = tuple[str, str | None]


class Refused(Exception):
    """The verb makes no sense here; its argument is the error's code."""


@dataclass(frozen=True)
class Said:
    """What a memory says in one cell: words of the entry `said_by`, shown since entry `since`."""

    said_by: int
    since: int
    attribute: str
    words: Words
    importance: int = 5
    weight: float = 1.0
    pending: bool = False
    session: str = ""


class Run(NamedTuple):
    """A rectangle's extent on the valid axis, and what it says. An end of None is open."""

    memory: UUID
    said: Said
    start: datetime
    end: datetime | None


Cells = dict[datetime, dict[UUID, Said]]


def runs(cells: Cells) -> list[Run]:
    """Neighbouring cells in which a memory says the same, joined; in the order of their starts."""
    found: list[Run] = []
    growing: dict[UUID, tuple[Said, datetime]] = {}
    for start in sorted(cells):
        for memory, (said, since) in list(growing.items()):
            if cells[start].get(memory) != said:
                found.append(Run(memory, said, since, start))
                del growing[memory]
        for memory, said in cells[start].items():
            growing.setdefault(memory, (said, start))
    found += [Run(memory, said, since, None) for memory, (said, since) in growing.items()]
    return sorted(found, key=lambda run: run.start)


class LedgerModel:
    """One subject. Verbs give whether something changed, or raise Refused and change nothing."""

    def __init__(self, single_valued: set[str]) -> None:
        self.single_valued = single_valued
        self.states: list[Cells] = [{EVER: {}}]
        self.moments: list[datetime] = [EVER]
        self.memories: list[UUID | None] = [None]  # which memory an entry is of

    # --- reading ----------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        return len(self.states) - 1

    def next_moment(self, clock: datetime) -> datetime:
        """When an entry would be recorded that is written now."""
        return max(clock, self.moments[-1] + TICK)

    def at(self, valid: datetime, seq: int) -> dict[UUID, Said]:
        """What the memories said about the moment `valid` after entry `seq`."""
        cells = self.states[seq]
        return cells[max(start for start in cells if start <= valid)]

    def boundaries(self) -> list[datetime]:
        return sorted({start for cells in self.states for start in cells} - {EVER})

    def runs_of(self, memory: UUID) -> list[Run]:
        """The rectangles of a memory that are believed now."""
        return [run for run in runs(self.states[-1]) if run.memory == memory]

    # --- verbs ------------------------------------------------------------------------------------

    def learn(
        self, memory: UUID, said: Said, start: datetime | None, end: datetime | None, now: datetime
    ) -> bool:
        start = start or now
        self._require_period(start, end)
        rival = self._rivals_of(memory, said)
        if not said.pending:
            end = end or self._next_start(start, rival)
        cells = self._cut(start, end)
        if all(self._told(cells[cell], said) for cell in self._within(cells, start, end)):
            return False
        self._take(cells, start, end, memory, said, rival)
        return self._record(cells, memory, now)

    def change(
        self,
        memory: UUID,
        words: Words | None,
        importance: int | None,
        session: str,
        start: datetime | None,
        end: datetime | None,
        now: datetime,
    ) -> bool:
        start = start or now
        self._require_believed(memory)
        before = self.at(start, self.seq).get(memory)
        if before is None:
            raise Refused("nothing_to_change")
        self._require_period(start, end)
        said = self._revised(before, words, importance, session)
        rival = self._rivals_of(memory, said)
        end = end or self._next_start(start, rival)
        cells = self._cut(start, end)
        if all(
            self._says_the_same(cells[cell].get(memory), said)
            for cell in self._within(cells, start, end)
        ):
            return False
        self._take(cells, start, end, memory, said, rival)
        return self._record(cells, memory, now)

    def correct(
        self,
        wrong: Run,
        words: Words | None,
        importance: int | None,
        session: str,
        start: datetime | None,
        end: datetime | None,
        now: datetime,
    ) -> bool:
        start, end = start or wrong.start, end or wrong.end
        self._require_period(start, end)
        said = self._revised(wrong.said, words, importance, session)
        if self._says_the_same(wrong.said, said) and (start, end) == (wrong.start, wrong.end):
            return False
        cells = self._cut(start, end)
        for cell in self._within(cells, wrong.start, wrong.end):
            del cells[cell][wrong.memory]
        self._take(cells, start, end, wrong.memory, said, self._rivals_of(wrong.memory, said))
        return self._record(cells, wrong.memory, now)

    def end(self, memory: UUID, at: datetime | None, now: datetime) -> bool:
        at = at or now
        self._require_believed(memory)
        if all(run.start >= at for run in self.runs_of(memory)):
            raise Refused("ends_before_it_began")
        cells = self._cut(at)
        after = [cell for cell in self._within(cells, at, None) if memory in cells[cell]]
        for cell in after:
            del cells[cell][memory]
        return bool(after) and self._record(cells, memory, now)

    def retract(self, memory: UUID, now: datetime, learned_in: str | None = None) -> bool:
        """With `learned_in` only what that session said."""
        self._require_believed(memory)
        cells = self._cut()
        for said in cells.values():
            if memory in said and learned_in in (None, said[memory].session):
                del said[memory]
        return self._record(cells, memory, now)

    def weigh(
        self, memory: UUID, weight: float | None, importance: int | None, now: datetime
    ) -> bool:
        self._require_believed(memory)
        given = {"weight": weight, "importance": importance}
        given = {name: value for name, value in given.items() if value is not None}
        told = [run.said for run in self.runs_of(memory)]
        if all(replace(said, **given) == said for said in told):
            return False
        return self._restate(memory, now, **given)

    def approve(self, memory: UUID, now: datetime) -> bool:
        self._require_pending(memory)
        cells = self._cut()
        for run in self.runs_of(memory):
            said = replace(run.said, pending=False, since=self.seq + 1)
            rival = self._rivals_of(memory, said)
            end = run.end or self._next_start(run.start, rival)
            self._cut_into(cells, run.start, run.end, end)
            for cell in self._within(cells, run.start, run.end):
                del cells[cell][memory]
            self._take(cells, run.start, end, memory, said, rival)
        return self._record(cells, memory, now)

    def decline(self, memory: UUID, now: datetime) -> bool:
        self._require_pending(memory)
        return self.retract(memory, now)

    def undo(self, memory: UUID, seq: int, now: datetime) -> bool:
        if not any(memory in said for cells in self.states for said in cells.values()):
            raise Refused("not_found")
        before, after = runs(self.states[seq - 1]), runs(self.states[seq])
        opened = [run for run in after if run.said.since == seq]
        closed = [run for run in before if run not in after]
        believed = runs(self.states[-1])
        if not (opened or closed) or any(run not in believed for run in opened):
            raise Refused("cannot_undo")
        cells = self._cut(*(moment for run in (*opened, *closed) for moment in run[2:]))
        for run in opened:
            for cell in self._within(cells, run.start, run.end):
                del cells[cell][run.memory]
        for run in closed:
            rival = self._rivals_of(run.memory, run.said)
            for cell in self._within(cells, run.start, run.end):
                if any(rival(*other) for other in cells[cell].items()):
                    raise Refused("cannot_undo")
                cells[cell][run.memory] = replace(run.said, since=self.seq + 1)
        return self._record(cells, memory, now)

    def erase(self, doomed: Callable[[UUID, Said], bool], now: datetime) -> bool:
        """Take the doomed words out of everything that was ever believed."""
        found = False
        for cells in self.states:
            for said in cells.values():
                for memory in [memory for memory in said if doomed(memory, said[memory])]:
                    del said[memory]
                    found = True
        return found and self._record(self._cut(), None, now)

    # --- what they share --------------------------------------------------------------------------

    def _rivals_of(self, memory: UUID, said: Said) -> Callable[[UUID, Said], bool]:
        """Who must give way: the memory itself, and what holds the same single-valued attribute.

        What waits for review rivals nobody but itself.
        """

        def rival(other: UUID, theirs: Said) -> bool:
            shared = said.attribute in self.single_valued and said.attribute == theirs.attribute
            return other == memory or (shared and not said.pending and not theirs.pending)

        return rival

    def _next_start(self, after: datetime, rival: Callable[[UUID, Said], bool]) -> datetime | None:
        """Where the next thing begins that is known to."""
        known = [run for run in runs(self.states[-1]) if rival(run.memory, run.said)]
        return min((run.start for run in known if run.start > after), default=None)

    def _told(self, cell: dict[UUID, Said], said: Said) -> bool:
        """Whether the cell has it already: believed, or for a proposal at least proposed."""
        return any(
            (theirs.attribute, theirs.words) == (said.attribute, said.words)
            and (said.pending or not theirs.pending)
            for theirs in cell.values()
        )

    def _says_the_same(self, before: Said | None, said: Said) -> bool:
        return before is not None and (
            (before.words, before.importance) == (said.words, said.importance)
        )

    def _revised(
        self, before: Said, words: Words | None, importance: int | None, session: str
    ) -> Said:
        return replace(
            before,
            said_by=self.seq + 1,
            since=self.seq + 1,
            words=words or before.words,
            importance=importance or before.importance,
            session=session or before.session,
        )

    def _restate(self, memory: UUID, now: datetime, **given: float) -> bool:
        cells = self._cut()
        for said in cells.values():
            if memory in said:
                said[memory] = replace(said[memory], since=self.seq + 1, **given)
        return self._record(cells, memory, now)

    def _require_period(self, start: datetime, end: datetime | None) -> None:
        if end is not None and end <= start:
            raise Refused("empty_period")

    def _require_believed(self, memory: UUID) -> None:
        if not self.runs_of(memory):
            raise Refused("not_found")

    def _require_pending(self, memory: UUID) -> None:
        self._require_believed(memory)
        if not any(run.said.pending for run in self.runs_of(memory)):
            raise Refused("not_pending")

    def _cut(self, *moments: datetime | None) -> Cells:
        """A copy of what is believed now, in which cells start at these moments."""
        cells = {start: dict(said) for start, said in self.states[-1].items()}
        self._cut_into(cells, *moments)
        return cells

    def _cut_into(self, cells: Cells, *moments: datetime | None) -> None:
        for moment in moments:
            if moment is not None and moment not in cells:
                cells[moment] = dict(cells[max(start for start in cells if start < moment)])

    def _within(self, cells: Cells, start: datetime, end: datetime | None) -> Iterator[datetime]:
        return (cell for cell in cells if start <= cell and (end is None or cell < end))

    def _take(
        self,
        cells: Cells,
        start: datetime,
        end: datetime | None,
        memory: UUID,
        said: Said,
        rival: Callable[[UUID, Said], bool],
    ) -> None:
        """In the period the memory says this, and its rivals nothing."""
        for cell in self._within(cells, start, end):
            cells[cell] = {
                other: theirs for other, theirs in cells[cell].items() if not rival(other, theirs)
            } | {memory: said}

    def _record(self, cells: Cells, memory: UUID | None, now: datetime) -> bool:
        """A new entry. A rectangle that lost some of its cells goes on as a copy, since now."""
        for run in runs(self.states[-1]):
            cut = set(self._within(cells, run.start, run.end))
            kept = {cell for cell in cut if cells[cell].get(run.memory) == run.said}
            if kept != cut:
                for cell in kept:
                    cells[cell][run.memory] = replace(run.said, since=len(self.states))
        self.states.append(cells)
        self.moments.append(now)
        self.memories.append(memory)
        return True
