"""What encoders share: rows of numbers as unit vectors."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from recall.encoders import EncoderDown, Vectors


def unit(rows: Sequence[Sequence[float]] | np.ndarray[Any, Any]) -> Vectors:
    """Rows of one length as float32 vectors of length 1: shape (rows, dimensions).

    Raises EncoderDown for what has no direction: numbers that are not finite, and zeros only.
    """
    numbers = np.asarray(rows, dtype=np.float64)
    largest = np.abs(numbers).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all():
        raise EncoderDown("The encoder gave numbers that are not finite.")
    if not largest.all():
        raise EncoderDown("The encoder gave a vector of zeros.")
    # By the largest first: squares of very large and very small numbers leave the range of doubles.
    scaled = numbers / largest
    vectors: Vectors = (scaled / np.linalg.norm(scaled, axis=1, keepdims=True)).astype(np.float32)
    return vectors
