"""Encoders: texts as vectors, behind one protocol; the setting ENCODER names the one in use."""

from functools import cache
from typing import Protocol

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Encoder(Protocol):
    """Turns texts into unit vectors. Vectors of encoders with different names never mix."""

    name: str
    dimensions: int

    def query(self, text: str) -> Vectors:
        """The vector of a question: shape (dimensions,), length 1."""

    def passages(self, texts: list[str]) -> Vectors:
        """The vectors of texts that may answer: shape (len(texts), dimensions), length 1."""


@cache
def encoder() -> Encoder:
    """The encoder named by the setting ENCODER, loaded once a process."""
    from recall.encoders.bundled import BundledEncoder

    if settings.ENCODER == "bundled":
        return BundledEncoder()
    raise ImproperlyConfigured(
        f"MEMORYHUB_ENCODER is {settings.ENCODER!r}; this version knows 'bundled'."
    )
