"""The write path's benchmark: quality, what masking costs, speed. `make bench-write` runs it.

    python -m bench.write [quality] [locomo] [speed] [--locomo FOLDER] …

Prints one table and writes the same as JSON. Targets that are missed are said, and are no error;
what could not be measured is one.
"""

import argparse
import sys
from functools import partial
from pathlib import Path

from bench import runner
from bench.report import Part

PARTS = ("quality", "locomo", "speed")
RESULTS = Path(__file__).with_name("results") / "write.json"


def arguments(words: list[str]) -> argparse.Namespace:
    """The command line."""
    parser = runner.parser("bench.write", "Measures writing.", PARTS, RESULTS)
    parser.add_argument(
        "--memories", type=runner.several, default=1000, help="of the subject at first"
    )
    parser.add_argument("--requests", type=runner.several, default=100, help="timed for each row")
    return runner.parsed(parser, words, PARTS)


def _measure(given: argparse.Namespace, part: Part, stack: runner.Starter) -> None:
    # Parts are imported one by one: those without the stack need none of its settings.
    if part.name == "quality":
        from bench import quality

        quality.measure(part)
    elif part.name == "locomo":
        from bench import locomo

        with locomo.if_given(part):
            files = locomo.conversations(given.locomo, given.locomo_files)
            stack()
            locomo.measure(part, files)
    else:
        from bench import speed

        speed.measure(part, stack(), speed.Sizes(given.memories, given.requests))


def main(words: list[str]) -> int:
    given = arguments(words)
    return runner.carry_out(given, partial(_measure, given))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
