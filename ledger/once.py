"""What is made once a process: whoever asks while it is being made waits for it."""

from collections.abc import Callable
from threading import RLock
from typing import Generic, TypeVar

T = TypeVar("T")

# One for all: what is made may need something else that is made once.
_making = RLock()


class Once(Generic[T]):
    """Like functools.cache of a function without arguments, but never made by two threads."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._made: list[T] = []

    def __call__(self) -> T:
        if not self._made:
            with _making:
                if not self._made:
                    self._made.append(self._make())
        return self._made[0]

    def cache_clear(self) -> None:
        """Make it anew when it is asked for next."""
        self._made.clear()
