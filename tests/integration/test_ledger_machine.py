"""Random verbs, in and out of order, against the database and against a small model at once.

After every step each point of both time axes answers what tests.ledger_model says: the newest
answers are compared with the model, and the earlier ones with what they were. A run prints its
seed; `--hypothesis-seed=N` repeats it, LEDGER_MACHINE_EXAMPLES makes it longer.
"""

import json
import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from ledger import chain
from ledger.models import Entry, EntryPayload, Head, Memory, MemoryVersion
from ledger.policy import Policy
from ledger.rebuild import rebuild_subject
from ledger.selectors import AsOf, Filters, MemoryView, as_memories, find_versions, get_memory
from ledger.services import revise
from ledger.services.erase import Source, erase_learned, erase_memory, erase_subject
from ledger.services.remember import remember
from ledger.services.retract_learned import retract_learned
from ledger.services.revise import Revision
from ledger.statements import Statement
from ledger.writing import Written
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.errors import MemoryHubError, NotFound
from tenants.models import Subject
from tests.cast import new_tenant
from tests.ledger_model import TICK, LedgerModel, Refused, Run, Said, runs

SUBJECT = "alice"
POLICY = Policy()
SINGLE, MULTIPLE = "home_city", "hobby"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HALF_DAY = timedelta(hours=12)

# Few values, so that chance meets the interesting coincidences: equal words, touching periods.
WORDS = st.sampled_from([("in Paris", "Paris"), ("in Rome", "Rome"), ("in Rome", None)])
SESSIONS = st.sampled_from(["", "", "monday"])
IMPORTANCES = st.sampled_from([None, None, 5, 8])
WEIGHTS = st.sampled_from([None, 1.0, 2.5])
HALF_DAYS = st.integers(-4, 6)
MOMENTS = st.sampled_from([None, *range(-4, 7)]).map(lambda n: n if n is None else half_day(n))
# Which of several; past the end it begins anew.
ANY = st.integers(0, 59)
# Time goes by between two verbs; a clock may also stand still, or be set back.
PAUSES = st.sampled_from([0, 1, 1, 2, -1]).map(lambda n: n * HALF_DAY) | st.just(TICK)


def half_day(number: int) -> datetime:
    return NOON + number * HALF_DAY


@st.composite
def periods(draw: st.DrawFn) -> tuple[datetime | None, datetime | None]:
    """valid_from and valid_to as a client may give them: neither, one, both, or nonsense."""
    start = draw(MOMENTS)
    length = draw(st.sampled_from([None, None, None, 1, 2, 3, 5, 0]))
    return start, None if length is None else (start or NOON) + length * HALF_DAY


@st.composite
def revisions(draw: st.DrawFn) -> Revision:
    content, value = draw(st.sampled_from([(None, None)]) | WORDS)
    start, end = draw(periods())
    return Revision(
        content=content,
        value=value,
        valid_from=start,
        valid_to=end,
        importance=draw(IMPORTANCES),
        session=draw(SESSIONS),
    )


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    content, value = draw(WORDS)
    start, end = draw(periods())
    return Statement(
        content=content,
        value=value,
        attribute=draw(st.sampled_from([SINGLE, SINGLE, SINGLE, MULTIPLE])),
        valid_from=start,
        valid_to=end,
        session=draw(SESSIONS),
    )


# Rules that need something to work on; without it a step would be wasted.
needs_memories = precondition(lambda self: self.believed())
needs_pending = precondition(lambda self: any(run.said.pending for run in self.believed()))
needs_monday = precondition(
    lambda self: any(run.said.session == "monday" for run in self.believed())
)
needs_entries = precondition(lambda self: self.model.seq > 3)
needs_many_entries = precondition(lambda self: self.model.seq > 8)

Told = dict[UUID, tuple[Any, ...]]
# A version as SQL sees it: its id, memory, valid period, and the number of the entry of its words.
Row = tuple[UUID, UUID, datetime, datetime | None, int]


def told_by_model(said: dict[UUID, Said]) -> Told:
    return {
        memory: (*s.words, s.attribute, s.weight, s.importance, s.pending, s.session)
        for memory, s in said.items()
    }


def told_by_store(views: list[MemoryView], valid: datetime) -> Told:
    holding = [
        v for v in views if v.valid_from <= valid and (v.valid_to is None or valid < v.valid_to)
    ]
    told = {
        v.id: (
            *(v.content, v.value, v.attribute, v.weight, v.importance, v.status == "pending"),
            v.provenance["session"] or "",
        )
        for v in holding
    }
    assert len(told) == len(holding), "a memory says two things at once"
    believed = [v for v in holding if v.attribute == SINGLE and v.status != "pending"]
    assert len(believed) <= 1, "a single-valued attribute holds two values"
    return told


class LedgerMachine(RuleBasedStateMachine):
    @initialize(first=statements(), second=statements())
    def begin(self, first: Statement, second: Statement) -> None:
        self.enter()
        self.hear(first, TICK)
        self.hear(second, TICK)

    def enter(self) -> None:
        """A tenant of its own, and a subject of whom nothing is known."""
        self.tenant = new_tenant(f"machine {uuid.uuid4().hex}")
        self.principal = self.tenant.principal
        self.model = LedgerModel({SINGLE})
        self.now = NOON
        self.heard: list[Statement] = []
        self.known: list[UUID] = []
        # For every entry, the versions that were believed after it.
        self.answers: list[frozenset[Row]] = [frozenset()]

    # --- verbs ------------------------------------------------------------------------------------

    @rule(said=statements(), pause=PAUSES)
    def learn(self, said: Statement, pause: timedelta) -> None:
        self.hear(said, pause)

    @rule(said=statements(), pause=PAUSES)
    def propose(self, said: Statement, pause: timedelta) -> None:
        self.hear(said, pause, pending=True)

    @rule(which=ANY, pause=PAUSES, pending=st.booleans())
    def hear_again(self, which: int, pause: timedelta, pending: bool) -> None:
        """What has been said once is said once more, or proposed."""
        self.hear(self.heard[which % len(self.heard)], pause, pending)

    def hear(
        self,
        said: Statement,
        pause: timedelta,
        pending: bool = False,
        serve: Callable[[], Written] | None = None,
    ) -> None:
        """Somebody says something, to `remember` unless another service is given."""
        if said not in self.heard:
            self.heard.append(said)
        told = Said(
            said_by=self.model.seq + 1,
            since=self.model.seq + 1,
            attribute=said.attribute,
            words=(said.content, said.value),
            pending=pending,
            session=said.session,
        )

        def do_remember() -> Written:
            return remember(
                self.principal, subject=SUBJECT, statement=said, policy=POLICY, pending=pending
            )

        written = self.write(
            pause,
            serve or do_remember,
            lambda memory, now: self.model.learn(memory, told, said.valid_from, said.valid_to, now),
        )
        if written is not None and written.disposition != "unchanged":
            self.known.append(written.version.memory_id)

    @needs_memories
    @rule(which=ANY, revision=revisions(), pause=PAUSES)
    def change(self, which: int | UUID, revision: Revision, pause: timedelta) -> None:
        memory = self.pick(which)
        self.write(
            pause,
            lambda: revise.change(self.principal, memory, revision, POLICY, None),
            lambda _, now: self.model.change(memory, *told_in(revision), now),
        )

    @rule(said=statements(), pause=PAUSES)
    def change_attribute(self, said: Statement, pause: timedelta) -> None:
        """As `change` of the memory that holds the attribute, or as `learn` if none does."""
        start = said.valid_from or self.model.next_moment(self.now + pause)
        holding = [
            memory
            for memory, theirs in self.model.at(start, self.model.seq).items()
            if theirs.attribute == said.attribute and not theirs.pending
        ]

        def serve() -> Written:
            return revise.change_attribute(
                self.principal, subject=SUBJECT, statement=said, policy=POLICY
            )

        if not holding:
            self.hear(said, pause, serve=serve)
            return
        revision = Revision(
            content=said.content,
            value=said.value,
            valid_from=said.valid_from,
            valid_to=said.valid_to,
            importance=said.importance,
            session=said.session,
        )
        self.write(
            pause,
            serve,
            refuse("invalid")
            if len(holding) > 1
            else lambda _, now: self.model.change(holding[0], *told_in(revision), now),
        )

    @needs_memories
    @rule(which=ANY, version=ANY, revision=revisions(), pause=PAUSES)
    def correct(
        self, which: int | UUID, version: int, revision: Revision, pause: timedelta
    ) -> None:
        memory = self.pick(which)
        mine = sorted((row for row in self.answers[-1] if row[1] == memory), key=lambda r: r[2])
        if not mine:
            return
        wrong, _, start, end, _ = mine[version % len(mine)]
        run = next(r for r in self.model.runs_of(memory) if (r.start, r.end) == (start, end))
        self.write(
            pause,
            lambda: revise.correct(self.principal, memory, revision, POLICY, wrong),
            lambda _, now: self.model.correct(run, *told_in(revision), now),
        )

    @needs_entries
    @rule(which=ANY, version=ANY)
    def revise_a_stale_version(self, which: int | UUID, version: int) -> None:
        memory = self.pick(which)
        once = {row[0] for row in frozenset().union(*self.answers) if row[1] == memory}
        stale = sorted(once - {row[0] for row in self.answers[-1]})
        if not stale or not self.model.runs_of(memory):
            return
        old = stale[version % len(stale)]
        verbs = [
            lambda: revise.change(self.principal, memory, Revision(), POLICY, old),
            lambda: revise.correct(self.principal, memory, Revision(), POLICY, old),
            lambda: revise.end(self.principal, memory, None, old),
            lambda: revise.retract(self.principal, memory, old),
        ]
        self.write(TICK, verbs[version % len(verbs)], refuse("stale_version"))

    @needs_memories
    @rule(which=ANY, valid_to=MOMENTS, pause=PAUSES)
    def end(self, which: int | UUID, valid_to: datetime | None, pause: timedelta) -> None:
        memory = self.pick(which)
        self.write(
            pause,
            lambda: revise.end(self.principal, memory, valid_to, None),
            lambda _, now: self.model.end(memory, valid_to, now),
        )

    @needs_memories
    @rule(which=ANY, pause=PAUSES)
    def retract(self, which: int | UUID, pause: timedelta) -> None:
        memory = self.pick(which)
        self.write(
            pause,
            lambda: revise.retract(self.principal, memory),
            lambda _, now: self.model.retract(memory, now),
        )

    @needs_memories
    @rule(which=ANY, weight=WEIGHTS, importance=IMPORTANCES, pause=PAUSES)
    def weigh(
        self, which: int | UUID, weight: float | None, importance: int | None, pause: timedelta
    ) -> None:
        memory, nothing = self.pick(which), weight is None and importance is None
        self.write(
            pause,
            lambda: revise.weigh(
                self.principal, memory, weight=weight, importance=importance, version=None
            ),
            refuse("invalid")
            if nothing
            else lambda _, now: self.model.weigh(memory, weight, importance, now),
        )

    @needs_pending
    @rule(which=ANY, pause=PAUSES)
    def approve(self, which: int | UUID, pause: timedelta) -> None:
        memory = self.pick_pending(which)
        self.write(
            pause,
            lambda: revise.approve(self.principal, memory),
            lambda _, now: self.model.approve(memory, now),
        )

    @needs_pending
    @rule(which=ANY, pause=PAUSES)
    def decline(self, which: int | UUID, pause: timedelta) -> None:
        memory = self.pick_pending(which)
        self.write(
            pause,
            lambda: revise.decline(self.principal, memory),
            lambda _, now: self.model.decline(memory, now),
        )

    @needs_entries
    @rule(back=st.integers(0, 5), pause=PAUSES)
    def undo(self, back: int, pause: timedelta) -> None:
        """Undo one of the last entries, perhaps an undo."""
        seq = max(1, self.model.seq - back)
        if (memory := self.model.memories[seq]) is None:
            return
        with self.inside():
            entry = Entry.objects.get(seq=seq).id
        self.write(
            pause,
            lambda: revise.undo(self.principal, memory, entry),
            lambda _, now: self.model.undo(memory, seq, now),
        )

    @needs_monday
    @rule()
    def retract_what_monday_taught(self) -> None:
        source = Source(session="monday")
        with self.inside():
            entries = retract_learned(self.principal, SUBJECT, source, dry_run=False)
        taught = {run.memory for run in self.believed() if run.said.session == "monday"}
        assert {entry.memory_id for entry in entries} == taught
        assert len(entries) == len(taught)
        for entry in entries:
            assert entry.recorded_at == self.model.next_moment(self.now)
            self.model.retract(entry.memory_id, entry.recorded_at, learned_in="monday")
            assert entry.seq == self.model.seq
            self.answers.append(self.believed_rows(entry.seq))

    # --- erasure, the one exception ---------------------------------------------------------------

    @needs_many_entries
    @rule(which=ANY)
    def erase_one(self, which: int | UUID) -> None:
        memory = self.pick(which)
        self.erase(
            lambda: erase_memory(self.principal, memory, dry_run=False),
            lambda other, said: other == memory,
        )

    @needs_monday
    @rule()
    def erase_what_monday_taught(self) -> None:
        source = Source(session="monday")
        self.erase(
            lambda: erase_learned(self.principal, SUBJECT, source, dry_run=False),
            lambda _, said: said.session == "monday",
        )

    def erase(self, erase: Callable[[], Any], doomed: Callable[[UUID, Said], bool]) -> None:
        words = {
            said.said_by
            for cells in self.model.states
            for cell in cells.values()
            for memory, said in cell.items()
            if doomed(memory, said)
        }
        try:
            with self.inside():
                receipt = erase()
        except NotFound:
            assert not words
            return
        assert not any(receipt.left.values())
        erased = self.model.erase(doomed, self.model.next_moment(self.now))
        assert (receipt.entry is not None) == erased
        self.answers = [
            frozenset(row for row in answer if row[4] not in words) for answer in self.answers
        ]
        if erased:
            assert receipt.entry.seq == self.model.seq
            self.answers.append(self.answers[-1])

    # --- what must hold after every step ----------------------------------------------------------

    @invariant()
    def both_axes_agree(self) -> None:
        """The newest answer is the model's, and the earlier ones are what they were."""
        with self.inside():
            self.compare(AsOf(self.now, self.now), self.model.seq)
            rows = self.rows()
        for seq, answer in enumerate(self.answers):
            assert believed_at(rows, seq) == answer, f"seq:{seq} changed"

    @rule(seq=ANY, half_days=HALF_DAYS, ticks=st.integers(-1, 1), by_time=st.booleans())
    def look(self, seq: int, half_days: int, ticks: int, by_time: bool) -> None:
        """Ask the selectors for one point, as the API does."""
        seq %= self.model.seq + 1
        self.look_at(half_day(half_days) + ticks * TICK, seq, by_time)

    def look_at(self, valid: datetime, seq: int, by_time: bool) -> None:
        expected = told_by_model(
            {m: s for m, s in self.model.at(valid, seq).items() if not s.pending}
        )
        at = self.as_of(valid, seq, by_time)
        with self.inside():
            views = self.read(at, status="active")
            assert told_by_store(views, valid) == expected
            assert len(views) == len(expected)
            for memory in {r.memory for r in self.believed(seq)}:
                self.look_at_one(memory, at, seq)

    def look_at_one(self, memory: UUID, at: AsOf, seq: int) -> None:
        view = get_memory(self.principal, memory, at)
        said = self.model.at(at.valid_at, seq).get(memory)
        latest = [run.said for run in self.believed(seq) if run.memory == memory][-1]
        assert (view.content, view.value) == (
            latest if said is None or said.pending else said
        ).words

    def teardown(self) -> None:
        """At the end: every point once more through the selectors, the chain, the rebuild."""
        if not hasattr(self, "tenant") or self.model.seq == 0:
            return
        with self.inside():
            for seq in range(self.model.seq + 1):
                self.compare(self.as_of(self.now, seq, by_time=False), seq)
                self.compare(self.as_of(self.now, seq, by_time=True), seq)
            self.check_chain()
            subject = Subject.objects.get(external_id=SUBJECT)
            assert not rebuild_subject(subject).differed
            rows = self.rows()
            rebuild_subject(subject, force=True)
            assert self.rows() == rows
        with self.inside():
            receipt = erase_subject(self.principal, SUBJECT, dry_run=False)
            assert not any(receipt.left.values())
            assert not EntryPayload.objects.exists()
            assert not MemoryVersion.objects.exists()
            assert not Memory.objects.exists()
            self.check_chain()

    def check_chain(self) -> None:
        """Recompute every hash, and every digest of words that are still there."""
        head = Head.objects.get()
        hashed, cipher = chain.GENESIS, None
        for seq, entry in enumerate(Entry.objects.order_by("seq"), start=1):
            assert entry.seq == seq
            assert entry.header["recorded_at"] == entry.recorded_at.isoformat()
            digest = bytes(entry.payload_digest)
            hashed = chain.entry_hash(hashed, seq, entry.header, digest)
            assert bytes(entry.hash) == hashed
            if payload := EntryPayload.objects.filter(id=entry.id).first():
                cipher = cipher or keys.cipher_for(entry.subject)
                opened = json.loads(cipher.open(payload.id, payload.sealed))
                salt = bytes.fromhex(opened["salt"])
                assert chain.payload_digest(salt, opened["words"]) == digest
        assert (head.seq, bytes(head.hash)) == (seq, hashed)

    # --- doing and reading ------------------------------------------------------------------------

    @contextmanager
    def inside(self) -> Iterator[None]:
        """The tenant's context, at the machine's time."""
        with clock.frozen(self.now), tenant_context(self.tenant.tenant_id):
            yield

    def pick(self, which: int | UUID) -> UUID:
        """A memory, mostly one that is believed; or the one that is given."""
        if isinstance(which, UUID):
            return which
        believed = [run.memory for run in self.believed()]
        choice = believed if believed and which % 6 else self.known
        return choice[which % len(choice)] if choice else uuid.uuid4()

    def pick_pending(self, which: int | UUID) -> UUID:
        """A memory, mostly one that waits for review; or the one that is given."""
        if isinstance(which, UUID):
            return which
        pending = [run.memory for run in self.believed() if run.said.pending]
        return pending[which % len(pending)] if which % 6 else self.pick(which)

    def write(
        self,
        pause: timedelta,
        serve: Callable[[], Written],
        expect: Callable[[UUID, datetime], bool],
    ) -> Written | None:
        """Do a verb on both sides; both do the same, do nothing, or refuse it for one reason."""
        self.now += pause
        moment = self.model.next_moment(self.now)
        written, refused, seq = None, None, self.model.seq
        try:
            with self.inside():
                written = serve()
        except MemoryHubError as error:
            refused = error.code
        try:
            changed = expect(written.version.memory_id if written else uuid.uuid4(), moment)
        except Refused as refusal:
            expected = str(refusal)
        else:
            expected = None
        assert refused == expected
        if written is None:
            return None
        assert (written.disposition != "unchanged") == changed, written.disposition
        if changed:
            assert (written.entry.seq, written.entry.recorded_at) == (seq + 1, moment)
            self.answers.append(self.believed_rows(seq + 1))
        shown = written.version
        if any(run.memory == shown.memory_id for run in self.believed()):
            assert any(row[0] == shown.id for row in self.answers[-1]), "shows what is not believed"
        return written

    def believed(self, seq: int = -1) -> list[Run]:
        return runs(self.model.states[seq])

    def as_of(self, valid: datetime, seq: int, by_time: bool) -> AsOf:
        if by_time and seq:
            return AsOf(valid, self.model.moments[seq], newest=False)
        return AsOf(valid, self.now, seq=seq, newest=False)

    def read(self, at: AsOf, status: str) -> list[MemoryView]:
        found = find_versions(self.principal, Filters(subject=SUBJECT, status=status), at)
        return as_memories(self.principal, found, at)

    def compare(self, at: AsOf, seq: int) -> None:
        """All the valid axis at one point of the recorded axis."""
        views = self.read(at, status="any")
        for boundary in self.model.boundaries() or [NOON]:
            for valid in (boundary - TICK, boundary, boundary + TICK):
                expected = told_by_model(self.model.at(valid, seq))
                assert told_by_store(views, valid) == expected, f"valid {valid}, seq:{seq}"

    def rows(self) -> list[Any]:
        return sorted(
            MemoryVersion.objects.values_list(
                *("id", "memory_id", "valid_from", "valid_to", "entry__seq", "seq_from", "seq_to")
            )
        )

    def believed_rows(self, seq: int) -> frozenset[Row]:
        with self.inside():
            return believed_at(self.rows(), seq)


def believed_at(rows: list[Any], seq: int) -> frozenset[Row]:
    return frozenset(
        tuple(row) for *row, since, until in rows if since <= seq and (until is None or seq < until)
    )


def told_in(revision: Revision) -> list[Any]:
    """What a revision gives, as the model takes it."""
    words = None if revision.content is None else (revision.content, revision.value)
    period = (revision.valid_from, revision.valid_to)
    return [words, revision.importance, revision.session, *period]


def refuse(code: str) -> Callable[..., bool]:
    def expect(*_: Any) -> bool:
        raise Refused(code)

    return expect


@pytest.fixture(autouse=True)
def _no_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody recalls here: the workers need not encode what is gone a moment later."""
    monkeypatch.setattr("recall.index.nudge", lambda *_: None)


def test_every_point_of_both_axes_is_what_the_model_says(pytestconfig: pytest.Config) -> None:
    print(f"--hypothesis-seed={pytestconfig.option.hypothesis_seed}")
    run_state_machine_as_test(
        LedgerMachine,
        settings=settings(
            max_examples=int(os.environ.get("LEDGER_MACHINE_EXAMPLES", "40")),
            stateful_step_count=25,
            deadline=None,
            print_blob=True,
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )


# --- paths that chance seldom takes ---------------------------------------------------------------

PARIS, ROME = ("in Paris", "Paris"), ("in Rome", "Rome")


def said(
    words: tuple[str, str],
    start: int,
    end: int | None = None,
    attribute: str = SINGLE,
    session: str = "",
) -> Statement:
    return Statement(
        content=words[0],
        value=words[1],
        attribute=attribute,
        session=session,
        valid_from=half_day(start),
        valid_to=None if end is None else half_day(end),
    )


def becomes(words: tuple[str, str], start: int, end: int | None = None, session: str = "") -> Any:
    period = {"valid_from": half_day(start), "valid_to": None if end is None else half_day(end)}
    return Revision(content=words[0], value=words[1], session=session, **period)


@pytest.fixture
def machine() -> Iterator[LedgerMachine]:
    machine = LedgerMachine()
    machine.enter()
    yield machine
    machine.both_axes_agree()
    machine.teardown()


def test_the_same_fact_again_is_nothing_new_after_a_later_one(machine: LedgerMachine) -> None:
    for statement in (said(PARIS, 0), said(ROME, 3), said(PARIS, 0)):
        machine.hear(statement, TICK)
    assert machine.model.seq == 2


def test_two_versions_that_say_the_same_say_it_throughout(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, 0), TICK)
    machine.change(machine.known[0], becomes(ROME, 3), TICK)
    machine.correct(machine.known[0], 1, becomes(PARIS, 3), TICK)
    machine.hear(said(PARIS, 1, 5), TICK)
    machine.change(machine.known[0], becomes(PARIS, 1, 5), TICK)
    assert machine.model.seq == 3


def test_a_fact_is_believed_although_it_was_proposed(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, 0), TICK, pending=True)
    machine.hear(said(PARIS, 0), TICK)
    machine.hear(said(PARIS, 0), TICK, pending=True)
    assert machine.model.seq == 2


def test_what_waits_for_review_takes_nothing_however_it_is_revised(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, 0), TICK)
    machine.hear(said(ROME, 0), TICK, pending=True)
    machine.change(machine.known[1], becomes(PARIS, 2), TICK)
    machine.correct(machine.known[1], 0, becomes(ROME, -3), TICK)
    assert [run.memory for run in machine.believed()].count(machine.known[0]) == 1


def test_a_proposal_of_several_versions_is_approved_as_one(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, -4), TICK)
    machine.hear(said(ROME, 0), TICK, pending=True)
    machine.change(machine.known[1], becomes(PARIS, 2), TICK)
    machine.approve(machine.known[1], TICK)


def test_an_approved_past_does_not_become_the_present(machine: LedgerMachine) -> None:
    machine.hear(said(ROME, -3), TICK, pending=True)
    machine.hear(said(PARIS, 1), TICK)
    machine.approve(machine.known[0], TICK)


@pytest.mark.parametrize("attribute", [SINGLE, MULTIPLE])
def test_a_retraction_is_undone_once(machine: LedgerMachine, attribute: str) -> None:
    machine.hear(said(PARIS, 0, attribute=attribute), TICK)
    machine.retract(machine.known[0], TICK)
    machine.undo(0, TICK)
    machine.undo(1, TICK)
    assert machine.model.seq == 3


def test_an_end_that_leaves_nothing_later_shows_what_is_left(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, 0), TICK)
    machine.change(machine.known[0], becomes(ROME, 1, 2), TICK)
    machine.change(machine.known[0], becomes(ROME, 3), TICK)
    machine.end(machine.known[0], half_day(1), TICK)


def test_what_was_erased_is_not_undone(machine: LedgerMachine) -> None:
    machine.hear(said(PARIS, 0), TICK)
    machine.change(machine.known[0], becomes(ROME, 3, session="monday"), TICK)
    machine.retract_what_monday_taught()
    machine.erase_what_monday_taught()
    machine.undo(1, TICK)
    assert machine.model.seq == 4
