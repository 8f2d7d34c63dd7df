"""A drawing of one memory on both time axes, as numbers for an SVG. Pure.

Both rows share one scale of WIDTH units, from the earliest moment that matters to the latest, so
that a memory learned long after it became true shows as a gap between the two bars.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

WIDTH = 1000
MARGIN = 40
LEAST_SPAN = timedelta(hours=1)


@dataclass(frozen=True)
class Bar:
    """One row: the bar from `x`, `width` long, open to the right or not, and the asked moment."""

    x: int
    width: int
    is_open: bool
    asked: int


@dataclass(frozen=True)
class Timeline:
    """When it was true in the world, and when it was known here."""

    valid: Bar
    known: Bar


def draw(
    *,
    valid_from: datetime,
    valid_to: datetime | None,
    recorded_at: datetime,
    valid_at: datetime,
    known_at: datetime,
) -> Timeline:
    """The timeline of one version as seen from the point (valid_at, known_at).

    An end that is far beyond everything else (people write the year 9999 for "never") is drawn as
    open: to scale it would squeeze the rest into nothing.
    """
    known = [valid_from, recorded_at, valid_at, known_at]
    start, end = min(known), max(known)
    if valid_to is not None and valid_to - end <= max(end - start, LEAST_SPAN):
        end = max(end, valid_to)
    else:
        valid_to = None
    scale = _Scale(start, max(end - start, LEAST_SPAN))
    return Timeline(
        valid=_bar(scale, valid_from, valid_to, valid_at),
        known=_bar(scale, recorded_at, None, known_at),
    )


@dataclass(frozen=True)
class _Scale:
    start: datetime
    span: timedelta

    def at(self, moment: datetime) -> int:
        return MARGIN + round((moment - self.start) / self.span * (WIDTH - 2 * MARGIN))


def _bar(scale: _Scale, begin: datetime, end: datetime | None, asked: datetime) -> Bar:
    x = scale.at(begin)
    right = WIDTH if end is None else scale.at(end)
    return Bar(x, max(right - x, 4), end is None, scale.at(asked))
