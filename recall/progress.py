"""What is noted while a question is answered."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class Progress:
    """Milliseconds by stage, and what had to be done without."""

    milliseconds: dict[str, float] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Take the time of a stage, whether it succeeds or not."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.milliseconds[name] = round((time.perf_counter() - started) * 1000, 2)
