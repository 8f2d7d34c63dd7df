"""From the admitted sentences of what a person said to drafts of memories, by rules."""

from collections.abc import Sequence
from typing import Any

from ledger.drafts import Draft, Said
from ledger.extraction.clauses import pieces
from ledger.extraction.intents import Encode, Intent, intents
from ledger.extraction.kinds import kind_of
from ledger.extraction.language import plain
from ledger.extraction.reading import Reading, read
from ledger.extraction.slots import STOP, WAS
from ledger.extraction.surroundings import context, recurring, slot_details
from ledger.extraction.validity import When, when
from ledger.extraction.weighing import confidence, importance
from ledger.polarity import negated, stance
from ledger.policy.extraction import Extraction

Span = tuple[int, int]


def extract(
    said: Said,
    admitted: Sequence[Span],
    policy: Extraction,
    encode: Encode | None,
    encoder: str = "",
) -> list[Draft]:
    """The drafts of the admitted spans of `said.text`, in the text's order; one or more for each.

    `encode` gives one vector for each text (rows); None: keywords alone tell the intent. `encoder`
    is its name: prototypes are encoded once for each name, and without one for each callable.

    A draft's content is its span of the text, in the person's words, after "speaker: " where a
    speaker is named; then details "about" has that name, for the slot is the speaker's. What ends
    or denies a slot ("I don't live in Paris anymore") has polarity -1, no attribute and no value,
    but details "ends" or "denies" (see surroundings.slot_details). Moments in details are RFC 3339
    in UTC: "due_at", "occurs_from", "occurs_to", "occurred_from", "occurred_to".
    """
    text = plain(said.text)
    parts = [part for start, end in admitted for part in pieces(text, start, end)]
    texts = [said.text[slice(*part.span)] for part in parts]
    meant = intents(texts, policy, encode, encoder)
    return [
        _draft(read(said, own, text[slice(*part.span)], part.found), part.span, intent, policy)
        for part, own, intent in zip(parts, texts, meant, strict=True)
    ]


def _draft(reading: Reading, span: Span, intent: Intent | None, policy: Extraction) -> Draft:
    kind, rule = kind_of(reading, intent)
    period = when(reading, kind, policy)
    claims = _claims(reading, period)
    attribute = reading.found.attribute if reading.found and claims else ""
    value = _value(reading, span)
    rules = [rule, *_slot_rules(reading, rule), *period.rules]
    return Draft(
        content=_content(reading),
        span=span,
        kind=kind,
        attribute=attribute,
        value=value if attribute else None,
        polarity=_polarity(reading, span, claims),
        confidence=confidence(reading, policy),
        importance=importance(reading, kind, attribute, intent, policy),
        valid_from=period.valid_from,
        valid_to=period.valid_to,
        details=_details(reading, period, intent, slot_details(reading, value, claims)),
        decided_by=tuple(rules),
    )


def _content(reading: Reading) -> str:
    speaker = reading.said.speaker
    return f"{speaker}: {reading.text}" if speaker else reading.text


def _claims(reading: Reading, period: When) -> bool:
    """Whether the slot holds, or held for a period that is known."""
    found = reading.found
    if found is None or found.denied or found.how == STOP:
        return False
    return period.is_period if found.how == WAS else True


def _value(reading: Reading, span: Span) -> str | None:
    if reading.found is None or reading.found.value is None:
        return None
    start, end = reading.found.value
    return reading.text[start - span[0] : end - span[0]]


def _slot_rules(reading: Reading, rule: str) -> list[str]:
    """The slot's rule, where another rule decided the kind."""
    own = f"pattern:{reading.found.attribute}" if reading.found else rule
    return [own] if own != rule else []


def _polarity(reading: Reading, span: Span, claims: bool) -> int:
    """That of the slot's own words, where there is one: other clauses say other things."""
    found = reading.found
    if found is not None and not claims:
        return -1
    start, end = found.span if found else span
    text = reading.text[start - span[0] : end - span[0]]
    return stance(text) or (-1 if negated(text) else 1)


def _details(
    reading: Reading, period: When, intent: Intent | None, slot: dict[str, Any]
) -> dict[str, Any]:
    details: dict[str, Any] = {**period.details, **slot, **recurring(reading), **context(reading)}
    if intent is not None:
        details["intent"] = intent.code
    if reading.said.speaker:
        details["about"] = reading.said.speaker
    return details
