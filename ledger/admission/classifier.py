"""The classifier of admission: logistic regression over an encoder's passage vector."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.floating]

WEIGHTS = Path(__file__).with_name("weights")


@dataclass(frozen=True, eq=False)
class Classifier:
    """One weight for each dimension of the encoder named, and a bias."""

    encoder: str
    weights: Numbers
    bias: float

    def probability(self, vector: Numbers) -> float:
        """How likely a text is worth remembering, from 0 to 1.

        `vector` is the encoder's passage vector of the text: shape (dimensions,).
        """
        return float(sigmoid(self.weights @ vector + self.bias))

    def save(self) -> Path:
        """Writes the weights beside this file, in the encoder's name; returns where."""
        path = _path(self.encoder)
        path.parent.mkdir(exist_ok=True)
        weights = [round(float(weight), 4) for weight in self.weights]
        content = {"encoder": self.encoder, "bias": round(self.bias, 4), "weights": weights}
        path.write_text(json.dumps(content) + "\n", encoding="utf-8")
        return path


@cache
def classifier(encoder_name: str) -> Classifier | None:
    """The classifier trained for an encoder; None if there is none. Read once a process."""
    path = _path(encoder_name)
    if not path.exists():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    # Two names may come to the same file.
    if content["encoder"] != encoder_name:
        return None
    return Classifier(encoder_name, np.array(content["weights"]), content["bias"])


def sigmoid(values: Numbers) -> Numbers:
    """The logistic function; no overflow for values of any size."""
    result: Numbers = 0.5 * (1 + np.tanh(0.5 * values))
    return result


def _path(encoder_name: str) -> Path:
    return WEIGHTS / (re.sub(r"[^\w.]+", "-", encoder_name)[-100:] + ".json")
