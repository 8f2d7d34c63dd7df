"""The benchmark of recall: what is found, what is not, what is fresh, how fast. `make bench`.

    python -m bench.recall [quality] [chinese] [absent] [freshness] [speed] [--locomo FOLDER] …

Prints one table and writes the same as JSON. Targets that are missed are said, and are no error;
what could not be measured is one.
"""

import argparse
import os
import sys
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from bench import runner
from bench.locomo import if_given
from bench.report import Part
from bench.room import OPEN, Room, Talk

PARTS = ("quality", "chinese", "absent", "freshness", "speed")
RESULTS = Path(__file__).with_name("results") / "recall.json"
TUNING_FILES = frozenset({"26", "30", "41"})
TUNING, HELD_OUT = "files to tune on", "files held out"


def arguments(words: list[str]) -> argparse.Namespace:
    """The command line; MEMORYBANK of the environment is a default."""
    parser = runner.parser("bench.recall", "Measures recall.", PARTS, RESULTS)
    parser.add_argument(
        "--memorybank", default=os.environ.get("MEMORYBANK"), help="folder of its histories"
    )
    parser.add_argument(
        "--questions", type=int, help="asked about each conversation at most (all by default)"
    )
    parser.add_argument(
        "--peers",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="measure plain searches and mem0 beside",
    )
    parser.add_argument(
        "--sizes",
        type=sizes,
        default=sizes("10000,100000,1000000"),
        help="memories in all, of speed, ascending",
    )
    parser.add_argument(
        "--per-subject", type=runner.several, default=1000, help="memories of a subject, of speed"
    )
    parser.add_argument(
        "--crowded", type=int, default=100_000, help="memories of the crowded subject; 0: none"
    )
    parser.add_argument("--requests", type=runner.several, default=300, help="timed for each row")
    return runner.parsed(parser, words, PARTS)


def sizes(word: str) -> list[int]:
    """Numbers of memories, ascending."""
    return sorted({runner.several(number) for number in word.split(",")})


class Material:
    """The conversations and rooms of the quality parts, each made when a part first needs it."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._given = given
        self.room = cache(self._room)
        self.locomo = cache(self._locomo)
        self.memorybank = cache(self._memorybank)

    def _room(self, preset: str) -> Room:
        return Room(preset, "recall")

    def _locomo(self) -> list[Talk]:
        """Raises NoConversations."""
        from bench import locomo

        files = locomo.conversations(self._given.locomo, self._given.locomo_files)
        groups = {path: TUNING if path.stem in TUNING_FILES else HELD_OUT for path in files}
        return [self._some(locomo.talk(path, group)) for path, group in groups.items()]

    def _memorybank(self) -> list[Talk]:
        """Raises NoConversations."""
        from bench import memorybank

        return [self._some(talk) for talk in memorybank.talks(self._given.memorybank)]

    def _some(self, talk: Talk) -> Talk:
        return replace(talk, questions=talk.questions[: self._given.questions])


def _measure(
    given: argparse.Namespace, material: Material, part: Part, stack: runner.Starter
) -> None:
    running = stack()
    # Parts are imported when Django is set up.
    if part.name == "quality":
        from bench import recall_quality

        with if_given(part):
            recall_quality.measure_locomo(
                part, material.locomo(), material.room, running, beside=given.peers
            )
    elif part.name == "chinese":
        from bench import recall_quality

        with if_given(part):
            recall_quality.measure_memorybank(
                part, material.memorybank(), material.room, beside=given.peers
            )
        recall_quality.measure_lexical(part, material.room(OPEN))
    elif part.name == "absent":
        _measure_absent(part, material)
    elif part.name == "freshness":
        from bench import recall_freshness

        recall_freshness.measure(part)
    else:
        from bench import recall_speed

        plan = recall_speed.Plan(
            given.sizes, given.per_subject, given.crowded, given.requests, given.peers
        )
        recall_speed.measure(part, running, plan)


def _measure_absent(part: Part, material: Material) -> None:
    from bench import recall_absent

    sources = (("LoCoMo", "en", material.locomo), ("MemoryBank", "zh", material.memorybank))
    for name, language, talks in sources:
        with if_given(part):
            recall_absent.measure(part, name, language, talks(), material.room(OPEN))


def main(words: list[str]) -> int:
    given = arguments(words)
    return runner.carry_out(given, partial(_measure, given, Material(given)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
