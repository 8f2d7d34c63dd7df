"""The policy's sections about recall: ranking, the packed context, and what is kept at hand."""

from enum import StrEnum

from pydantic import Field

from ledger.policy.section import Section


class Decay(StrEnum):
    """How recency falls with age."""

    # Halved with every half-life.
    HALF_LIFE = "half_life"
    # Whole at first, then down to a plateau, then the slower the less the subject says.
    ACTIVITY = "activity"
    # Age does not count.
    NONE = "none"


class Occasion(StrEnum):
    """By which questions memories of a sensitive topic are recalled."""

    ALWAYS = "always"
    # By a question that speaks of the topic itself.
    WHEN_ASKED = "when_asked"
    # They stay in lists and pages.
    NEVER = "never"


class Sensitive(Section):
    """For each sensitive topic when memories that speak of it are recalled."""

    health: Occasion = Occasion.ALWAYS
    religion: Occasion = Occasion.ALWAYS
    politics: Occasion = Occasion.ALWAYS
    sexuality: Occasion = Occasion.ALWAYS
    ethnicity: Occasion = Occasion.ALWAYS


class Ranking(Section):
    """How candidates are scored. Weights multiply numbers between about 0 and 1."""

    relevance: float = Field(1.0, ge=0, le=10)
    recency: float = Field(0.02, ge=0, le=10)
    importance: float = Field(0.1, ge=0, le=10)
    # Relevance by words: BM25's saturation and length normalisation (Robertson & Zaragoza 2009).
    bm25_k1: float = Field(0.7, ge=0, le=5)
    bm25_b: float = Field(0.3, ge=0, le=1)
    # What a memory's neighbours in its session lend it of their words: the next one before and
    # after, how that fades with every place more, and how far it reaches.
    words_before: float = Field(0.4, ge=0, le=1)
    words_after: float = Field(0.3, ge=0, le=1)
    words_fade: float = Field(0.6, ge=0, le=1)
    words_reach: int = Field(4, ge=0, le=20)
    # Memories without any of the question's words that are thought to be there besides: of few
    # memories no word would be rare.
    words_background: int = Field(50, ge=0, le=10_000)
    # So much rarity is added to that of the question's words: a few common ones prove little.
    words_caution: float = Field(4.0, ge=0, le=100)
    # Of a question's words the rarest so many count: each costs an array of all memories.
    most_terms: int = Field(64, ge=8, le=512)
    # Relevance by meaning: its weight beside words, the share of the vector in context, and the
    # encoder's own scale (what it gives to texts that are alike, how far it spreads, and how much
    # of the middle is this question's own mean).
    meaning_weight: float = Field(0.08, ge=0, le=5)
    context_share: float = Field(0.7, ge=0, le=1)
    cosine_alike: float = Field(0.9, ge=-1, le=1)
    cosine_own: float = Field(0.3, ge=0, le=1)
    cosine_spread: float = Field(0.02, gt=0, le=1)
    # The scale of other encoders than the bundled one: most give 0 to texts with nothing in common.
    other_alike: float = Field(0.8, ge=-1, le=1)
    other_spread: float = Field(0.11, gt=0, le=1)
    # Said by somebody whom the question names; exactly what it asks for; in the time that it names;
    # with a time in it where it asks for one; itself a question; longer than others.
    named_weight: float = Field(0.15, ge=0, le=5)
    exact_weight: float = Field(0.1, ge=0, le=5)
    period_weight: float = Field(0.2, ge=0, le=5)
    time_weight: float = Field(0.1, ge=0, le=5)
    asking_penalty: float = Field(0.08, ge=0, le=5)
    length_weight: float = Field(0.03, ge=-1, le=1)
    # From that sum to a relevance between 0 and 1: a logistic, with the sum that gives a half.
    steepness: float = Field(5.0, gt=0, le=100)
    middle: float = Field(0.4, ge=-10, le=10)
    decay: Decay = Decay.HALF_LIFE
    recency_half_life_days: float = Field(30.0, gt=0, le=36_500)
    # Of the decay by activity: whole for so many hours, at the plateau after so many.
    fresh_hours: float = Field(24.0, ge=0, le=8_760)
    plateau_hours: float = Field(72.0, gt=0, le=8_760)
    plateau: float = Field(0.7, ge=0, le=1)
    # How far back the subject's activity is looked at.
    activity_days: int = Field(30, ge=1, le=3_650)
    # Candidates of which the trace tells everything, and as many again that were held back.
    candidates: int = Field(50, ge=10, le=1_000)
    # Least likelihood that anything said answers the question; below, nothing is returned.
    answerable_from: float = Field(0.14, ge=0, le=1)
    # Of fewer memories proportionally less is asked: of two the caller sees what is not meant.
    answerable_memories: int = Field(20, ge=1, le=100_000)
    # All of it is asked where so many memories were heard in context; with fewer it falls with the
    # root of their number, down to a share: what stands alone shows less of what it is about.
    answerable_heard: int = Field(60, ge=1, le=100_000)
    answerable_alone: float = Field(0.25, ge=0, le=1)
    # Memories written a moment ago are encoded inside the recall, if they are not more than this.
    catch_up: int = Field(16, ge=0, le=200)
    # Up to so many versions each is compared; beyond, an approximate index finds candidates.
    exact_up_to: int = Field(20_000, ge=100, le=200_000)
    # Of an approximate search: how many candidates each arm brings.
    approximate_candidates: int = Field(400, ge=50, le=5_000)

    def least_answerable(self, memories: int, heard: int) -> float:
        """The least relevance that answers, of so many memories, so many of them in context."""
        few = min(1.0, memories / self.answerable_memories)
        together = min(1.0, heard / self.answerable_heard) ** 0.5
        least: float = self.answerable_from * few * max(self.answerable_alone, together)
        return least

    def scaled_for(self, *, bundled: bool) -> "Ranking":
        """These rules with the scale of the encoder in use."""
        if bundled:
            return self
        scale = {"cosine_alike": self.other_alike, "cosine_spread": self.other_spread}
        return self.model_copy(update=scale)


class Context(Section):
    """What is packed for the agent's model."""

    token_budget: int = Field(2_000, ge=50, le=100_000)
    # Notes of the task that is named, at most.
    notes: int = Field(50, ge=0, le=1_000)
    # Newest turns of the session at the beginning, and the share of the budget they may take.
    recent_turns: int = Field(6, ge=0, le=50)
    recent_share: float = Field(0.4, ge=0, le=1)


class Cache(Section):
    """What is kept at hand in Valkey, sealed."""

    # A subject's index after the last question about it; 0: never.
    active_minutes: int = Field(60, ge=0, le=1_440)
    # The answer to a question that may be asked again; 0: never.
    answer_seconds: int = Field(300, ge=0, le=86_400)
