"""Snapshots: what was packed is read as it was, and vectors find their versions."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall.snapshot import NEVER, Snapshot, find, moment
from tests.unit.snapshots import NOW, packed, row, snapshot


def ids(*rows: dict) -> list[bytes]:
    return [one["id"].bytes for one in rows]


def test_what_was_packed_is_read_as_it_was() -> None:
    one = row(kind="event", importance=9, weight=1.5, valid_to=NOW, pending=True)
    read = snapshot(one, seq=7, revision=3).versions[0]
    assert bytes(read["id"]) == one["id"].bytes
    assert bytes(read["memory"]) == one["memory"].bytes
    assert (read["importance"], read["weight"], read["pending"]) == (9, 1.5, True)
    assert (read["valid_from"], read["valid_to"]) == (moment(NOW), moment(NOW))
    assert read["expires_at"] == NEVER


def test_versions_stand_by_session_and_in_it_in_the_order_of_making() -> None:
    first, second, other = (
        row(session=5, memory=uuid.UUID(int=1)),
        row(session=5, memory=uuid.UUID(int=2)),
        row(session=4, memory=uuid.UUID(int=3)),
    )
    read = snapshot(second, other, first).versions["id"]
    assert [bytes(one) for one in read] == ids(other, first, second)


def test_the_best_chunk_speaks_for_its_version_and_without_one_there_is_no_number() -> None:
    near, far, bare = row(vector=[1, 0]), row(vector=[0, 1], context=[1, 0]), row()
    whole = snapshot(near, far, bare)
    alone, together = whole.cosines(np.array([1, 0], np.float32))
    by_id = {bytes(one): place for place, one in enumerate(whole.versions["id"])}
    places = [by_id[one] for one in ids(near, far, bare)]
    assert alone[places].tolist()[:2] == [1.0, 0.0]
    assert np.isnan(alone[places[2]])
    assert together[places[1]] == 1.0
    assert np.isnan(together[[places[0], places[2]]]).all()


def test_a_vector_of_a_version_that_is_not_there_is_left_out() -> None:
    there, gone = row(vector=[1, 0]), row(vector=[0, 1])
    both, one = packed([there, gone]), packed([there])
    mixed = replace(both, versions=one.versions)
    assert Snapshot.of(mixed).chunks.tolist() == [[1.0, 0.0]]


def test_of_one_agent_only_its_versions_and_vectors_remain() -> None:
    own, foreign = row(agent=b"a" * 16, vector=[1, 0]), row(agent=b"b" * 16, vector=[0, 1])
    whole = snapshot(own, foreign)
    only = whole.only(whole.versions["agent"] == np.void(b"a" * 16))
    assert [bytes(one) for one in only.versions["id"]] == ids(own)
    assert only.cosines(np.array([0, 1], np.float32))[0].tolist() == [0.0]


@pytest.mark.parametrize("year", [1, 1969, 2000, 9999])
def test_moments_of_all_years_have_a_number(year: int) -> None:
    """T6: far times crash nothing."""
    assert moment(datetime(year, 1, 1, tzinfo=UTC)) < NEVER


def test_nothing_is_an_empty_snapshot() -> None:
    empty = snapshot()
    assert len(empty) == 0
    assert [part.tolist() for part in empty.cosines(np.zeros(0, np.float32))] == [[], []]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.binary(min_size=16, max_size=16), unique=True), st.data())
def test_ids_are_found_whatever_their_bytes(known: list[bytes], data: st.DataObject) -> None:
    anything = st.binary(min_size=16, max_size=16)
    asked = data.draw(st.lists(st.sampled_from(known) | anything if known else anything))
    among, wanted = np.array(known, "V16"), np.array(asked, "V16")
    there, places = find(wanted, among, np.argsort(among.view("S16")))
    assert there.tolist() == [one in known for one in asked]
    assert [known[place] for place in places] == [one for one in asked if one in known]
