"""The policy's section about admission: which texts are worth remembering."""

from pydantic import Field

from ledger.policy.section import Section


class Admission(Section):
    """What is worth remembering."""

    # Probability, by the classifier, from which on a text that no rule decides is admitted.
    threshold: float = Field(0.5, ge=0, le=1)
    # The same for a memory that a client states by itself: it means to. At 0 the rules decide alone
    # and no write waits for the encoder.
    stated_threshold: float = Field(0.0, ge=0, le=1)
    # Letters (of any script) below which a text can say nothing.
    min_letters: int = Field(2, ge=0, le=100)
    # Times that a text says one and the same thing in a row before it counts as noise.
    repeats_from: int = Field(3, ge=2, le=100)
    # Share of characters garbled by a wrong encoding from which on a text counts as mojibake.
    garbled_share: float = Field(0.1, gt=0, le=1)

    @property
    def for_stated(self) -> "Admission":
        """The rules for what a client states by itself."""
        return self.model_copy(update={"threshold": self.stated_threshold})
