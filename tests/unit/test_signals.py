"""What the arms say of versions: counted without an array for every term of the question."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np

from ledger.policy.recall import Ranking
from recall.asking import take_apart
from recall.reading import POSTING
from recall.relevance import Signals
from recall.signals import Hits, signals_of
from recall.snapshot import Snapshot
from tests.unit.snapshots import row, snapshot

NOW = datetime(2024, 5, 15, tzinfo=UTC)


def postings(found: Snapshot, *held: tuple[int, int, int]) -> Any:
    """Postings as (place of the version, term, frequency)."""
    rows = np.zeros(len(held), POSTING)
    for place, (version, term, frequency) in enumerate(held):
        rows[place] = (bytes(found.versions["id"][version]), term, frequency)
    return rows


def heard(found: Snapshot, question: str, *held: tuple[int, str, int], **rules: Any) -> Signals:
    wants = take_apart(question, "", NOW, ZoneInfo("UTC"))
    anchored = wants.anchor.terms if wants.anchor else ()
    named = sorted({*wants.terms, *wants.marks, *wants.exact, *anchored})
    terms = {term: number for number, term in enumerate(named)}
    rows = postings(found, *((version, terms[term], count) for version, term, count in held))
    return signals_of(found, rows, terms, wants, None, Ranking(**rules))


def test_hits_count_terms_by_version_and_versions_by_term() -> None:
    found = snapshot(row(), row(), row())
    hits = Hits(postings(found, (0, 7, 2), (1, 7, 1), (1, -8, 3)), found)
    assert hits.matrix([7, -8, 9]).tolist() == [[2, 1, 0], [0, 3, 0], [0, 0, 0]]
    assert hits.held([7, -8, 9]).tolist() == [1, 2, 0]
    assert hits.counts([9, 7, -8]).tolist() == [0, 2, 1]


def test_without_postings_nothing_is_hit() -> None:
    found = snapshot(row())
    hits = Hits(np.zeros(0, POSTING), found)
    assert (hits.counts([1, 2]).tolist(), hits.held([1]).tolist()) == ([0, 0], [0])
    assert hits.matrix([1]).tolist() == [[0]]


def test_of_many_terms_the_rarest_that_occur_are_kept_in_their_order() -> None:
    found = snapshot(row(), row(), row())
    everywhere = [(place, 3, 1) for place in range(3)]
    hits = Hits(postings(found, *everywhere, (0, 5, 1), (1, 5, 1), (2, 4, 1)), found)
    assert hits.rarest([1, 2, 3, 4, 5], 2) == [4, 5]
    assert hits.rarest([1, 2, 3, 4, 5], 4) == [1, 3, 4, 5]
    assert hits.rarest([1, 2, 3], 8) == [1, 2, 3]


def test_what_a_long_question_says_is_found_between_words_that_nobody_said() -> None:
    found = snapshot(*(row() for _ in range(4)))
    words = " ".join(f"nothing{number}" for number in range(500))
    long = heard(found, f"{words} esmeralda?", (2, "esmeralda", 1), most_terms=8)
    assert long.frequencies.shape == (8, 4)
    assert np.nanargmax(long.arms["lexical"]) == 2


def test_a_question_within_the_limit_loses_no_word() -> None:
    found = snapshot(row(), row())
    short = heard(found, "boat esmeralda harbour", (0, "boat", 1), most_terms=8)
    assert len(short.frequencies) == len(short.rarity) == 3


def test_exact_things_are_shared_out_by_how_many_a_version_holds() -> None:
    found = snapshot(row(), row())
    asked = heard(found, "Is it AB-1234?", (0, "ab", 1), (0, "1234", 5), (1, "ab", 1))
    assert asked.exact.tolist() == [1, 0.5]
