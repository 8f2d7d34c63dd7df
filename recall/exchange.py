"""What is asked of recall, and what it gives back. Data only."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from ledger.masking import Reader
from ledger.policy import Policy
from ledger.selectors import AsOf, MemoryView
from recall.filters import NO_FILTERS, Filters
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked, and within which bounds.

    The context begins with the notes of the `task` and with the `session`'s summary and newest
    turns, if these are named. `kinds` and `filters` choose among memories; they leave this
    beginning as it is.
    """

    subject: str
    query: str
    top_k: int = 10
    token_budget: int | None = None
    valid_at: datetime | None = None
    known_at: datetime | int | None = None
    kinds: tuple[str, ...] = ()
    filters: Filters = NO_FILTERS
    min_score: float | None = None
    session: str = ""
    task: str = ""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question on its way: who asks what of whom, as of when, under which policy.

    `question` has its private values masked; `said` is its words as they were asked, which go
    nowhere but, hashed, into the search by words.
    """

    principal: Principal
    subject: Subject
    cipher: SubjectCipher
    reader: Reader
    question: Question
    said: str
    at: AsOf
    policy: Policy


@dataclass(frozen=True)
class Recalled:
    """One memory of an answer, with its score and how it came there."""

    memory: MemoryView
    score: float
    score_breakdown: dict[str, float]
    why: str


@dataclass(frozen=True)
class Answer:
    """What recall gives back.

    `withheld` counts, by rule, the candidates of the trace that were held back. `not_encoded`
    counts the versions that could not be found by meaning: too new. `missing` names what recall had
    to do without: `vector` (the encoder), `cache`. `cached` says that it was answered before.
    """

    trace: UUID
    at: AsOf
    seq: int
    memories: list[Recalled]
    context: str
    tokens: int
    footer: str
    withheld: dict[str, int]
    not_encoded: int
    missing: list[str]
    cached: bool = False
