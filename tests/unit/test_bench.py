"""Benchmarks: figures are computed right, missed targets and missing parts are said clearly."""

import json
from pathlib import Path

import pytest

from bench.load import tally, together
from bench.locomo import NoConversations, conversations, questions
from bench.progress import failing_alone
from bench.report import Part, Row, Target, document, percentile, table, timed
from bench.retrieval import Question, recall_at
from bench.sentences import sentences
from bench.write import arguments, main


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(n) for n in range(100, 0, -1)]
    assert [percentile(values, p) for p in (1, 7, 50, 99, 100)] == [1, 7, 50, 99, 100]
    assert percentile([3.0, 1.0, 2.0], 50) == 2
    assert percentile([3.0, 1.0, 2.0], 99) == 3
    assert percentile([5.0], 1) == 5


@pytest.mark.parametrize(("values", "percent"), [([], 50), ([1.0], 0), ([1.0], 101)])
def test_a_percentile_of_nothing_is_refused(values: list[float], percent: float) -> None:
    with pytest.raises(ValueError, match="A percentile needs"):
        percentile(values, percent)


def test_a_rate_is_of_all_clients_together() -> None:
    """Four requests of a second each that took two seconds together ran two at a time."""
    assert timed(2.0, [1000.0, 1000.0, 1000.0, 1004.0]) == {
        "per_second": 2.0,
        "p50_ms": 1000.0,
        "p99_ms": 1004.0,
    }


@pytest.mark.parametrize(
    ("target", "figures", "verdict"),
    [
        (Target(least=0.95), {"precision": 0.95, "recall": 1.0}, "met"),
        (Target(least=0.95), {"precision": 0.9499, "recall": 1.0}, "missed"),
        (Target(most=0), {"pairs": 0}, "met"),
        (Target(most=0), {"pairs": 1}, "missed"),
        (Target(most=1.2), {"points": -0.3}, "met"),
        (Target(least=0.95), {"accuracy": float("nan")}, "missed"),
        (None, {"per_second": 1.0}, ""),
    ],
)
def test_a_target_is_met_when_every_figure_keeps_it(
    target: Target | None, figures: dict[str, float], verdict: str
) -> None:
    assert Row("something", figures, target).verdict == verdict


def found() -> list[Part]:
    rows = [
        Row("dates, 中文", {"accuracy": 0.9123456}, Target(least=0.95), "138 texts"),
        Row("a write", {"per_second": 1234.5, "p50_ms": 20.126}),
    ]
    remarks = ["made-up texts"]
    return [
        Part("quality", rows, remarks, seconds=1.25),
        Part("speed", failures=["mem0: ModuleNotFoundError: no mem0"]),
    ]


def test_the_table_names_figures_targets_verdicts_and_what_failed() -> None:
    lines = table(found()).splitlines()
    spoken = [" ".join(line.split()) for line in lines]
    assert spoken[2] == "quality dates, 中文 accuracy 0.9123 ≥ 0.95 missed 138 texts"
    assert spoken[3] == "quality a write per second 1234 · p50 ms 20.13"
    assert lines[4:] == [
        "",
        "quality: made-up texts",
        "quality: took 1.2 s",
        "speed: FAILED, figures are missing: mem0: ModuleNotFoundError: no mem0",
        "speed: took 0.0 s",
    ]


def test_the_json_holds_what_the_table_says_unrounded() -> None:
    read = json.loads(document({"at": "now", "machine": {"cores": 2}}, found()))
    assert (read["at"], read["machine"]) == ("now", {"cores": 2})
    first = read["parts"]["quality"]["rows"][0]
    assert first["figures"] == {"accuracy": 0.9123456}
    assert first["target"] == {"least": 0.95, "most": None}
    assert first["verdict"] == "missed"
    assert read["parts"]["quality"]["rows"][1]["verdict"] is None
    assert read["parts"]["speed"]["failures"] == ["mem0: ModuleNotFoundError: no mem0"]


def test_a_step_that_fails_is_noted_and_what_follows_is_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    part = Part("speed")
    with failing_alone(part, "first"):
        raise KeyError("gone")
    part.rows.append(Row("second", {"per_second": 1.0}))
    assert part.failures == ["first: KeyError: 'gone'"]
    assert "Traceback" in capsys.readouterr().err


def test_every_text_is_written_once_and_answers_come_with_their_times() -> None:
    texts = [str(n) for n in range(10)]
    load = together(4, texts, lambda place: lambda text: (place, text))
    assert sorted(text for _, text in load.answers) == texts
    assert {place for place, _ in load.answers} == {0, 1, 2, 3}
    assert len(load.milliseconds) == 10


def test_outcomes_are_counted_the_most_frequent_first() -> None:
    assert tally(["merged", "stored", "stored"]) == "2 stored, 1 merged"
    assert tally([]) == "none"


def test_made_up_sentences_differ_and_are_the_same_for_one_seed() -> None:
    made = sentences(2_000, seed=1)
    assert len(set(made)) == 2_000
    assert made == sentences(2_000, seed=1)
    assert made != sentences(2_000, seed=2)
    assert all(text.isascii() or "ü" in text or "í" in text for text in made[::2])
    assert not any(text.isascii() for text in made[1::2])


@pytest.mark.parametrize(
    ("folder", "names", "said"),
    [
        (None, "", "no folder with LoCoMo's conversations was given: LOCOMO=FOLDER"),
        ("{here}/missing", "", "there is no folder {here}/missing"),
        ("{here}", "", r"{here} has no \*\.json"),
        ("{here}/some", "26, 30", r"{here}/some has no 30\.json\."),
    ],
)
def test_conversations_that_are_missing_are_named(
    tmp_path: Path, folder: str | None, names: str, said: str
) -> None:
    (tmp_path / "some").mkdir()
    (tmp_path / "some" / "26.json").write_text("{}")
    given = folder and folder.format(here=tmp_path)
    with pytest.raises(NoConversations, match=said.format(here=tmp_path)):
        conversations(given, names)
    assert [p.name for p in conversations(str(tmp_path / "some"), "26")] == ["26.json"]


def test_without_conversations_the_run_says_so_and_ends_well(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "results" / "write.json"
    assert main(["locomo", "--locomo", str(tmp_path / "gone"), "--json", str(target)]) == 0
    said = f"NOT MEASURED: there is no folder {tmp_path / 'gone'}."
    assert f"locomo: {said}" in capsys.readouterr().out
    read = json.loads(target.read_text())
    assert read["parts"]["locomo"]["remarks"] == [said]
    assert {"cpu", "cores", "memory_gib", "python", "load"} <= set(read["machine"])


def test_questions_without_an_answer_or_evidence_are_left_out() -> None:
    asked = [
        {"question": "where?", "evidence": ["D1:1; D1:2", "D9:9"], "category": 1},
        {"question": "adversarial", "evidence": ["D1:1"], "category": 5},
        {"question": "elsewhere", "evidence": ["D9:9"], "category": 2},
        {"question": "nowhere", "category": 2},
    ]
    assert questions({"qa": asked}, ["D1:1", "D1:2", "D1:3"]) == [
        Question("where?", frozenset({"D1:1", "D1:2"}))
    ]


def test_recall_is_the_share_of_the_evidence_among_the_first() -> None:
    evidence = frozenset({"D1:1", "D1:2"})
    assert recall_at(["D1:3", "D1:1", "D1:2"], evidence, 2) == 0.5
    assert recall_at(["D1:2", "D1:1"], evidence, 10) == 1


def test_parts_run_in_one_order_and_a_wrong_one_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert arguments(["speed", "quality"]).parts == ["quality", "speed"]
    assert arguments([]).parts == ["quality", "locomo", "speed"]
    with pytest.raises(SystemExit):
        arguments(["sped"])
    assert "there is no part sped" in capsys.readouterr().err
