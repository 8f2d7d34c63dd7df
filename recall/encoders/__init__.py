"""Encoders: texts as vectors, behind one protocol. An encoder's name is enough to load it:

bundled:multilingual-e5-small-q4      inside its package; the setting says `bundled`
sentence-transformers:MODEL           a model's name or its folder
openai:URL                            a server that speaks OpenAI's protocol for embeddings
"""

from functools import cache
from typing import Protocol

import numpy as np
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

BUNDLED = "bundled:multilingual-e5-small-q4"


class EncoderDown(Exception):
    """The encoder does not answer now; the text says why, without what was to be encoded."""


class Encoder(Protocol):
    """Turns texts into unit vectors. Vectors of encoders with different names never mix."""

    name: str

    @property
    def dimensions(self) -> int:
        """Numbers in a vector."""

    def query(self, text: str) -> Vectors:
        """The vector of a question: shape (dimensions,), length 1. Raises EncoderDown."""

    def passages(self, texts: list[str], *, seconds: float | None = None) -> Vectors:
        """The vectors of texts that may answer: shape (len(texts), dimensions), length 1.

        `seconds` is how long a caller waits for a server's answer; None leaves it to the encoder.
        Raises EncoderDown.
        """


def encoder() -> Encoder:
    """The encoder that the setting ENCODER asks for."""
    return encoder_named(wanted())


def wanted() -> str:
    """The name of that encoder, without loading it."""
    return BUNDLED if settings.ENCODER == "bundled" else str(settings.ENCODER)


@cache
def encoder_named(name: str) -> Encoder:
    """The encoder of that name, loaded once a process. Raises ImproperlyConfigured."""
    sort, _, rest = name.partition(":")
    if name == BUNDLED:
        from recall.encoders.bundled import BundledEncoder

        return BundledEncoder()
    if sort == "sentence-transformers" and rest:
        from recall.encoders.transformers import SentenceTransformersEncoder

        return SentenceTransformersEncoder(rest)
    if sort == "openai" and rest:
        from recall.encoders.openai_compatible import OpenAIEncoder

        return OpenAIEncoder(rest)
    raise ImproperlyConfigured(
        f"MEMORYHUB_ENCODER is {name!r}; known are 'bundled', 'sentence-transformers:MODEL' and "
        "'openai:URL'."
    )
