"""The policy's sections about the write path: admission, extraction, merging, reflection."""

from pydantic import Field

from ledger.policy.section import Section


class Admission(Section):
    """What is worth remembering."""

    # Probability, by the classifier, from which on a text that no rule decides is admitted.
    threshold: float = Field(0.5, ge=0, le=1)


class Extraction(Section):
    """How a text becomes statements."""

    # Ask the language model, if one is configured. The rules take over where it fails.
    use_model: bool = True


class Merging(Section):
    """When two statements are the same, and when one takes the other's place."""

    # Cosine similarity (bundled encoder) from which on two texts may say the same thing.
    same_from: float = Field(0.95, ge=0, le=1)


class Reflection(Section):
    """When summaries and insights are made, and from how much."""

    # Confidence of an inferred insight when it is first drawn.
    insight_confidence: float = Field(0.3, ge=0, le=1)
