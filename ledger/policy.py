"""The policy of a tenant: every number that rules writing and recall, with its default.

Version 0 is the built-in policy, which rules while a tenant has written none of its own.
"""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ranking(_Section):
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


class Context(_Section):
    """What is packed for the agent's model."""

    token_budget: int = Field(2_000, ge=50, le=100_000)


class Attributes(_Section):
    """Which attributes hold one value at a time. All others may hold several."""

    single_valued: frozenset[str] = frozenset(
        {
            "age",
            "birthday",
            "diet",
            "email",
            "employer",
            "gender",
            "height",
            "home_address",
            "home_city",
            "job_title",
            "language",
            "marital_status",
            "name",
            "nickname",
            "phone",
            "time_zone",
            "weight",
        }
    )


class Retention(_Section):
    """How long derived records are kept."""

    trace_days: int = Field(30, ge=1, le=3_650)
    # Days that memories of a kind hold at most; a kind that is not named holds until it is ended.
    memory_days: dict[str, Annotated[int, Field(ge=1, le=36_500)]] = {}


class Policy(_Section):
    """One version of a tenant's rules."""

    version: int = 0
    ranking: Ranking = Ranking()
    context: Context = Context()
    attributes: Attributes = Attributes()
    retention: Retention = Retention()
