"""What a memory's neighbours in its session lend it, pure.

Who answers a question seldom repeats its words; so what stands a few places before or after counts
too, less the further away it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from recall.arrays import Array


@dataclass(frozen=True)
class Lending:
    """The weight of the next memory `before` and `after`, times `fade` for every place more."""

    before: float
    after: float
    fade: float
    reach: int

    def __iter__(self) -> Iterator[tuple[int, float]]:
        """Each place, negative for those before, and its weight."""
        for distance in range(1, self.reach + 1):
            faded = self.fade ** (distance - 1)
            yield -distance, self.before * faded
            yield distance, self.after * faded


def with_neighbours(values: Array, session: Array, lending: Lending) -> Array:
    """The values (…, n), each plus its neighbours' times their weights.

    The memories of a session lie side by side, in order. Session -1 is none: no neighbours there.
    """
    total = values.copy()
    n = values.shape[-1]
    for place, weight in lending:
        apart = abs(place)
        if weight == 0 or apart >= n:
            continue
        alike = (session[apart:] == session[:-apart]) & (session[apart:] != -1)
        together = weight * alike.astype(values.dtype)
        if place < 0:
            total[..., apart:] += together * values[..., :-apart]
        else:
            total[..., :-apart] += together * values[..., apart:]
    return total
