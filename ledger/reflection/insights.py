"""Insights: what several memories of a subject say together that none of them says alone. Pure."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection.lexicon import read_data
from ledger.reflection.reading import SOMEBODY_ELSE, SUBJECT, Reading, names_of
from ledger.reflection.remembered import DERIVED, Remembered, in_order
from ledger.reflection.rules import RULES, Rule
from ledger.reflection.signs import LANGUAGES, Sign
from ledger.reflection.words import fold, language_of, most_common_language

Signed = tuple[Reading, Sign]


@dataclass(frozen=True, kw_only=True)
class Insight:
    """A careful inference. `key` stays the same when it is drawn again from other sources."""

    key: str
    content: str
    attribute: str
    value: str | None
    sources: tuple[UUID, ...]
    confidence: float
    importance: int
    kind: str = Kind.INSIGHT.value


def insights(
    facts: Sequence[Remembered],
    policy: Reflection,
    language: Callable[[str], str] = language_of,
) -> list[Insight]:
    """What follows from several of the facts, by key, the same for any order of them.

    Nothing is ever inferred about health, religion, politics, sexuality or ethnicity: a memory in
    which one of them is spoken of is no evidence for any rule. Neither is what is believed with
    little confidence, what is about somebody else than the subject (memories about a person whose
    name is masked give insights that name the placeholder), nor an insight or a summary itself.

    `language` tells "zh" and "en" of a text; an insight is written in the one of most sources.
    """
    readings = _evidence(facts, policy)
    found = [
        insight
        for rule in RULES
        for (holder, _), signed in sorted(_by_topic(rule, readings, policy).items())
        if (insight := _drawn(rule, holder, signed, policy, language))
    ]
    return sorted(found, key=lambda insight: insight.key)


def _evidence(facts: Sequence[Remembered], policy: Reflection) -> list[Reading]:
    own = names_of(facts)
    readings = [
        Reading(fact, own, policy.read_characters)
        for fact in in_order(facts)
        if fact.kind not in DERIVED and fact.confidence >= policy.evidence_confidence
    ]
    return [
        reading for reading in readings if not reading.sensitive and reading.holder != SOMEBODY_ELSE
    ]


def _by_topic(
    rule: Rule, readings: Sequence[Reading], policy: Reflection
) -> dict[tuple[str, str], list[Signed]]:
    found: dict[tuple[str, str], list[Signed]] = defaultdict(list)
    for reading in readings:
        for sign in rule.signs(reading, policy):
            found[reading.holder, sign.topic].append((reading, sign))
    return found


def _drawn(
    rule: Rule,
    holder: str,
    signed: list[Signed],
    policy: Reflection,
    language: Callable[[str], str],
) -> Insight | None:
    """The insight of one topic, if its memories carry it. `signed` is oldest first."""
    window = _window(rule, signed, policy)
    speaking = _occasions(rule, window)
    enough = len(speaking) >= rule.agreement(policy) * len(_all_occasions(rule, window))
    clear = sum(sign.clear for _, sign in speaking)
    if not speaking or not enough or clear < rule.clear(policy):
        return None
    sources = speaking[-policy.insight_sources :]
    sign = sources[-1][1]
    spoken = (language(reading.fact.content) for reading, _ in sources)
    written = most_common_language(one for one in spoken if one in LANGUAGES)
    further = len(speaking) - rule.minimum(policy)
    key = f"{rule.name}:{sign.topic}" + (f":{holder}" if holder != SUBJECT else "")
    return Insight(
        key=key,
        content=_content(rule, holder, sign, written),
        attribute=rule.attribute,
        value=sign.words["x"][written] if sign.words else None,
        sources=tuple(reading.fact.memory for reading, _ in sources),
        confidence=_confidence(rule, further, policy),
        importance=rule.importance(policy),
    )


def _window(rule: Rule, signed: list[Signed], policy: Reflection) -> list[Signed]:
    """The latest days in which the rule's minimum is reached, and what speaks against it since.

    Nothing where it is never reached.
    """
    width = timedelta(days=rule.window_days(policy))
    times = [reading.fact.valid_from for reading, _ in _occasions(rule, signed)]
    for first in reversed(range(len(times) - rule.minimum(policy) + 1)):
        last = times[first + rule.minimum(policy) - 1]
        if last - times[first] <= width:
            return [one for one in signed if _counts(one, last, width)]
    return []


def _counts(one: Signed, last: datetime, width: timedelta) -> bool:
    reading, sign = one
    age = last - reading.fact.valid_from
    return age <= width and (age >= timedelta(0) or not sign.speaks_for)


def _occasion(rule: Rule, reading: Reading) -> tuple[str, str]:
    """What counts once: a day, or one thing said on a day."""
    day = reading.fact.valid_from.date().isoformat()
    return day, "" if rule.by_day else fold(reading.fact.content)


def _occasions(rule: Rule, signed: list[Signed]) -> list[Signed]:
    """The first memory of each occasion that speaks for the insight."""
    found: dict[tuple[str, str], Signed] = {}
    for one in signed:
        if one[1].speaks_for:
            found.setdefault(_occasion(rule, one[0]), one)
    return list(found.values())


def _all_occasions(rule: Rule, signed: list[Signed]) -> set[tuple[str, str]]:
    return {_occasion(rule, reading) for reading, _ in signed}


def _confidence(rule: Rule, further: int, policy: Reflection) -> float:
    """Starts as the policy says; each further source adds a share of what is missing."""
    start, ceiling = rule.confidence(policy), policy.insight_ceiling
    if start >= ceiling:
        return ceiling
    return round(ceiling - (ceiling - start) * (1 - policy.insight_growth) ** further, 4)


def _content(rule: Rule, holder: str, sign: Sign, language: str) -> str:
    texts = read_data("texts.json")
    words = {place: by_language[language] for place, by_language in sign.words.items()}
    text: str = texts[rule.name][language].format(**words)
    if holder == SUBJECT:
        return text[0].upper() + text[1:]
    named: str = texts["named"][language].format(name=holder, text=text)
    return named
