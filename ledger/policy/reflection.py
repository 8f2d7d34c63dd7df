"""The policy's section about reflection: when summaries and insights are made, from how much."""

from pydantic import Field

from ledger.policy.section import Section


class Reflection(Section):
    """When summaries, insights and profiles are made, and from how much."""

    # Only the first characters of a memory are read for insights and cues.
    read_characters: int = Field(1_000, ge=50, le=20_000)

    # Fewer memories than this make no summary of a session.
    summary_facts: int = Field(4, ge=1, le=1_000)
    # A summary holds at most so many characters, and so many statements.
    summary_length: int = Field(600, ge=50, le=20_000)
    summary_statements: int = Field(8, ge=1, le=100)
    # What makes a statement useful: shares of importance, weight and coverage of what was said.
    importance_share: float = Field(0.5, ge=0, le=1)
    weight_share: float = Field(0.2, ge=0, le=1)
    coverage_share: float = Field(0.3, ge=0, le=1)
    # Maximal marginal relevance: what likeness to a chosen statement costs, against usefulness.
    summary_diversity: float = Field(0.4, ge=0, le=1)
    # Two statements say the same from this share of common words on (Dice's coefficient).
    same_words: float = Field(0.7, ge=0, le=1)

    # Confidence of an inferred insight when it is first drawn.
    insight_confidence: float = Field(0.3, ge=0, le=1)
    # Share of what is missing to the ceiling that each further source adds.
    insight_growth: float = Field(0.15, ge=0, le=1)
    # An inferred insight is never surer than this.
    insight_ceiling: float = Field(0.9, ge=0, lt=1)
    insight_importance: int = Field(5, ge=1, le=10)
    # All sources of an insight lie within so many days.
    insight_window_days: int = Field(90, ge=1, le=3_650)
    # An insight names at most so many sources, the newest.
    insight_sources: int = Field(20, ge=1, le=200)
    # Memories less sure than this are no evidence.
    evidence_confidence: float = Field(0.5, ge=0, le=1)
    # Share of the evidence for and against that must speak for an insight.
    agreement: float = Field(0.75, ge=0, le=1)
    # A value longer than this, in characters, is a sentence and no topic.
    topic_length: int = Field(40, ge=1, le=200)

    # How many times, before an insight is drawn: prices compared, the same problem, days of an
    # activity at one part of the day, mentions of a topic, refusals in one area, entries on a
    # weekday.
    price_comparisons: int = Field(3, ge=2, le=100)
    repeated_problems: int = Field(3, ge=2, le=100)
    habit_days: int = Field(3, ge=2, le=100)
    topic_mentions: int = Field(4, ge=2, le=100)
    # So many of a topic's mentions must show liking, buying, learning or doing.
    clear_mentions: int = Field(2, ge=0, le=100)
    refusals: int = Field(3, ge=2, le=100)
    routine_entries: int = Field(3, ge=2, le=100)

    # Moods are inferred late, from recent days only, with little confidence and importance.
    mood_mentions: int = Field(4, ge=2, le=100)
    mood_window_days: int = Field(30, ge=1, le=3_650)
    mood_confidence: float = Field(0.2, ge=0, le=1)
    mood_importance: int = Field(2, ge=1, le=10)

    # How many memories, and which share of them, show the language that a subject uses.
    language_memories: int = Field(10, ge=2, le=1_000)
    language_share: float = Field(0.8, ge=0.5, le=1)

    # A section of a profile holds at most so many items.
    profile_items: int = Field(12, ge=1, le=200)
    profile_events: int = Field(6, ge=1, le=200)
    # Events older than this are no longer recent.
    profile_event_days: int = Field(60, ge=1, le=36_500)

    # Only so many of a subject's newest memories are read.
    most_facts: int = Field(1_000, ge=10, le=10_000)
    # A session is summarised anew whenever it has so many more turns, besides at its end.
    every_turns: int = Field(20, ge=1, le=1_000)
    # Importance of a summary as a memory.
    summary_importance: int = Field(5, ge=1, le=10)
