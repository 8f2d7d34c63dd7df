"""What every arm says of every version, pure: from a question's postings and vector to arrays."""

import numpy as np

from ledger.policy.recall import Ranking
from recall.arrays import Array
from recall.asking import Anchor, Wanted, attributes_named
from recall.relevance import Signals, rarity_of
from recall.snapshot import NEVER, Snapshot, moment

# Words of what happened that a version must share to be the moment that is meant.
LEAST_ANCHOR_WORDS = 2


class Hits:
    """The postings of a question among a snapshot's versions; a version holds a term once."""

    def __init__(self, postings: Array, snapshot: Snapshot) -> None:
        there, self._places = snapshot.places(postings["version"])
        self._n = len(snapshot)
        everywhere = postings["term"].astype(np.int64)
        self._known, self._counts = np.unique(everywhere, return_counts=True)
        self._term = everywhere[there]
        self._frequency = postings["frequency"][there].astype(np.float32)

    def matrix(self, terms: list[int]) -> Array:
        """How often each term stands in each version: shape (terms, n), float32."""
        found = np.zeros((len(terms), self._n), np.float32)
        for row, term in enumerate(terms):
            hits = self._term == term
            found[row, self._places[hits]] = self._frequency[hits]
        return found

    def held(self, terms: list[int]) -> Array:
        """How many of the terms, however many these are, each version has: shape (n)."""
        hits = np.isin(self._term, terms)
        return np.bincount(self._places[hits], minlength=self._n)

    def counts(self, terms: list[int]) -> Array:
        """How many versions of the subject hold each term, whether believed or not."""
        wanted = np.array(terms, np.int64)
        if not len(self._known):
            return np.zeros(len(wanted), np.int64)
        at = np.minimum(np.searchsorted(self._known, wanted), len(self._known) - 1)
        return np.where(self._known[at] == wanted, self._counts[at], 0)

    def rarest(self, terms: list[int], most: int) -> list[int]:
        """At most so many of the terms, in their order: those that fewest versions hold.

        Those that none holds come last: what nobody said tells the versions not apart.
        """
        counts = self.counts(terms)
        rank = np.where(counts > 0, counts, np.iinfo(np.int64).max)
        return [terms[place] for place in np.sort(np.argsort(rank, kind="stable")[:most])]


def signals_of(
    snapshot: Snapshot,
    postings: Array,
    terms: dict[str, int],
    wants: Wanted,
    vector: Array | None,
    ranking: Ranking,
) -> Signals:
    """The arrays of one question over a snapshot's versions; `terms` are hashes by term."""
    hits = Hits(postings, snapshot)
    nothing = np.full(len(snapshot), np.nan)
    alone, together = (nothing, nothing) if vector is None else snapshot.cosines(vector)
    marked = hits.counts([terms[mark] for mark in wants.marks])
    speakers = {mark for mark, count in zip(wants.marks, marked, strict=True) if count}
    asked = [terms[term] for term in wants.content_without(speakers)]
    # Each term costs arrays of all versions, and a question may have thousands.
    content = hits.rarest(asked, ranking.most_terms)
    return Signals(
        frequencies=hits.matrix(content),
        rarity=rarity_of(snapshot.documents + ranking.words_background, hits.counts(content)),
        length=snapshot.traits["length"].astype(float),
        mean_length=snapshot.terms / max(snapshot.documents, 1),
        vector=alone.astype(float),
        context=together.astype(float),
        session=np.where(snapshot.versions["session"] == 0, -1, snapshot.versions["session"]),
        named=hits.held([terms[mark] for mark in speakers]) > 0,
        exact=_exact(snapshot, hits, terms, wants),
        period=_period(snapshot, hits, terms, wants),
        asking=snapshot.traits["asking"] / 100,
        holds_time=snapshot.traits["holds_time"],
        asks_when=wants.when,
    )


def _exact(snapshot: Snapshot, hits: Hits, terms: dict[str, int], wants: Wanted) -> Array:
    """The share of the exact things asked for that each version holds; 1 where it is the value of
    an attribute that the question names.
    """
    wanted = [terms[term] for term in wants.exact]
    share = hits.held(wanted) / max(len(wanted), 1)
    named = attributes_named(wants.question, snapshot.attributes.values())
    numbers = [number for number, name in snapshot.attributes.items() if name in named]
    result: Array = np.maximum(share, np.isin(snapshot.versions["attribute"], numbers))
    return result


def _period(snapshot: Snapshot, hits: Hits, terms: dict[str, int], wants: Wanted) -> Array:
    """Whether each version holds in the time that the question speaks of: shape (n), 0 or 1."""
    rows = snapshot.versions
    begins, ends = rows["valid_from"].astype(np.int64), rows["valid_to"].astype(np.int64)
    within = np.zeros(len(snapshot), bool)
    for dated in wants.dates:
        since, until = moment(dated.begins), NEVER if dated.ends is None else moment(dated.ends)
        # What began then, or ended; what held all the time is no sign.
        within |= (begins >= since) & (begins < until) | (ends > since) & (ends <= until)
    if wants.anchor:
        within |= _beside(wants.anchor, hits, terms, begins)
    return within.astype(float)


def _beside(anchor: Anchor, hits: Hits, terms: dict[str, int], begins: Array) -> Array:
    """What began before, or after, the version that has most of the anchor's words."""
    words = hits.held([terms[term] for term in anchor.terms])
    if not len(words) or words.max() < LEAST_ANCHOR_WORDS:
        return np.zeros(len(begins), bool)
    then = begins[words.argmax()]
    result: Array = begins < then if anchor.earlier else begins > then
    return result
