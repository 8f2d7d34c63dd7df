"""The classifier of admission: kernel ridge regression over an encoder's passage vector."""

import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]

WEIGHTS = Path(__file__).with_name("weights")
# Numbers that differ by less come from another machine's arithmetic, not from other examples.
TOLERANCE = 1e-2


@dataclass(frozen=True, eq=False)
class Classifier:
    """The examples it was trained on, as points, and how much each speaks for or against.

    A text's vector is moved by `center` and stretched by `scale`; an example counts by
    exp(-squared distance). The points are `codes` times `unit`: one byte a number is enough.
    """

    encoder: str
    center: Numbers
    scale: float
    codes: NDArray[np.int8]
    unit: float
    weights: Numbers

    def probability(self, vector: Numbers) -> float:
        """How likely a text is worth remembering, from 0 to 1.

        `vector` is the encoder's passage vector of the text: shape (dimensions,).
        """
        point = ((vector - self.center) * self.scale).astype(np.float32)
        distances = self._lengths - 2 * (self._points @ point) + point @ point
        return float(sigmoid(self.weights @ np.exp(-distances)))

    @cached_property
    def _points(self) -> Numbers:
        return self.codes.astype(np.float32) * np.float32(self.unit)

    @cached_property
    def _lengths(self) -> Numbers:
        lengths: Numbers = (self._points**2).sum(1)
        return lengths

    def save(self) -> Path:
        """Writes the classifier beside this file, in the encoder's name; returns where."""
        path = _path(self.encoder)
        path.parent.mkdir(exist_ok=True)
        np.savez_compressed(
            path,
            encoder=np.array(self.encoder),
            center=self.center.astype(np.float32),
            scale=np.array(self.scale),
            codes=self.codes,
            unit=np.array(self.unit),
            weights=self.weights.astype(np.float32),
        )
        return path

    def same_as(self, other: "Classifier") -> bool:
        """Whether both come from the same examples."""
        return self.codes.shape == other.codes.shape and np.allclose(
            self.weights, other.weights, atol=TOLERANCE
        )


@cache
def classifier(encoder_name: str) -> Classifier | None:
    """The classifier trained for an encoder; None if there is none. Read once a process."""
    path = _path(encoder_name)
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as content:
        # Two names may come to the same file.
        if str(content["encoder"]) != encoder_name:
            return None
        return Classifier(
            encoder=encoder_name,
            center=content["center"],
            scale=float(content["scale"]),
            codes=content["codes"],
            unit=float(content["unit"]),
            weights=content["weights"],
        )


def sigmoid(values: Numbers) -> Numbers:
    """The logistic function; no overflow for values of any size."""
    result: Numbers = 0.5 * (1 + np.tanh(0.5 * values))
    return result


def _path(encoder_name: str) -> Path:
    return WEIGHTS / (re.sub(r"[^\w.]+", "-", encoder_name)[-100:] + ".npz")
