"""The encoder that comes with MemoryHub (ledger/bundled)."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ledger import bundled
from recall.encoders import BUNDLED, Vectors


class BundledEncoder:
    """One thread encodes a text, so that what the machine's other cores do does not slow it down;
    several texts are encoded by several at a time."""

    name = BUNDLED
    dimensions = bundled.DIMENSIONS

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(os.cpu_count(), "encoder")

    def query(self, text: str) -> Vectors:
        return bundled.query(text)

    def passages(self, texts: list[str], *, seconds: float | None = None) -> Vectors:
        vectors = list(self._pool.map(bundled.passage, texts))
        return np.stack(vectors) if vectors else np.zeros((0, self.dimensions), np.float32)
