"""Encoders of the library sentence-transformers, by a model's name or its folder.

Reimers & Gurevych 2019, "Sentence-BERT". What a model defines as its prompts for questions
("query") and for texts ("document", "passage", "corpus") is put before them.
"""

import threading

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from sentence_transformers import SentenceTransformer

from ledger.encodable import encodable
from recall.encoders import Vectors
from recall.encoders.vectors import unit


class SentenceTransformersEncoder:
    """One such model, loaded. Raises ImproperlyConfigured where there is none."""

    def __init__(self, model: str) -> None:
        self.name = f"sentence-transformers:{model}"
        # One text at a time: tokenizers and modules are not promised to be safe for threads.
        self._turn = threading.Lock()
        try:
            self._model = SentenceTransformer(model)
        except (OSError, ValueError, KeyError) as error:
            raise ImproperlyConfigured(
                f"MEMORYHUB_ENCODER names {model!r}, which is no model of sentence-transformers "
                "that can be loaded: give its folder, or a name that can be downloaded."
            ) from error
        self.dimensions = int(self.query("dimensions").shape[0])

    def query(self, text: str) -> Vectors:
        with self._turn:
            rows = self._model.encode_query([encodable(text)], show_progress_bar=False)
        vector: Vectors = unit(rows)[0]
        return vector

    def passages(self, texts: list[str], *, seconds: float | None = None) -> Vectors:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._turn:
            rows = self._model.encode_document(
                [encodable(text) for text in texts], show_progress_bar=False
            )
        return unit(rows)
