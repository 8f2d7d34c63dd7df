"""The search arms, each one query inside one subject: BM25 over hashed terms, exact cosine.

An arm gives every version its raw score; which of them may be returned is the gate's business.
BM25 as in Robertson & Zaragoza 2009, with the subject's own statistics.
"""

from typing import Any
from uuid import UUID

from django.db import connection

from ledger.policy.recall import Ranking
from recall.encoders import Vectors, encoder
from recall.terms import terms_of
from tenants.context import current_tenant
from tenants.crypto import SubjectCipher

LEXICAL = """
    WITH hits AS (
        SELECT version_id, term, frequency, length FROM recall_term
        WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND term = ANY(%(terms)s)
    ), rarity AS (
        SELECT term, ln(1 + (corpus.documents - count(*) + 0.5) / (count(*) + 0.5)) AS idf
        FROM hits CROSS JOIN (SELECT documents FROM recall_corpus
                              WHERE tenant_id = %(tenant)s AND id = %(subject)s) AS corpus
        GROUP BY term, corpus.documents
    )
    SELECT hits.version_id, sum(
        rarity.idf * hits.frequency * (%(k1)s + 1) / (hits.frequency + %(k1)s * (
            1 - %(b)s + %(b)s * hits.length * corpus.documents / greatest(corpus.terms, 1)))
    )::float8 AS score
    FROM hits JOIN rarity USING (term)
    CROSS JOIN (SELECT documents, terms FROM recall_corpus
                WHERE tenant_id = %(tenant)s AND id = %(subject)s) AS corpus
    GROUP BY hits.version_id
"""

# The best chunk speaks for its version. Adding 0 keeps the planner off any shared approximate
# index: inside one subject the exact scan is both faster and complete.
VECTOR = """
    SELECT version_id, max(1 - (vector <=> %(question)s::halfvec))::float8 AS score
    FROM recall_embedding
    WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND encoder = %(encoder)s
    GROUP BY version_id
"""

# The same among what is believed now, the nearest only: candidates for merging.
NEAREST = """
    SELECT version_id, max(1 - (vector <=> %(question)s::halfvec))::float8 AS score
    FROM recall_embedding AS e
    JOIN ledger_memoryversion AS v ON v.tenant_id = e.tenant_id AND v.id = e.version_id
    WHERE e.tenant_id = %(tenant)s AND e.subject_id = %(subject)s AND encoder = %(encoder)s
      AND v.recorded_to IS NULL AND NOT v.pending AND (%(agent)s = '' OR v.agent = %(agent)s)
    GROUP BY version_id ORDER BY score DESC, version_id LIMIT %(limit)s
"""

# Of the words of a text, weighed by rarity, the largest share that one current version has too.
# A word that nobody has said yet is no rarer than one said once: else the first few memories of a
# subject would never share enough with what contradicts them.
SHARED = """
    WITH hits AS (
        SELECT t.version_id, t.term FROM recall_term AS t
        JOIN ledger_memoryversion AS v ON v.tenant_id = t.tenant_id AND v.id = t.version_id
        WHERE t.tenant_id = %(tenant)s AND t.subject_id = %(subject)s
          AND t.term = ANY(%(terms)s) AND v.recorded_to IS NULL
    ), corpus AS (
        SELECT documents FROM recall_corpus WHERE tenant_id = %(tenant)s AND id = %(subject)s
    ), rarity AS (
        SELECT term, ln(1 + (documents - n + 0.5) / (n + 0.5)) AS idf
        FROM unnest(%(terms)s::bigint[]) AS wanted(term)
        LEFT JOIN LATERAL (SELECT greatest(count(*), 1) AS n FROM hits
                           WHERE hits.term = wanted.term) c ON true
        CROSS JOIN corpus
    )
    SELECT max(share)::float8 FROM (
        SELECT sum(idf) / nullif((SELECT sum(idf) FROM rarity), 0) AS share
        FROM hits JOIN rarity USING (term) GROUP BY version_id
    ) AS shares
"""


def lexical_arm(cipher: SubjectCipher, question: str, ranking: Ranking) -> dict[UUID, float]:
    """BM25 score by version id; versions that share no term are absent."""
    terms = sorted({cipher.term(term) for term in terms_of(question)})
    if not terms:
        return {}
    return _scores(
        LEXICAL,
        {
            "tenant": current_tenant(),
            "subject": cipher.subject_id,
            "terms": terms,
            "k1": ranking.bm25_k1,
            "b": ranking.bm25_b,
        },
    )


def vector_arm(cipher: SubjectCipher, question: Vectors) -> dict[UUID, float]:
    """Cosine similarity (−1 to 1) by version id; versions not encoded yet are absent."""
    return _scores(VECTOR, _asked_near(cipher, question))


def nearest(
    cipher: SubjectCipher, vector: Vectors, limit: int, agent: str = ""
) -> dict[UUID, float]:
    """The same for the `limit` nearest of the current versions, perhaps of one agent only."""
    return _scores(NEAREST, _asked_near(cipher, vector) | {"limit": limit, "agent": agent})


def shared_words(cipher: SubjectCipher, text: str) -> float:
    """The largest share (0–1) of the text's words, by rarity, that one current version has."""
    terms = sorted({cipher.term(term) for term in terms_of(text)})
    subject = cipher.subject_id
    parameters: dict[str, Any] = {"tenant": current_tenant(), "subject": subject, "terms": terms}
    with connection.cursor() as cursor:
        cursor.execute(SHARED, parameters)
        return float(cursor.fetchone()[0] or 0.0)


def _asked_near(cipher: SubjectCipher, vector: Vectors) -> dict[str, Any]:
    return {
        "tenant": current_tenant(),
        "subject": cipher.subject_id,
        "encoder": encoder().name,
        "question": "[" + ",".join(f"{x:.6f}" for x in vector) + "]",
    }


def _scores(sql: str, parameters: dict[str, Any]) -> dict[UUID, float]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return dict(cursor.fetchall())
