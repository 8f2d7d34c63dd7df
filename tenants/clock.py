"""The one clock. Everything that needs the time asks here, so that a test can set it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime


def _wall_clock() -> datetime:
    return datetime.now(UTC)


_clock: ContextVar[Callable[[], datetime]] = ContextVar("clock", default=_wall_clock)


def now() -> datetime:
    """The present moment, aware, in UTC."""
    return _clock.get()()


@contextmanager
def frozen(moment: datetime) -> Iterator[None]:
    """Hold the clock still at `moment` (aware) for the enclosed block."""
    if moment.tzinfo is None:
        raise ValueError("the clock takes an aware datetime")
    token = _clock.set(lambda: moment.astimezone(UTC))
    try:
        yield
    finally:
        _clock.reset(token)
