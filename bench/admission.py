"""Measures admission on a file of labelled texts: precision and recall of "admitted", by language.

python -m bench.admission bench/data/admission/FILE.jsonl
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from ledger.admission.classifier import classifier
from ledger.admission.training import examples, quality


class Encoder(Protocol):
    """What is needed of an encoder of `recall.encoders`."""

    name: str

    def passages(self, texts: list[str]) -> Any:
        """One vector for each text."""


def measure(path: Path, encoder: Encoder) -> dict[str, dict[str, Any]]:
    """By language: precision, recall, texts, and the mistakes, for the rules and the classifier.

    Each line of the file is {"text", "admit", "language"}. Raises LookupError if the encoder has
    no classifier: everything that no rule decides would be admitted.
    """
    trained = classifier(encoder.name)
    if trained is None:
        raise LookupError(f"no classifier of admission is trained for {encoder.name}")
    texts = examples(path)
    vectors = np.vstack([encoder.passages([example.text]) for example in texts])
    found = quality(texts, map(trained.probability, vectors))
    return {language: asdict(figures) for language, figures in found.items()}


if __name__ == "__main__":
    from recall.encoders.bundled import BundledEncoder

    print(json.dumps(measure(Path(sys.argv[1]), BundledEncoder()), ensure_ascii=False, indent=1))
