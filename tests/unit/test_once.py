"""What is made once is made once, however many threads ask for it first."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger.once import Once

THREADS = 8


def test_threads_that_ask_at_a_time_get_one_thing() -> None:
    together = threading.Barrier(THREADS)
    made: list[object] = []

    @Once
    def thing() -> object:
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    def ask(_: int) -> object:
        together.wait()
        return thing()

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(ask, range(THREADS)))
    assert len(made) == 1
    assert set(found) == {made[0]}


def test_what_failed_is_tried_again() -> None:
    tries: list[int] = []

    @Once
    def thing() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("not now")
        return "made"

    with pytest.raises(OSError, match="not now"):
        thing()
    assert thing() == "made"


def test_it_is_made_anew_when_it_is_cleared() -> None:
    count = iter(range(9))
    number = Once(lambda: next(count))
    assert (number(), number()) == (0, 0)
    number.cache_clear()
    assert number() == 1
