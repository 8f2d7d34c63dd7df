"""The policy's sections about recall: ranking and the packed context."""

from pydantic import Field

from ledger.policy.section import Section


class Ranking(Section):
    """How candidates are scored. Weights multiply numbers between about 0 and 1."""

    relevance: float = Field(1.0, ge=0, le=10)
    recency: float = Field(0.15, ge=0, le=10)
    importance: float = Field(0.1, ge=0, le=10)
    # Share of each arm in relevance, after both are standardised over the candidates.
    lexical_share: float = Field(0.3, ge=0, le=1)
    vector_share: float = Field(0.7, ge=0, le=1)
    # BM25's saturation and length normalisation (Robertson & Zaragoza 2009).
    bm25_k1: float = Field(1.2, ge=0, le=5)
    bm25_b: float = Field(0.75, ge=0, le=1)
    recency_half_life_days: float = Field(30.0, gt=0, le=36_500)
    candidates_per_arm: int = Field(100, ge=10, le=1_000)
    # Memories written a moment ago are encoded inside the recall, if they are not more than this.
    catch_up: int = Field(16, ge=0, le=200)


class Context(Section):
    """What is packed for the agent's model."""

    token_budget: int = Field(2_000, ge=50, le=100_000)
