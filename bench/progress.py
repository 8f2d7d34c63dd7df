"""What is said while a benchmark runs, on standard error: how far a step has come, what failed."""

import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from bench.report import Part

EVERY_SECONDS = 10.0


class Progress:
    """One step of `total` things; tell it how many are done."""

    def __init__(self, step: str, total: int) -> None:
        self._step = step
        self._total = total
        self._moves = sys.stderr.isatty()
        self._began = self._said = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        over = done >= self._total
        if not (self._moves or over or now - self._said >= EVERY_SECONDS):
            return
        self._said = now
        line = f"  {self._step}: {done} of {self._total} ({now - self._began:.0f} s)"
        # What was longer before is cleared to the end of the line.
        start, end = ("\r", "\x1b[K" + ("\n" if over else "")) if self._moves else ("", "\n")
        print(f"{start}{line}", end=end, file=sys.stderr, flush=True)


def say(sentence: str) -> None:
    """A line about what begins now."""
    print(sentence, file=sys.stderr, flush=True)


@contextmanager
def failing_alone(part: Part, step: str) -> Iterator[None]:
    """A step whose failure is noted, so that what comes after it is measured all the same."""
    try:
        yield
    except Exception as error:  # whatever it is: the other figures must not be lost
        traceback.print_exc()
        part.failures.append(f"{step}: {type(error).__name__}: {error}")
