"""The write path's four decisions, judged on the held-out splits in bench/data/*/test.jsonl."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import admission, dates, masking, merging
from bench.progress import failing_alone, say
from bench.report import Part, Row, Target
from ledger.policy.privacy import PrivateKind

DATA = Path(__file__).with_name("data")
LANGUAGES = ("en", "zh")
ADMITTED = Target(least=0.95)
STRUCTURED_FOUND = Target(least=0.99)
NAMES_FOUND = Target(least=0.85)
MERGED = Target(least=0.95)
NO_OPPOSITES = Target(most=0)
DATED = Target(least=0.95)


def measure(part: Part) -> None:
    """Add the rows of all four decisions."""
    from recall.encoders.bundled import BundledEncoder

    encoder = BundledEncoder()
    part.sizes["encoder"] = encoder.name
    steps: dict[str, Callable[[Path], list[Row]]] = {
        "admission": lambda path: admission_rows(admission.measure(path, encoder)),
        "masking": lambda path: masking_rows(masking.measure(path)),
        "merging": lambda path: merging_rows(merging.measure(path, encoder)),
        "dates": lambda path: dates_rows(dates.measure(path)),
    }
    for name, rows_of in steps.items():
        path = DATA / name / "test.jsonl"
        if not path.exists():
            part.failures.append(f"{name}: there is no {path.relative_to(DATA)}.")
            continue
        part.sizes[name] = sum(1 for line in path.open(encoding="utf-8") if line.strip())
        say(f"  {name}: {part.sizes[name]} lines …")
        with failing_alone(part, name):
            part.rows += rows_of(path)


def admission_rows(found: dict[str, dict[str, Any]]) -> list[Row]:
    """Precision and recall of "admitted", by language."""
    return [
        Row(
            f"admission, {language}",
            {name: round(found[language][name], 4) for name in ("precision", "recall")},
            ADMITTED,
            f"{found[language]['texts']} texts",
        )
        for language in LANGUAGES
    ]


def masking_rows(found: dict[str, Any]) -> list[Row]:
    """Recall of each kind, then of all that have a structure, then what was masked needlessly."""
    texts = f"{found['texts']} texts, {found['spans']} spans"
    recall = found["recall"]
    kinds = sorted(recall, key=lambda kind: (kind == PrivateKind.NAME, kind))
    rows = [
        Row(
            f"masking, {kind}",
            {"recall": recall[kind]},
            NAMES_FOUND if kind == PrivateKind.NAME else STRUCTURED_FOUND,
            f"{found['told'][kind]} spans",
        )
        for kind in kinds
    ]
    together = {"recall": found["recall_structured"]}
    needless = {name: found[name] for name in ("false_masks_per_100", "touched_percent")}
    return [
        *rows,
        Row("masking, all but NAME", together, STRUCTURED_FOUND, texts),
        Row("masking, nothing private", needless, source="masks per 100 texts; % of clean texts"),
    ]


def merging_rows(found: dict[str, Any]) -> list[Row]:
    """Merges and supersessions, both languages together, and opposites that became one."""
    pairs = f"{found['pairs']} pairs"
    opposites = len(found["opposite_polarity_merges"])
    return [
        Row("merging", {"accuracy": round(found["merge_accuracy"], 4)}, MERGED, pairs),
        Row("superseding", {"accuracy": round(found["supersession_accuracy"], 4)}, MERGED, pairs),
        Row("merging, opposites made one", {"pairs": opposites}, NO_OPPOSITES, pairs),
        Row(
            "merging, all four relations",
            {"accuracy": round(found["accuracy"], 4), "left_to_a_person": found["uncertain"]},
            source=pairs,
        ),
    ]


def dates_rows(found: dict[str, Any]) -> list[Row]:
    """Texts whose periods are all right, by language."""
    return [
        Row(
            f"dates, {language}",
            {"accuracy": round(found["accuracy"][language], 4)},
            DATED,
            f"{found['lines'][language]} texts",
        )
        for language in LANGUAGES
    ]
