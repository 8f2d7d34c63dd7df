"""Texts as vectors: multilingual-e5-small in 4 bits, no download.

Wang et al. 2024, "Multilingual E5 Text Embeddings"; questions and passages are encoded differently.
"""

import numpy as np

from ledger.bundled.network import Network, wheel_layer
from ledger.bundled.weights import Numbers, bundle
from ledger.encodable import encodable
from ledger.once import Once

DIMENSIONS = 384


def query(text: str) -> Numbers:
    """The vector of a question: shape (384,), length 1."""
    return _vector(f"query: {encodable(text)}")


def passage(text: str) -> Numbers:
    """The vector of a text that may answer: shape (384,), length 1."""
    return _vector(f"passage: {encodable(text)}")


def _vector(text: str) -> Numbers:
    """A text that is longer than the encoder reads at once counts by its parts' lengths."""
    kept = bundle()
    ids = kept.ids(text)
    windows = [ids[at : at + kept.window] for at in range(0, len(ids), kept.window)]
    means = [_network().states([kept.start, *w, kept.end]).mean(0) for w in windows]
    mean = np.average(means, axis=0, weights=[len(window) for window in windows])
    unit: Numbers = (mean / np.linalg.norm(mean)).astype(np.float32)
    return unit


@Once
def _network() -> Network:
    kept = bundle()
    return Network(kept, [wheel_layer(kept, at) for at in range(kept.layers)])
