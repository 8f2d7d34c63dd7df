"""Reads a subject's snapshot and the postings of a question's terms from PostgreSQL.

Each statement reads one table by its tenant and subject and packs what it finds: joins are numpy's
work, since under row-level security the planner guesses one row and would loop.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from psycopg.sql import SQL, Composable
from psycopg.types.json import Jsonb

from ledger.selectors import AsOf
from recall.arrays import Array
from recall.filters import Filters
from recall.snapshot import KINDS, NEVER, Packed
from tenants.context import current_tenant
from tenants.statements import one_row, one_value

VERSIONS = SQL("""
    WITH found AS MATERIALIZED (
        SELECT * FROM ledger_memoryversion
        WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND {which}
    )
    SELECT
        (SELECT seq FROM ledger_head WHERE tenant_id = %(tenant)s AND id = %(subject)s),
        corpus.revision, corpus.documents, corpus.terms, corpus.encoder,
        (SELECT jsonb_object_agg(hashtextextended(attribute, 0)::text, attribute) FROM (
            SELECT DISTINCT attribute FROM found WHERE attribute <> '') AS names),
        (SELECT string_agg(
            uuid_send(id) || uuid_send(memory_id)
            || substr(sha256(convert_to(agent, 'UTF8')), 1, 16)
            || int8send(CASE session WHEN '' THEN 0 ELSE hashtextextended(session, 0) END)
            || int8send(CASE attribute WHEN '' THEN 0 ELSE hashtextextended(attribute, 0) END)
            || timestamptz_send(valid_from)
            || coalesce(timestamptz_send(valid_to), int8send(%(never)s))
            || coalesce(timestamptz_send(expires_at), int8send(%(never)s))
            || float8send(weight) || int2send(array_position(%(kinds)s::text[], kind::text)::int2)
            || int2send(importance) || boolsend(pending), '') FROM found),
        (SELECT string_agg(
            uuid_send(version_id) || int4send(length) || int2send(asking) || boolsend(holds_time),
            '') FROM recall_traits
            WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND {whose})
    FROM recall_corpus AS corpus WHERE tenant_id = %(tenant)s AND id = %(subject)s
""")
STATE = """
    SELECT coalesce(head.seq, 0), revision, encoder, documents, crowded,
        (SELECT count(*) FROM (
            SELECT 1 FROM recall_waiting AS w
            WHERE w.tenant_id = %(tenant)s AND w.subject_id = %(subject)s
              AND w.encoder = corpus.encoder LIMIT %(most)s) AS listed)
    FROM recall_corpus AS corpus
    LEFT JOIN ledger_head AS head ON head.tenant_id = corpus.tenant_id AND head.id = corpus.id
    WHERE corpus.tenant_id = %(tenant)s AND corpus.id = %(subject)s
"""
MATCHING = SQL("""
    SELECT string_agg(uuid_send(id), '') FROM ledger_memoryversion
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND {which}
""")
# What each filter asks. A label's value is no object and no list: of these `@>` would ask less than
# that they are equal.
CONDITIONS = {
    "attribute": SQL("attribute = %(attribute)s"),
    "session": SQL("session = %(session)s"),
    "agent": SQL("agent = %(agent)s"),
    "metadata": SQL("metadata @> %(metadata)s"),
}
EMPTY = {"seq": 0, "revision": 0, "documents": 0, "terms": 0, "encoder": ""}
VECTORS = """
    SELECT string_agg(uuid_send(version_id) || int2send(chunk) || halfvec_send(vector), '')
    FROM recall_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND encoder = %(encoder)s
"""
VECTORS_OF_SOME = VECTORS + " AND version_id = ANY(%(some)b)"
# The condition and the expression are those of the index (migration 0003).
NEAREST = """
    SELECT version_id FROM recall_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND encoder = %(encoder)s
      AND crowded AND encoder = 'bundled:multilingual-e5-small-q4' AND chunk >= 0
    ORDER BY (vector::halfvec(384)) <=> %(question)s::halfvec(384) LIMIT %(limit)s
"""
POSTINGS = """
    SELECT string_agg(
        uuid_send(version_id) || int8send(term) || int2send(frequency), '')
    FROM recall_term
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND term = ANY(%(terms)b)
"""
# hnsw.ef_search at pgvector's own limit: among vectors that lie close together a narrower search
# finds too few of the nearest.
BEAM = 1_000
POSTING = np.dtype([("version", "V16"), ("term", ">i8"), ("frequency", ">i2")])


@dataclass(frozen=True)
class State:
    """A subject's index now: the newest entry it knows, its revision, what encodes, what waits.

    `waiting` counts up to the limit that was given.
    """

    seq: int = 0
    revision: int = 0
    encoder: str = ""
    documents: int = 0
    crowded: bool = False
    waiting: int = 0


def read_state(subject_id: UUID, most: int) -> State:
    """The state of a subject's index; counts at most `most` waiting versions."""
    row = one_row(STATE, subject=subject_id, most=most)
    return State(*row) if row else State()


def read_snapshot(subject_id: UUID, at: AsOf) -> Packed:
    """The versions that were believed at a point, and all the subject's vectors: two statements.

    A write may come between the two. Vectors of versions that are not there are left out by
    Snapshot.of, and what is read is stamped with the state of the first.
    """
    believed, moment = _believed(at)
    sql = VERSIONS.format(which=believed, whose=SQL("true")).as_string()
    return _read(subject_id, sql, VECTORS, moment)


def read_some(subject_id: UUID, at: AsOf, versions: Sequence[UUID]) -> Packed:
    """The same of the versions that are named."""
    believed, moment = _believed(at)
    which = believed + SQL(" AND id = ANY(%(some)b)")
    sql = VERSIONS.format(which=which, whose=SQL("version_id = ANY(%(some)b)")).as_string()
    return _read(subject_id, sql, VECTORS_OF_SOME, moment | {"some": list(versions)})


def _read(
    subject_id: UUID, versions_sql: str, vectors_sql: str, parameters: dict[str, Any]
) -> Packed:
    parameters = parameters | {"subject": subject_id, "kinds": list(KINDS), "never": NEVER}
    row = one_row(versions_sql, **parameters)
    if row is None:
        return Packed({"attributes": {}} | EMPTY)
    seq, revision, documents, terms, encoder, attributes, versions, traits = row
    header = {
        "seq": seq or 0,
        "revision": revision,
        "documents": documents,
        "terms": terms,
        "encoder": encoder,
        "attributes": attributes or {},
    }
    vectors = one_value(vectors_sql, **parameters, encoder=encoder)
    return Packed(header, bytes(versions or b""), bytes(traits or b""), bytes(vectors or b""))


def read_matching(subject_id: UUID, filters: Filters, at: AsOf | None = None) -> Array:
    """The ids of the versions that match all the filters given, at least one, and were believed at
    a point, or whenever without one: shape (n), V16.
    """
    given = filters.given
    believed, moment = _believed(at) if at else (SQL("true"), {})
    which = SQL(" AND ").join([believed, *(CONDITIONS[name] for name in given)])
    if "metadata" in given:
        given["metadata"] = Jsonb(given["metadata"])
    sql = MATCHING.format(which=which).as_string()
    packed = one_value(sql, **moment, **given, subject=subject_id)
    ids: Array = np.frombuffer(bytes(packed or b""), "V16")
    return ids


def nearest_of_crowd(
    subject_id: UUID,
    encoder: str,
    question: Array,
    limit: int,
    among: Collection[UUID] | None = None,
) -> list[UUID]:
    """About the nearest versions of a crowded subject, of those named, by the approximate index.

    The index knows nothing of agents and filters: it is asked for more until enough are among those
    named, or it has no more.
    """
    wanted = limit
    while True:
        rows = _nearest(subject_id, encoder, question, wanted)
        found = [i for i in dict.fromkeys(rows) if among is None or i in among]
        if among is None or len(found) >= limit or len(rows) < wanted:
            return found[:limit]
        wanted *= 2


def _nearest(subject_id: UUID, encoder: str, question: Array, limit: int) -> list[UUID]:
    """The versions of about the nearest chunks, nearest first."""
    parameters: dict[str, Any] = {
        "tenant": current_tenant(),
        "subject": subject_id,
        "encoder": encoder,
        "question": "[" + ",".join(f"{x:.6f}" for x in question) + "]",
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL hnsw.iterative_scan = relaxed_order")
        cursor.execute("SELECT set_config('hnsw.ef_search', %s, true)", [str(BEAM)])
        cursor.execute(NEAREST, parameters)
        return [row[0] for row in cursor.fetchall()]


def read_postings(subject_id: UUID, terms: Sequence[int]) -> Array:
    """Every version that holds one of the terms: records of POSTING."""
    if not terms:
        return np.zeros(0, POSTING)
    packed = one_value(POSTINGS, subject=subject_id, terms=list(terms))
    return np.frombuffer(bytes(packed or b""), POSTING)


def _believed(at: AsOf) -> tuple[Composable, dict[str, Any]]:
    """AsOf.believed in SQL, with its parameters."""
    if at.newest:
        return SQL("recorded_to IS NULL"), {}
    if at.seq is not None:
        said = SQL("seq_from <= %(seq)s AND (seq_to IS NULL OR seq_to > %(seq)s)")
        return said, {"seq": at.seq}
    known = SQL("recorded_from <= %(known)s AND (recorded_to IS NULL OR recorded_to > %(known)s)")
    return known, {"known": at.known_at}
