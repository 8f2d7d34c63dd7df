"""The policy's section about extraction: how a text becomes drafts of memories."""

from typing import Annotated

from pydantic import Field, field_validator

from ledger.policy.section import Section

Importance = Annotated[int, Field(ge=1, le=10)]

# By attribute, by kind, and by cue ("life_event", "safety", "health", "feeling", "relation",
# "recurring_problem", "deadline": a commitment or an appointment with its time): the highest of
# those that hold for a draft is its importance. "chatter" takes the place of fact and event where
# there is no slot, date, preference, habit or plan; a "remark" to the agent about the talk itself
# weighs no more than that.
DEFAULT_IMPORTANCE: dict[str, int] = {
    **dict.fromkeys(["allergy", "health_condition", "safety"], 9),
    **dict.fromkeys(["name", "birthday", "diet", "diet_restriction", "medication"], 8),
    **dict.fromkeys(["nickname", "gender", "age", "home_city", "home_address", "life_event"], 8),
    "deadline": 8,
    "health": 7,
    **dict.fromkeys(["email", "phone", "commitment", "recurring_problem"], 7),
    **dict.fromkeys(["instruction", "language", "marital_status", "partner", "child"], 7),
    **dict.fromkeys(["employer", "job_title", "school", "hometown", "work_city", "goal"], 6),
    **dict.fromkeys(["pet", "time_zone", "height", "weight", "habit", "speaks", "relation"], 6),
    **dict.fromkeys(["preference", "likes", "dislikes", "hobby"], 5),
    **dict.fromkeys(["fact", "event", "feeling"], 4),
    "chatter": 3,
    "remark": 2,
}


class Extraction(Section):
    """How a text becomes statements."""

    # Ask the language model, if one is configured. The rules take over where it fails.
    use_model: bool = True
    # Characters that one sentence holds at most; longer ones are cut at a comma or a space.
    # The work of a sentence grows with the square of its length.
    longest_sentence: int = Field(600, ge=80, le=2_000)
    # Importance by attribute, kind or cue. One that is not named is as by default.
    importance: dict[str, Importance] = Field(default_factory=lambda: dict(DEFAULT_IMPORTANCE))
    # Added to the importance of what is said with emphasis ("so happy", 特别, three "!").
    emphasis_bonus: int = Field(1, ge=0, le=5)
    # Taken from the importance of small talk, by its intent (thanks, greetings).
    small_talk_malus: int = Field(2, ge=0, le=5)
    # Confidence of what is said plainly, of what is hedged ("maybe"), and of what others said.
    plain_confidence: float = Field(1.0, ge=0, le=1)
    hedged_confidence: float = Field(0.6, ge=0, le=1)
    reported_confidence: float = Field(0.7, ge=0, le=1)
    # The hour, in the speaker's zone, at which a whole day's commitment is due.
    due_hour: int = Field(9, ge=0, le=23)
    # Cosine between a text and an intent's centroid, both centred, from which on it has the intent.
    intent_from: float = Field(0.2, ge=-1, le=1)
    # The same, from which on an intent decides the kind of memory, or that it is small talk.
    kind_from: float = Field(0.35, ge=-1, le=1)
    # Added to that cosine where a keyword of the intent stands in the text.
    keyword_bonus: float = Field(0.2, ge=0, le=2)

    @field_validator("importance", mode="after")
    @classmethod
    def _complete(cls, importance: dict[str, int]) -> dict[str, int]:
        return DEFAULT_IMPORTANCE | importance
