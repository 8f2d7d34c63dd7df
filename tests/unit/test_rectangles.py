"""The time algebra: periods as sets of moments, and the law of each verb on the layer.

Made-up layers lie on a short grid of days, so that every moment can be asked: a period is the set
of its days, and what an effect does is compared day by day.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ledger import rectangles
from ledger.rectangles import (
    Effect,
    EmptyPeriod,
    EndsBeforeItBegan,
    Held,
    NothingToChange,
    Opening,
    Period,
    StaleVersion,
)

ORIGIN = datetime(2024, 1, 1, tzinfo=UTC)
GRID = range(14)  # The last day stands for all that come after.
LAST = GRID[-1]
CITY = "home_city"
NEW = UUID(int=99)

FAST = settings(max_examples=150, deadline=None)


def day(number: int) -> datetime:
    return ORIGIN + timedelta(days=number)


def period(start: int, end: int | None = None) -> Period:
    return Period(day(start), None if end is None else day(end))


def days(*periods: Period) -> list[int]:
    """The days that the periods hold, each as often as it is held."""
    return sorted(n for p in periods for n in GRID if p.holds(day(n)))


@st.composite
def some_period(draw: st.DrawFn) -> Period:
    start = draw(st.integers(0, LAST - 1))
    return period(start, draw(st.none() | st.integers(start + 1, LAST)))


@st.composite
def layer_of(draw: st.DrawFn, slot: str) -> list[Held]:
    """A layer that the ledger could hold: in a slot, and within a memory, nothing overlaps.

    Some memories wait for review; those may overlap the others. `slot` is '' for several values.
    """
    held: list[Held] = []
    for number in range(draw(st.integers(1, 7))):
        memory = UUID(int=draw(st.integers(1, 4)))
        pending = memory.int == 4
        extent = draw(some_period())
        rivals = [h for h in held if h.memory == memory or (slot and h.pending == pending)]
        if not any(h.period.overlaps(extent) for h in rivals):
            held.append(Held(UUID(int=1000 + number), memory, slot, extent, pending))
    return held


LAYERS = st.sampled_from([CITY, ""]).flatmap(lambda slot: st.tuples(st.just(slot), layer_of(slot)))


def applied(effect: Effect, layer: list[Held]) -> list[tuple[UUID, UUID | None, Period]]:
    """What is believed after an effect: memory, the version whose words they are, period.

    None stands for the entry's own words.
    """
    kept = [(h.memory, h.version, h.period) for h in layer if h.version not in effect.closed]
    return kept + [(o.memory, o.source, o.period) for o in effect.opened]


def told(believed: list[tuple[UUID, UUID | None, Period]], on: int) -> set:
    """What is believed about one day."""
    return {(memory, source) for memory, source, extent in believed if extent.holds(day(on))}


def before(layer: list[Held]) -> list[tuple[UUID, UUID | None, Period]]:
    return applied(Effect(), layer)


def require_sound(effect: Effect, layer: list[Held], slot: str) -> None:
    """What holds of every effect, whatever the verb."""
    versions = {h.version: h for h in layer}
    assert len(set(effect.closed)) == len(effect.closed)
    assert set(effect.closed) <= set(versions), "closes what is not believed"
    for opening in effect.opened:
        if opening.source is not None:
            source = versions[opening.source]
            assert opening.source in effect.closed, "copies what stays"
            assert opening.memory == source.memory
            assert source.period.covers(opening.period), "a copy says more than its source"
    approved = {h.version for h in layer if not h.pending}
    for on in GRID:
        believed = told(applied(effect, layer), on)
        memories = [memory for memory, _ in believed]
        assert len(set(memories)) == len(memories), "a memory says two things at once"
        if slot:
            rivals = {source for _, source in believed if source in approved}
            assert len(rivals) <= 1, "a single-valued attribute holds two values"


# --- periods --------------------------------------------------------------------------------------


@FAST
@given(some_period(), some_period())
def test_periods_are_half_open_sets_of_moments(one: Period, other: Period) -> None:
    assert one.overlaps(other) == bool(set(days(one)) & set(days(other)))
    assert one.overlaps(other) == other.overlaps(one)
    assert one.covers(other) == (set(days(one)) >= set(days(other)) and ends_by(other, one))
    assert days(*one.minus(other)) == sorted(set(days(one)) - set(days(other)))


def ends_by(one: Period, other: Period) -> bool:
    """On the grid an open end and one at the last day hold the same days, but are not the same."""
    return other.end is None or (one.end is not None and one.end <= other.end)


@FAST
@given(some_period(), st.lists(some_period(), max_size=4))
def test_what_is_left_and_what_is_taken_make_the_whole(one: Period, others: list[Period]) -> None:
    left = one.without(others)
    taken = [n for n in days(one) if any(other.holds(day(n)) for other in others)]
    assert sorted(days(*left) + taken) == days(one)
    assert all(one.covers(piece) for piece in left)
    assert left == sorted(left, key=lambda piece: piece.start)


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        pytest.param(period(2, 6), period(6, 9), [period(2, 6)], id="touching is apart"),
        pytest.param(period(2, 6), period(0, 2), [period(2, 6)], id="touching before"),
        pytest.param(period(2, 6), period(4, 9), [period(2, 4)], id="its end"),
        pytest.param(period(2, 6), period(0, 4), [period(4, 6)], id="its start"),
        pytest.param(period(2, 6), period(3, 5), [period(2, 3), period(5, 6)], id="its middle"),
        pytest.param(period(2, 6), period(2, 6), [], id="all"),
        pytest.param(period(2, 6), period(0), [], id="all and more"),
        pytest.param(period(2), period(4), [period(2, 4)], id="open end"),
        pytest.param(period(2), period(4, 6), [period(2, 4), period(6)], id="middle of open"),
    ],
)
def test_minus(one: Period, other: Period, left: list[Period]) -> None:
    assert one.minus(other) == left


@pytest.mark.parametrize("end", [3, 2])
def test_a_period_without_a_moment_is_refused(end: int) -> None:
    with pytest.raises(EmptyPeriod) as refused:
        period(3, end)
    assert refused.value.field == "valid_to"


def test_the_smallest_period_holds_its_first_moment_only() -> None:
    tick = timedelta(microseconds=1)
    smallest = Period(day(1), day(1) + tick)
    assert smallest.holds(day(1))
    assert not smallest.holds(day(1) - tick)
    assert not smallest.holds(day(1) + tick)


# --- assert ---------------------------------------------------------------------------------------


@FAST
@given(LAYERS, some_period())
def test_a_fact_takes_its_period_and_nothing_else(
    slot_and_layer: tuple[str, list[Held]], given_period: Period
) -> None:
    slot, layer = slot_and_layer
    effect = rectangles.assert_fact(NEW, slot, given_period, layer)
    require_sound(effect, layer, slot)
    learned = effect.opened[0]
    assert (learned.memory, learned.source) == (NEW, None)
    assert learned.period.start == given_period.start
    assert given_period.covers(learned.period)
    waiting = {h.version for h in layer if h.pending}
    for on in GRID:
        was, now = told(before(layer), on), told(applied(effect, layer), on)
        if not learned.period.holds(day(on)):
            assert now == was
        elif slot:
            assert now == {(NEW, None)} | {(m, v) for m, v in was if v in waiting}
        else:
            assert now == {(NEW, None)} | was


@FAST
@given(layer_of(CITY), st.integers(0, LAST - 1))
def test_without_an_end_a_fact_holds_until_the_next_start_that_is_known(
    layer: list[Held], start: int
) -> None:
    learned = rectangles.assert_fact(NEW, CITY, period(start), layer).opened[0].period
    later = [h.period.start for h in layer if h.period.start > day(start) and not h.pending]
    assert learned == Period(day(start), min(later, default=None))


@FAST
@given(layer_of(CITY), some_period())
def test_what_waits_for_review_takes_nothing(layer: list[Held], given_period: Period) -> None:
    effect = rectangles.assert_fact(NEW, CITY, given_period, layer, pending=True)
    assert effect == Effect(opened=(Opening(NEW, given_period),))


# --- change, correct, end -------------------------------------------------------------------------


@FAST
@given(LAYERS, some_period(), st.data())
def test_a_change_holds_from_its_start_and_leaves_the_past(
    slot_and_layer: tuple[str, list[Held]], given_period: Period, data: st.DataObject
) -> None:
    slot, layer = slot_and_layer
    target = data.draw(st.sampled_from(layer))
    memory = target.memory
    if not any(h.period.holds(given_period.start) for h in layer if h.memory == memory):
        with pytest.raises(NothingToChange):
            rectangles.change(memory, slot, given_period, layer)
        return
    effect = rectangles.change(memory, slot, given_period, layer)
    require_sound(effect, layer, slot)
    changed = effect.opened[0]
    assert (changed.memory, changed.source) == (memory, None)
    assert changed.period.start == given_period.start
    require_taken(effect, layer, changed.period, target, slot)


@FAST
@given(LAYERS, st.none() | some_period(), st.data())
def test_a_correction_replaces_one_version_and_leaves_no_trace(
    slot_and_layer: tuple[str, list[Held]], given_period: Period | None, data: st.DataObject
) -> None:
    slot, layer = slot_and_layer
    wrong = data.draw(st.sampled_from(layer))
    effect = rectangles.correct(wrong.version, slot, given_period, layer)
    require_sound(effect, layer, slot)
    right = effect.opened[0]
    assert right == Opening(wrong.memory, given_period or wrong.period)
    assert wrong.version in effect.closed
    assert all(opening.source != wrong.version for opening in effect.opened)
    others = [h for h in layer if h is not wrong]
    rest = Effect(tuple(v for v in effect.closed if v != wrong.version), effect.opened)
    require_taken(rest, others, right.period, wrong, slot)


def require_taken(
    effect: Effect, layer: list[Held], taken: Period, target: Held, slot: str
) -> None:
    """In `taken` the target's memory says the new words; its rivals nothing; the rest stays."""
    giving_way = {h.version for h in layer if slot and not h.pending and not target.pending}
    giving_way |= {h.version for h in layer if h.memory == target.memory}
    for on in GRID:
        was, now = told(before(layer), on), told(applied(effect, layer), on)
        if taken.holds(day(on)):
            stays = {(memory, version) for memory, version in was if version not in giving_way}
            assert now == {(target.memory, None)} | stays
        else:
            assert now == was


def test_a_version_that_is_not_believed_cannot_be_corrected() -> None:
    layer = [Held(UUID(int=1000), UUID(int=1), CITY, period(1))]
    with pytest.raises(StaleVersion) as refused:
        rectangles.correct(UUID(int=1001), CITY, None, layer)
    assert refused.value.field == "version"


@FAST
@given(LAYERS, st.integers(0, LAST), st.data())
def test_an_end_clips_the_memory_and_nothing_else(
    slot_and_layer: tuple[str, list[Held]], at: int, data: st.DataObject
) -> None:
    slot, layer = slot_and_layer
    memory = data.draw(st.sampled_from(layer)).memory
    if all(h.period.start >= day(at) for h in layer if h.memory == memory):
        with pytest.raises(EndsBeforeItBegan):
            rectangles.end(memory, day(at), layer)
        return
    effect = rectangles.end(memory, day(at), layer)
    require_sound(effect, layer, slot)
    for on in GRID:
        was, now = told(before(layer), on), told(applied(effect, layer), on)
        assert now == {(m, v) for m, v in was if m != memory or on < at}
    again = [
        Held(UUID(int=2000 + n), m, slot, extent)
        for n, (m, _, extent) in enumerate(applied(effect, layer))
    ]
    assert rectangles.end(memory, day(at), again) == Effect(), "ending twice is ending once"


# --- retract, weigh, approve ----------------------------------------------------------------------


@FAST
@given(LAYERS, st.data())
def test_a_retraction_leaves_nothing_of_the_memory_and_all_of_the_rest(
    slot_and_layer: tuple[str, list[Held]], data: st.DataObject
) -> None:
    _, layer = slot_and_layer
    memory = data.draw(st.sampled_from(layer)).memory
    effect = rectangles.retract(memory, layer)
    assert not effect.opened
    assert applied(effect, layer) == [b for b in before(layer) if b[0] != memory]


@FAST
@given(LAYERS, st.data())
def test_a_restatement_moves_no_moment(
    slot_and_layer: tuple[str, list[Held]], data: st.DataObject
) -> None:
    slot, layer = slot_and_layer
    memory = data.draw(st.sampled_from(layer)).memory
    effect = rectangles.restate(memory, layer)
    require_sound(effect, layer, slot)
    assert set(effect.closed) == {h.version for h in layer if h.memory == memory}
    assert sorted(applied(effect, layer), key=str) == sorted(before(layer), key=str)


@FAST
@given(layer_of(CITY))
def test_an_approval_believes_it_as_if_it_were_learned_now(layer: list[Held]) -> None:
    waiting = [h for h in layer if h.pending]
    assume(waiting)
    effect = rectangles.approve(waiting[0].memory, CITY, layer)
    assert {h.version for h in waiting} <= set(effect.closed)
    believed = dict.fromkeys(range(len(GRID)))
    rivals = [h for h in layer if not h.pending]
    for held in waiting:
        learned = rectangles.assert_fact(held.memory, CITY, held.period, rivals).opened[0].period
        believed |= dict.fromkeys(days(learned), held)
    for on in GRID:
        was, now = told(before(rivals), on), told(applied(effect, layer), on)
        held = believed[on]
        assert now == (was if held is None else {(held.memory, held.version)})


# --- worked cases ---------------------------------------------------------------------------------

A, B = UUID(int=1), UUID(int=2)
A1, A2, B1, P1 = (UUID(int=n) for n in (1001, 1002, 1003, 1004))


def in_city(version: UUID, memory: UUID, start: int, end: int | None = None) -> Held:
    return Held(version, memory, CITY, period(start, end))


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        pytest.param(
            lambda: rectangles.assert_fact(NEW, CITY, period(5), [in_city(A1, A, 1)]),
            Effect((A1,), (Opening(NEW, period(5)), Opening(A, period(1, 5), A1))),
            id="a later fact ends an earlier one",
        ),
        pytest.param(
            lambda: rectangles.assert_fact(NEW, CITY, period(1), [in_city(A1, A, 5)]),
            Effect((), (Opening(NEW, period(1, 5)),)),
            id="an earlier fact that arrives late does not become current",
        ),
        pytest.param(
            lambda: rectangles.assert_fact(NEW, CITY, period(3, 6), [in_city(A1, A, 1)]),
            Effect(
                (A1,),
                (
                    Opening(NEW, period(3, 6)),
                    Opening(A, period(1, 3), A1),
                    Opening(A, period(6), A1),
                ),
            ),
            id="a past stay splits what was believed",
        ),
        pytest.param(
            lambda: rectangles.assert_fact(NEW, CITY, period(1), [in_city(A1, A, 1)]),
            Effect((A1,), (Opening(NEW, period(1)),)),
            id="the same start takes all",
        ),
        pytest.param(
            lambda: rectangles.assert_fact(NEW, "", period(5), [Held(A1, A, "", period(1))]),
            Effect((), (Opening(NEW, period(5)),)),
            id="several values stand side by side",
        ),
        pytest.param(
            lambda: rectangles.change(A, CITY, period(5), [in_city(A1, A, 1)]),
            Effect((A1,), (Opening(A, period(5)), Opening(A, period(1, 5), A1))),
            id="the world changed",
        ),
        pytest.param(
            lambda: rectangles.change(
                A, CITY, period(3), [in_city(A1, A, 1, 5), in_city(B1, B, 5)]
            ),
            Effect((A1,), (Opening(A, period(3, 5)), Opening(A, period(1, 3), A1))),
            id="a change lasts until the next thing known",
        ),
        pytest.param(
            lambda: rectangles.change(A, CITY, period(3, 5), [in_city(A1, A, 1)]),
            Effect(
                (A1,),
                (Opening(A, period(3, 5)), Opening(A, period(1, 3), A1), Opening(A, period(5), A1)),
            ),
            id="a change for a time goes back afterwards",
        ),
        pytest.param(
            lambda: rectangles.correct(A1, CITY, None, [in_city(A1, A, 1, 5), in_city(B1, B, 5)]),
            Effect((A1,), (Opening(A, period(1, 5)),)),
            id="another value for the same period",
        ),
        pytest.param(
            lambda: rectangles.correct(
                B1, CITY, period(3), [in_city(A1, A, 1, 5), in_city(B1, B, 5)]
            ),
            Effect((B1, A1), (Opening(B, period(3)), Opening(A, period(1, 3), A1))),
            id="it began earlier than we thought",
        ),
        pytest.param(
            lambda: rectangles.end(A, day(5), [in_city(A1, A, 1, 3), in_city(A2, A, 3)]),
            Effect((A2,), (Opening(A, period(3, 5), A2),)),
            id="an end leaves what was over by then",
        ),
        pytest.param(
            lambda: rectangles.end(A, day(5), [in_city(A1, A, 1, 5)]),
            Effect(),
            id="it had ended by then",
        ),
        pytest.param(
            lambda: rectangles.approve(
                B, CITY, [in_city(A1, A, 5), Held(P1, B, CITY, period(1), pending=True)]
            ),
            Effect((P1,), (Opening(B, period(1, 5), P1),)),
            id="what is approved late does not become current",
        ),
        pytest.param(
            lambda: rectangles.change(
                B, CITY, period(5), [in_city(A1, A, 1), Held(P1, B, CITY, period(1), pending=True)]
            ),
            Effect((P1,), (Opening(B, period(5)), Opening(B, period(1, 5), P1))),
            id="what waits for review takes nothing by changing",
        ),
    ],
)
def test_worked_cases(effect: object, expected: Effect) -> None:
    assert effect() == expected
