"""The policy's section about the language model: how long it is asked, and how it is believed."""

from pydantic import Field

from ledger.policy.section import Section
from ledger.policy.storage import Attributes


class Model(Section):
    """Bounds on the calls of a language model, and on what is taken from its answers."""

    # Seconds that one attempt may take, its answer included.
    timeout_seconds: float = Field(20.0, gt=0, le=300)
    # Seconds that all attempts at one question may take together.
    total_seconds: float = Field(45.0, gt=0, le=900)
    # Attempts after the first one: when the server is away, busy, slow or broken.
    retries: int = Field(2, ge=0, le=10)
    # Seconds before the first retry; doubled before each further one.
    backoff_seconds: float = Field(0.5, ge=0, le=60)
    # The longest wait that a server may ask for (Retry-After); if it asks for more, we give up.
    longest_wait_seconds: float = Field(10.0, ge=0, le=300)
    # Tokens that the model may write.
    max_tokens: int = Field(2_000, ge=50, le=100_000)
    # Bytes of an answer, its envelope included; a longer one is not read to its end.
    answer_bytes: int = Field(1_000_000, ge=1_000, le=100_000_000)
    # How free the model is in its words; 0 is the most likely answer.
    temperature: float = Field(0.0, ge=0, le=2)
    # Characters of a text, or of all texts to sum up; a longer one is not sent.
    text_characters: int = Field(20_000, ge=100, le=1_000_000)
    # How many of the texts said before are shown, and how many characters of each one's end.
    context_texts: int = Field(4, ge=0, le=50)
    context_characters: int = Field(500, ge=0, le=20_000)
    # Statements taken from one text; further ones are dropped.
    statements: int = Field(20, ge=1, le=200)
    # Share of a statement's words that must stand in the text. Numbers and names always must.
    grounded_share: float = Field(0.9, ge=0, le=1)
    # The same of a summary's words.
    summary_grounded_share: float = Field(0.6, ge=0, le=1)
    # No statement of a model is held for more certain than this.
    most_confidence: float = Field(0.9, ge=0, le=1)
    # Attribute names that the model may use. They stand in clear, so it may not make up others.
    attributes: frozenset[str] = Attributes().single_valued | {
        "allergy",
        "child",
        "diet_restriction",
        "dislikes",
        "goal",
        "habit",
        "health_condition",
        "hobby",
        "hometown",
        "likes",
        "partner",
        "pet",
        "relation",
        "school",
        "speaks",
        "work_city",
    }
