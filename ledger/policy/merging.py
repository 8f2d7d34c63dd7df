"""The policy's section about statements that meet: the same, in place of, besides."""

from pydantic import Field

from ledger.policy.section import Section


class Merging(Section):
    """When two statements are the same, and when one takes the other's place.

    Similarities are cosines of the bundled encoder's passages; texts with Han characters lie
    closer together and have thresholds of their own.
    """

    # From here on two texts are the same that differ in wording, and not in an object.
    same_from: float = Field(0.945, ge=0, le=1)
    same_from_han: float = Field(0.971, ge=0, le=1)
    # Below, they are about different things unless their words or attributes say otherwise.
    related_from: float = Field(0.84, ge=0, le=1)
    related_from_han: float = Field(0.91, ge=0, le=1)
    # Share of the shorter text's content words from which on they are about one thing, and how
    # many that must be (characters in Chinese) where they are not similar.
    overlap_from: float = Field(0.5, ge=0, le=1)
    shared_from: int = Field(2, ge=1, le=20)
    shared_from_han: int = Field(3, ge=1, le=20)
    # Probability, by the judge, from which on texts that no rule decides are the same, and from
    # which on the new one takes the old one's place.
    merge_from: float = Field(0.45, ge=0, le=1)
    replace_from: float = Field(0.7, ge=0, le=1)
    # The first of the two where one text has a number, a name, a time or a person that the other
    # lacks.
    merge_uneven_from: float = Field(0.7, ge=0, le=1)
    # Probability of either, at a glance, from which on the judge reads both texts together.
    read_from: float = Field(0.1, ge=0, le=1)
    # Probability of either from which on a person decides, where neither is that likely and the
    # texts are plainly about one thing: by attribute, by overlap, or as similar as this.
    doubt_from: float = Field(0.3, ge=0, le=1)
    doubt_similar: float = Field(0.87, ge=0, le=1)
    doubt_similar_han: float = Field(0.935, ge=0, le=1)
    # What a rule found stands if the judge holds it for as likely as this; else a person decides,
    # or it counts for nothing where the texts are not plainly about one thing.
    confirmed_from: float = Field(0.5, ge=0, le=1)
    # The weight that confirmations rise to, and the least one.
    weight_cap: float = Field(2.0, ge=1, le=10)
    weight_floor: float = Field(0.2, ge=0, le=1)
    # Share of the way to the cap, and to full confidence, that one step covers.
    weight_step: float = Field(0.2, ge=0, le=1)
    confidence_step: float = Field(0.3, ge=0, le=1)
    # Believed statements with which a new one is compared, the most similar first.
    candidates: int = Field(8, ge=1, le=50)
