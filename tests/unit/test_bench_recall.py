"""The benchmark of recall: figures are computed right, made-up rows are what they claim to be."""

import json
import struct
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from bench import memorybank, peers, recall, recall_freshness
from bench.copying import half_vectors, packed, repeated
from bench.locomo import NoConversations
from bench.retrieval import Question, figures, reciprocal_rank
from bench.synthetic import DEVIATION, Pool, nearest, unit

ASKED = [Question("a", frozenset({"1"})), Question("b", frozenset({"2", "3"}))]


def test_recall_and_rank_are_averaged_over_the_questions() -> None:
    found = figures([["1", "9"], ["9", "3", "2"]], ASKED)
    assert found == {
        "recall@1": 0.5,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "recall@20": 1.0,
        "MRR": 0.75,
    }


def test_what_comes_after_the_first_twenty_has_no_rank() -> None:
    others = [str(n) for n in range(100, 120)]
    assert reciprocal_rank([*others[:19], "1"], frozenset({"1"})) == 1 / 20
    assert reciprocal_rank([*others, "1"], frozenset({"1"})) == 0


def test_nothing_found_is_no_recall() -> None:
    assert set(figures([[], []], ASKED).values()) == {0.0}


def test_fusion_prefers_what_both_rankings_find() -> None:
    assert peers.fused([["a", "b", "c"]], [["b", "d"]]) == [["b", "a", "d", "c"]]


def test_each_text_is_encoded_once_and_alone() -> None:
    class Counting:
        name, dimensions = "counting", 1

        def __init__(self) -> None:
            self.seen: list[list[str]] = []

        def passages(self, texts: list[str]) -> np.ndarray:
            self.seen.append(texts)
            return np.array([[float(len(text))] for text in texts])

    counting = Counting()
    encoder = peers.Remembering(counting)
    assert encoder.passages(["a", "bb"]).tolist() == [[1.0], [2.0]]
    assert encoder.passages(["bb", "ccc"]).tolist() == [[2.0], [3.0]]
    assert counting.seen == [["a"], ["bb"], ["ccc"]]


def test_questions_of_a_history_that_have_no_evidence_are_left_out() -> None:
    found = memorybank.questions(["x", "y"], [["2023-04-27/0/query"], []])
    assert found == [Question("x", frozenset({"2023-04-27/0/query"}))]
    with pytest.raises(ValueError, match="shorter"):
        memorybank.questions(["x", "y"], [["2023-04-27/0/query"]])


def test_histories_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoConversations, match="MEMORYBANK=FOLDER"):
        memorybank.talks(None)
    (tmp_path / memorybank.HISTORY).write_text("{}")
    with pytest.raises(NoConversations, match=f"{tmp_path} has no {memorybank.QUESTIONS}"):
        memorybank.talks(str(tmp_path))


def test_gold_answers_name_a_day_an_exchange_and_a_side() -> None:
    gold = json.loads(memorybank.GOLD.read_text(encoding="utf-8"))
    named = [turn for lists in gold.values() for turns in lists for turn in turns]
    assert named
    for turn in named:
        day, number, side = turn.split("/")
        assert (len(day), number.isdigit()) == (10, True)
        assert side in ("query", "response")


def pool() -> Pool:
    centres = unit(np.random.default_rng(7).standard_normal((4, 384)))
    return Pool([f"Ann: text {n} 部署" for n in range(50)], centres, seed=3)


def test_made_up_memories_are_the_same_for_one_seed_and_differ_by_subject_and_batch() -> None:
    first, again = pool().memories(5, 0, 20), pool().memories(5, 0, 20)
    assert np.array_equal(first.places, again.places)
    assert np.array_equal(first.alone, again.alone)
    for other in (pool().memories(6, 0, 20), pool().memories(5, 1, 20)):
        assert not np.array_equal(first.alone, other.alone)
    assert not np.array_equal(first.alone, first.together)


def test_made_up_vectors_lie_around_their_centre_at_length_one() -> None:
    made, centres = pool().memories(1, 0, 50), pool().centres
    vectors = made.alone.astype(float)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-2)
    cosines = np.sum(vectors * centres[made.places % 4], axis=1)
    assert np.allclose(cosines, 1 / np.hypot(1, DEVIATION), atol=0.02)


def test_the_index_of_a_text_counts_its_terms_and_marks_its_speaker() -> None:
    made = pool()
    text = made.indexed[0]
    named = [made.vocabulary[place] for place in text.terms]
    counts = dict(zip(named, text.counts.tolist(), strict=True))
    assert counts == {"ann": 1, "text": 1, "0": 1, "部署": 1, "@ann": 1}
    assert (text.traits.length, text.traits.asking) == (4, 0)


def test_the_exact_nearest_are_those_of_the_highest_cosine() -> None:
    vectors = unit(np.array([[1.0, 0.1], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]]))
    assert nearest(vectors, np.array([1.0, 0.0]), 2) == {0, 2}


def test_binary_rows_carry_the_length_of_every_column_and_null_for_none() -> None:
    rows = packed([np.array([7, -1], ">i2"), None, repeated(b"bundled", 2)])
    expected = [struct.pack(">hihii7s", 3, 2, n, -1, 7, b"bundled") for n in (7, -1)]
    assert rows == b"".join(expected)


def test_an_id_that_ends_in_zeros_keeps_them_in_a_binary_row() -> None:
    value = UUID(int=1 << 96).bytes
    assert packed([repeated(value, 1)])[6:] == value


def test_half_vectors_are_as_pgvector_receives_them() -> None:
    rows = half_vectors(np.array([[1.0, -2.0]], np.float16))
    assert rows.tobytes() == struct.pack(">HHee", 2, 0, 1.0, -2.0)


def test_sizes_are_taken_in_ascending_order_and_small_ones_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert recall.arguments(["--sizes", "2000,500"]).sizes == [500, 2000]
    assert recall.arguments([]).sizes == [10_000, 100_000, 1_000_000]
    with pytest.raises(SystemExit):
        recall.arguments(["--sizes", "2"])
    assert "at least 8" in capsys.readouterr().err


def test_parts_of_recall_run_in_one_order_and_peers_can_be_left_out() -> None:
    given = recall.arguments(["speed", "quality", "--no-peers"])
    assert (given.parts, given.peers) == (["quality", "speed"], False)
    assert recall.arguments([]).parts == list(recall.PARTS)
    assert recall.arguments([]).peers


def test_stale_facts_count_against_the_target_only_where_the_ledger_knew_better() -> None:
    said = {"old": "stored", "new": "stored"}
    pairs = [
        recall_freshness.Pair(0, {}, said, superseded=True, fresh=True),
        recall_freshness.Pair(1, {}, said, stale=True),
        recall_freshness.Pair(2, {}, said, empty=True),
    ]
    known, of_known, of_all, found = recall_freshness.rows("in words", pairs, stated=False)
    assert (known.figures, known.verdict) == ({"pairs": 1}, "")
    assert (of_known.figures, of_known.verdict) == ({"stale": 0}, "met")
    assert (of_all.figures, of_all.verdict) == ({"stale": 1}, "")
    assert found.source == "of 3; 1 questions brought nothing"
    stale, _ = recall_freshness.rows("stated", pairs, stated=True)
    assert (stale.figures, stale.verdict) == ({"stale": 1}, "missed")
