"""How well each memory answers a question, pure: one sum over signals, put through a logistic.

The sum has the same scale for every question and subject, so that its highest value also says
whether there is an answer at all. Words: BM25 (Robertson & Zaragoza 2009) over a memory and its
neighbours as weighted fields (Robertson et al. 2004, "Simple BM25 extension to multiple weighted
fields"), as a share of what the question's words could bring. Meaning: cosines, in the encoder's
own spreads.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ledger.policy.recall import Ranking
from recall.arrays import Array
from recall.neighbours import Lending, with_neighbours


@dataclass(frozen=True, eq=False)
class Signals:
    """What every arm says of n versions; those of a session side by side, in order of making.

    frequencies (terms, n) how often each content term of the question stands in each version; of
                many terms the rarest
    rarity      (terms) see `rarity_of`
    length      (n) in terms; `mean_length` is the subject's
    vector      (n) cosine of the best chunk, nan where not encoded; `context` in context
    session     (n) a number; -1 for none
    named       (n) whether it was said by somebody whom the question names
    exact       (n) share of the exact things asked for that it holds
    period      (n) 1 where it holds in a time that the question speaks of
    asking      (n) share of it that only asks; `holds_time` whether it holds a time
    """

    frequencies: Array
    rarity: Array
    length: Array
    mean_length: float
    vector: Array
    context: Array
    session: Array
    named: Array
    exact: Array
    period: Array
    asking: Array
    holds_time: Array
    asks_when: bool = False

    @cached_property
    def arms(self) -> dict[str, Array]:
        """Each arm's raw scores by its name, nan where it found nothing: shapes (n).

        The lexical one is the rarity of the question's words that a version holds, summed up.
        """
        return {
            "lexical": _or_nan(self.rarity @ (self.frequencies > 0)),
            "vector": self.vector,
            "context": self.context,
            "exact": _or_nan(self.exact),
            "period": _or_nan(self.period),
            "named": _or_nan(self.named),
        }

    @property
    def found(self) -> Array:
        """Which versions any arm found: shape (n)."""
        result: Array = ~np.isnan(np.array(list(self.arms.values()))).all(axis=0)
        return result


@dataclass(frozen=True, eq=False)
class Relevance:
    """The relevance (n), from 0 to 1, and by name the parts (n) of the sum behind it."""

    relevance: Array
    parts: dict[str, Array]


def rarity_of(documents: int, holding: Array) -> Array:
    """BM25's inverse document frequency of terms that so many of the documents hold.

    A word that nobody has said yet is no rarer than one said once.
    """
    held = np.maximum(holding, 1)
    rarity: Array = np.log1p((np.maximum(documents - held, 0) + 0.5) / (held + 0.5))
    return rarity


def relevance(signals: Signals, ranking: Ranking) -> Relevance:
    """The relevance of each version. Time and memory are linear in terms times n."""
    parts = {
        "words": _words(signals, ranking),
        "meaning": ranking.meaning_weight * _meaning(signals, ranking),
        "named": ranking.named_weight * _telling(signals.named),
        "exact": ranking.exact_weight * signals.exact,
        "period": ranking.period_weight * signals.period,
        "time": ranking.time_weight * (signals.holds_time & signals.asks_when),
        "asking": -ranking.asking_penalty * signals.asking,
        "length": ranking.length_weight * _longer(signals),
    }
    total: Array = np.sum(list(parts.values()), axis=0)
    return Relevance(_logistic(total, ranking), parts)


def _words(signals: Signals, ranking: Ranking) -> Array:
    """The share, by rarity, of the question's words that a version has, or its neighbours have.

    Who answers seldom repeats the question's words. The caution keeps a common word or two from
    making a whole.
    """
    b = ranking.bm25_b
    normal = np.maximum(1 - b + b * signals.length / max(signals.mean_length, 1.0), 1e-9)
    # The one array that grows with the question: no wider than it came.
    width = signals.frequencies.dtype
    lending = Lending(
        ranking.words_before, ranking.words_after, ranking.words_fade, ranking.words_reach
    )
    around = with_neighbours(signals.frequencies / normal.astype(width), signals.session, lending)
    # With k1 = 0 an absent word would be 0 / 0.
    around /= np.maximum(around + ranking.bm25_k1, 1e-9)
    share: Array = signals.rarity.astype(width) @ around
    return share / max(float(signals.rarity.sum()) + ranking.words_caution, 1e-9)


def _meaning(signals: Signals, ranking: Ranking) -> Array:
    """The cosine above a middle, in spreads; what is not encoded yet is taken for average.

    The middle lies between what this question finds on average and what says the same.
    """
    alone = np.where(np.isnan(signals.vector), signals.context, signals.vector)
    together = np.where(np.isnan(signals.context), alone, signals.context)
    cosine = ranking.context_share * together + (1 - ranking.context_share) * alone
    known = ~np.isnan(cosine)
    if not known.any():
        return np.zeros(len(cosine))
    mean = float(cosine[known].mean())
    middle = ranking.cosine_own * mean + (1 - ranking.cosine_own) * ranking.cosine_alike
    result: Array = (np.where(known, cosine, mean) - middle) / ranking.cosine_spread
    return result


def _telling(named: Array) -> Array:
    """For those whom the question names, against all others; a name that all bear tells nothing."""
    if not named.any() or named.all():
        return np.zeros(len(named))
    return np.where(named, 0.5, -0.5)


def _longer(signals: Signals) -> Array:
    """By how many times longer than the average, as a natural logarithm."""
    result: Array = np.log((signals.length + 1) / (signals.mean_length + 1))
    return result


def _logistic(total: Array, ranking: Ranking) -> Array:
    steep = np.clip(ranking.steepness * (total - ranking.middle), -500, 500)
    result: Array = 1 / (1 + np.exp(-steep))
    return result


def _or_nan(values: Array) -> Array:
    return np.where(values > 0, values, np.nan)
