"""What recall needs of one subject's versions, as arrays: no words, only numbers and ids.

PostgreSQL packs each table into one string of bytes of fixed width, which numpy reads as it is:
thousands of rows cost one round trip and no object each. So packed they also lie in the buffer of
an active subject (recall.buffers).
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any

import numpy as np

from ledger.models import Kind
from recall.arrays import Array

KINDS = tuple(Kind.values)
AGENT_BYTES = 16
# Of a moment that never comes; PostgreSQL's moments are microseconds since 2000.
NEVER = int(np.iinfo(np.int64).max)
EPOCH = datetime(2000, 1, 1, tzinfo=UTC)

VERSION = np.dtype(
    [
        ("id", "V16"),
        ("memory", "V16"),
        ("agent", f"V{AGENT_BYTES}"),
        ("session", ">i8"),
        ("attribute", ">i8"),
        ("valid_from", ">i8"),
        ("valid_to", ">i8"),
        ("expires_at", ">i8"),
        ("weight", ">f8"),
        ("kind", ">i2"),
        ("importance", ">i2"),
        ("pending", "?"),
    ]
)
TRAITS = np.dtype([("version", "V16"), ("length", ">i4"), ("asking", ">i2"), ("holds_time", "?")])

# The parts of a header that are a snapshot's own.
HEADER = ("seq", "revision", "documents", "terms", "encoder")


def moment(at: datetime) -> int:
    """A moment as the packed rows have it."""
    return (at - EPOCH) // timedelta(microseconds=1)


def vector_row(dimensions: int) -> np.dtype[Any]:
    """A packed vector: half floats in PostgreSQL's byte order, after pgvector's own header."""
    return np.dtype(
        [("version", "V16"), ("chunk", ">i2"), ("header", "V4"), ("vector", ">f2", (dimensions,))]
    )


@dataclass(frozen=True)
class Packed:
    """A snapshot as it comes from PostgreSQL and lies in the buffer."""

    header: dict[str, Any]
    versions: bytes = b""
    traits: bytes = b""
    vectors: bytes = b""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Some versions of one subject, n of them, and their vectors.

    versions   (n) records of VERSION, ordered by session, in it by the time of making
    traits     (n) records of TRAITS, in the same order
    chunks     (m, dimensions) float32, the chunks of versions; `owner` (m) says whose, as a place
    context    (k, dimensions) float32, versions in context; `heard` (k) says whose
    seq        the newest entry of which they know; `revision` the state of the index
    documents  how many versions BM25 counts, and `terms` how many terms they have
    attributes the names behind the numbers in `versions`
    """

    versions: Array
    traits: Array
    chunks: Array
    owner: Array
    context: Array
    heard: Array
    seq: int
    revision: int
    documents: int
    terms: int
    encoder: str
    attributes: dict[int, str]

    @classmethod
    def of(cls, packed: Packed) -> "Snapshot":
        """Read what was packed."""
        versions = np.frombuffer(packed.versions, VERSION)
        versions = versions[np.lexsort((_sortable(versions["memory"]), versions["session"]))]
        rows = np.frombuffer(packed.vectors, vector_row(_dimensions(packed.vectors)))
        ids = _sortable(versions["id"])
        there, places = find(rows["version"], ids, np.argsort(ids))
        rows = rows[there]
        alone = rows["chunk"] >= 0
        vectors = rows["vector"].astype(np.float32)
        return cls(
            versions=versions,
            traits=_traits(packed.traits, ids),
            chunks=vectors[alone],
            owner=places[alone],
            context=vectors[~alone],
            heard=places[~alone],
            attributes={int(k): v for k, v in packed.header["attributes"].items()},
            **{name: packed.header[name] for name in HEADER},
        )

    def __len__(self) -> int:
        return len(self.versions)

    def only(self, which: Array) -> "Snapshot":
        """The versions that `which` marks, and their vectors."""
        place = np.cumsum(which) - 1
        own, heard = which[self.owner], which[self.heard]
        return replace(
            self,
            versions=self.versions[which],
            traits=self.traits[which],
            chunks=self.chunks[own],
            owner=place[self.owner[own]],
            context=self.context[heard],
            heard=place[self.heard[heard]],
        )

    def alone(self) -> "Snapshot":
        """The same as if there were no other versions: its statistics are its own."""
        length = int(self.traits["length"].sum())
        return replace(self, documents=len(self), terms=length)

    @cached_property
    def by_id(self) -> Array:
        """The order of the ids, for looking up by `places`."""
        return np.argsort(_sortable(self.versions["id"]))

    def places(self, ids: Array) -> tuple[Array, Array]:
        """Where ids stand among the versions: (which of the ids are there, their places)."""
        return find(ids, self.versions["id"], self.by_id)

    def cosines(self, question: Array) -> tuple[Array, Array]:
        """Of each version the cosine of its best chunk, and in context; nan without a vector."""
        alone = np.full(len(self), -np.inf, np.float32)
        if len(self.chunks):
            np.maximum.at(alone, self.owner, self.chunks @ question)
        alone[np.isneginf(alone)] = np.nan
        together = np.full(len(self), np.nan, np.float32)
        if len(self.context):
            together[self.heard] = self.context @ question
        return alone, together


def _traits(packed: bytes, ids: Array) -> Array:
    """The traits of the versions, in their order; nothing is said of one that has none."""
    rows = np.frombuffer(packed, TRAITS)
    there, places = find(rows["version"], ids, np.argsort(ids))
    found = np.zeros(len(ids), TRAITS)
    found[places] = rows[there]
    return found


def _dimensions(vectors: bytes) -> int:
    """Of the first row, from pgvector's header behind version and chunk; 0 without any row.

    Rows of one encoder have the same.
    """
    return int.from_bytes(vectors[18:20], "big")


def find(ids: Array, among: Array, order: Array) -> tuple[Array, Array]:
    """Which of `ids` are among those (sorted by `order`), and where."""
    keys, known = _sortable(ids), _sortable(among)[order]
    if not len(known):
        return np.zeros(len(keys), bool), np.zeros(0, np.intp)
    at = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    there = known[at] == keys
    return there, order[at[there]]


def _sortable(ids: Array) -> Array:
    """16 bytes as something that numpy sorts and compares."""
    return np.ascontiguousarray(ids).view("S16") if ids.dtype != "S16" else ids
