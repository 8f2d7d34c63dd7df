"""Summaries of a session: its most useful statements, in their own words. Pure.

Maximal marginal relevance (Carbonell & Goldstein 1998) over words and pairs of Chinese characters.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from ledger.policy.reflection import Reflection
from ledger.reflection.lexicon import lexicons, stop_stems
from ledger.reflection.remembered import DERIVED, Remembered, in_order
from ledger.reflection.words import fold, likeness, terms_of, tokens_of

BREAK = "\n"  # stands between two statements
MOST_IMPORTANT = 10  # the upper end of importance
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True)
class Summary:
    """One statement a line, oldest first; `sources` are the memories of the lines, in order."""

    content: str
    sources: tuple[UUID, ...]


@dataclass(frozen=True)
class _Statement:
    at: int
    fact: Remembered
    text: str
    folded: str
    terms: frozenset[str]
    # What makes two statements in nearly the same words say different things.
    particulars: tuple[object, ...]
    usefulness: float


def summarise(facts: Sequence[Remembered], policy: Reflection) -> Summary | None:
    """The most useful statements that fit, each a fact's own content; None if there are too few.

    A statement is never cut: one that is longer than a summary may be is left out.
    """
    told = [fact for fact in in_order(facts) if fact.kind not in DERIVED and fact.content.split()]
    if len(told) < policy.summary_facts:
        return None
    chosen = sorted(_chosen(_statements(told, policy), policy), key=lambda one: one.at)
    if not chosen:
        return None
    return Summary(
        content=BREAK.join(one.text for one in chosen),
        sources=tuple(one.fact.memory for one in chosen),
    )


def _statements(facts: Sequence[Remembered], policy: Reflection) -> list[_Statement]:
    texts = [" ".join(fact.content.split()) for fact in facts]
    fitting = [at for at, text in enumerate(texts) if len(text) <= policy.summary_length]
    terms = {at: terms_of(texts[at], without=stop_stems()) for at in fitting}
    common = Counter(term for found in terms.values() for term in found)
    coverage = {at: sum(common[term] - 1 for term in terms[at]) for at in fitting}
    widest = max(coverage.values(), default=0) or 1
    return [
        _Statement(
            at=at,
            fact=facts[at],
            text=texts[at],
            folded=fold(texts[at]),
            terms=terms[at],
            particulars=_particulars(facts[at], texts[at]),
            usefulness=_usefulness(facts[at], coverage[at] / widest, policy),
        )
        for at in fitting
    ]


def _usefulness(fact: Remembered, coverage: float, policy: Reflection) -> float:
    return (
        policy.importance_share * fact.importance / MOST_IMPORTANT
        + policy.weight_share * fact.weight / (1 + fact.weight)
        + policy.coverage_share * coverage
    )


def _particulars(fact: Remembered, text: str) -> tuple[object, ...]:
    numbers = tuple(sorted(NUMBER.findall(fold(text))))
    negations = sum(1 for _ in lexicons()["negation"].hits(tokens_of(text)))
    return numbers, negations % 2, fact.details.get("polarity") == -1


def _chosen(statements: list[_Statement], policy: Reflection) -> list[_Statement]:
    chosen: list[_Statement] = []
    left = statements
    room = policy.summary_length
    nearest = dict.fromkeys((one.at for one in left), 0.0)
    while left and len(chosen) < policy.summary_statements:
        best = max(left, key=lambda one: (_worth(one, nearest[one.at], policy), one.at))
        chosen.append(best)
        room -= len(best.text) + len(BREAK)
        for one in left:
            nearest[one.at] = max(nearest[one.at], likeness(one.terms, best.terms))
        left = [one for one in left if len(one.text) <= room and not _repeats(one, best, policy)]
    return chosen


def _worth(one: _Statement, nearest: float, policy: Reflection) -> float:
    diversity = policy.summary_diversity
    return (1 - diversity) * one.usefulness - diversity * nearest


def _repeats(one: _Statement, other: _Statement, policy: Reflection) -> bool:
    if one.folded == other.folded:
        return True
    alike = likeness(one.terms, other.terms) >= policy.same_words
    return alike and one.particulars == other.particulars
