"""The rows of made-up memories: what the write path would have left of each, and its index."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np

from bench.copying import half_vectors, repeated
from bench.synthetic import SESSION, Array, Indexed, Memories, Pool
from ledger import chain
from ledger.models import Entry, EntryPayload, Kind, Memory, MemoryVersion, Verb
from ledger.projection import openings
from ledger.rectangles import Effect, Opening, Period
from ledger.statements import Statement
from ledger.writing import facts_of, words_of_statement, written_effect
from recall.encoders import wanted
from recall.models import IN_CONTEXT, Embedding, Term, Traits
from tenants import clock, ids
from tenants.crypto import SubjectCipher

TICK = timedelta(microseconds=1)
# Memories are spread over so many days before now.
DAYS = 365
KINDS = (Kind.FACT, Kind.PREFERENCE, Kind.EVENT, Kind.COMMITMENT)
ACTOR = "bench:loader"


@dataclass
class Chain:
    """Where a subject's chain stands while it is loaded, and what its statistics are."""

    cipher: SubjectCipher
    seq: int = 0
    terms: int = 0
    hash: bytes = chain.GENESIS
    recorded_at: datetime = field(default_factory=clock.now)


@dataclass(frozen=True)
class Rows:
    """What one batch puts into the tables."""

    entries: list[Entry]
    payloads: list[EntryPayload]
    memories: list[Memory]
    versions: list[MemoryVersion]
    columns: list[tuple[Any, dict[str, Any]]]


class Maker:
    """Makes one subject's rows, batch by batch; `chain` is where it has come to."""

    def __init__(self, cipher: SubjectCipher, pool: Pool, *, crowded: bool) -> None:
        self.chain = Chain(cipher)
        self._pool = pool
        self._crowded = crowded
        self._hashes = np.array([cipher.term(term) for term in pool.vocabulary], ">i8")

    def rows(self, made: Memories) -> Rows:
        """The rows of the next batch."""
        rows, state = Rows([], [], [], [], []), self.chain
        for place in made.places:
            self._append(rows, self._pool.texts[place])
        owner = {
            "tenant_id": state.cipher.tenant_id.bytes,
            "subject_id": state.cipher.subject_id.bytes,
        }
        versions = np.frombuffer(b"".join(v.id.bytes for v in rows.versions), "V16")
        texts = [self._pool.indexed[place] for place in made.places]
        state.terms += sum(text.traits.length for text in texts)
        rows.columns.append((Term, _terms(owner, versions, texts, self._hashes)))
        rows.columns.append((Traits, _traits(owner, versions, texts)))
        alone = _embeddings(owner, versions, made.alone, 0, None, crowded=self._crowded)
        rows.columns.append((Embedding, alone))
        # A batch begins a session: it holds whole ones.
        later = np.arange(len(versions)) % SESSION != 0
        before = versions[np.flatnonzero(later) - 1]
        together = _embeddings(
            owner, versions[later], made.together[later], IN_CONTEXT, before, crowded=self._crowded
        )
        rows.columns.append((Embedding, together))
        return rows

    def _append(self, rows: Rows, text: str) -> None:
        """The next entry of the chain as ledger.append writes it, and what it opens."""
        state = self.chain
        memory_id, entry_id = ids.new_id(), ids.new_id()
        state.recorded_at += TICK
        valid_from = state.recorded_at - timedelta(days=1 + state.seq % DAYS)
        statement = Statement(
            content=text,
            kind=KINDS[state.seq % len(KINDS)],
            valid_from=valid_from,
            session=f"session-{state.seq // SESSION}",
            turns=(str(state.seq),),
            importance=1 + state.seq % 10,
            verbatim=True,
        )
        words = words_of_statement(statement)
        effect = Effect((), (Opening(memory_id, Period(valid_from, None)),))
        header = {
            "tenant": str(state.cipher.tenant_id),
            "subject": str(state.cipher.subject_id),
            "entry": str(entry_id),
            "recorded_at": state.recorded_at.isoformat(),
            "verb": str(Verb.ASSERT),
            "memory": str(memory_id),
            "actor": ACTOR,
            "facts": facts_of(statement, single_valued=False, pending=False, policy=0),
            "effect": written_effect(effect),
        }
        salt = chain.new_salt()
        digest = chain.payload_digest(salt, words)
        state.seq += 1
        state.hash = chain.entry_hash(state.hash, state.seq, header, digest)
        entry = Entry(
            id=entry_id,
            tenant_id=state.cipher.tenant_id,
            subject_id=state.cipher.subject_id,
            seq=state.seq,
            recorded_at=state.recorded_at,
            verb=Verb.ASSERT,
            memory_id=memory_id,
            actor=ACTOR,
            header=header,
            payload_digest=digest,
            hash=state.hash,
        )
        owner: dict[str, UUID] = {"tenant_id": entry.tenant_id, "subject_id": entry.subject_id}
        sealed = chain.canonical({"salt": salt.hex(), "words": words})
        payload = EntryPayload(
            id=entry_id, entry_id=entry_id, sealed=state.cipher.seal(entry_id, sealed), **owner
        )
        rows.entries.append(entry)
        rows.payloads.append(payload)
        rows.memories.append(Memory(id=memory_id, created_at=entry.recorded_at, **owner))
        rows.versions.extend(o.version for o in openings(entry, words, state.cipher, {}))


def _terms(
    owner: dict[str, bytes], versions: Array, texts: list[Indexed], hashes: Array
) -> dict[str, Any]:
    """Columns of recall_term."""
    many = [len(text.terms) for text in texts]
    return {
        **{name: repeated(value, sum(many)) for name, value in owner.items()},
        "version_id": np.repeat(versions, many),
        "term": hashes[np.concatenate([text.terms for text in texts])],
        "frequency": np.concatenate([text.counts for text in texts]).astype(">i2"),
    }


def _traits(owner: dict[str, bytes], versions: Array, texts: list[Indexed]) -> dict[str, Any]:
    """Columns of recall_traits."""
    return {
        **{name: repeated(value, len(texts)) for name, value in owner.items()},
        "version_id": versions,
        "length": np.array([text.traits.length for text in texts], ">i4"),
        "asking": np.array([round(100 * text.traits.asking) for text in texts], ">i2"),
        "holds_time": np.array([text.traits.holds_time for text in texts], "?"),
    }


def _embeddings(
    owner: dict[str, bytes],
    versions: Array,
    vectors: Array,
    chunk: int,
    after: Array | None,
    *,
    crowded: bool,
) -> dict[str, Any]:
    """Columns of recall_embedding."""
    count = len(versions)
    return {
        **{name: repeated(value, count) for name, value in owner.items()},
        "version_id": versions,
        "encoder": repeated(wanted().encode(), count),
        "chunk": np.full(count, chunk, ">i2"),
        "after": after,
        "vector": half_vectors(vectors),
        "crowded": np.full(count, crowded, "?"),
    }
