"""From the admitted sentences of what a person said to drafts of memories, by rules."""

from collections.abc import Iterator, Sequence
from typing import Any

from ledger.drafts import Draft, Said
from ledger.extraction.clauses import Span, pieces
from ledger.extraction.intents import Encode, Intent, intents
from ledger.extraction.joining import Part, joined
from ledger.extraction.kinds import kind_of
from ledger.extraction.language import plain
from ledger.extraction.reading import Reading, all_dates, dates_of
from ledger.extraction.slots import STOP, WAS
from ledger.extraction.splitting import short
from ledger.extraction.stating import polarity
from ledger.extraction.surroundings import context, recurring, slot_details
from ledger.extraction.validity import When, when
from ledger.extraction.weighing import confidence, importance
from ledger.policy.extraction import Extraction


def extract(
    said: Said,
    admitted: Sequence[Span],
    policy: Extraction,
    encode: Encode | None,
    encoder: str = "",
) -> list[Draft]:
    """The drafts of the admitted spans of `said.text`, in the text's order; a span gives any
    number of them, and none if it only asks the agent something. One that is longer than the
    policy's `longest_sentence` is read in parts, for the work grows with the square of a part.

    `encode` gives one vector for each text (rows); None: keywords alone tell the intent. `encoder`
    is its name: prototypes are encoded once for each name, and without one for each callable.

    A draft's content is its span of the text, in the person's words, after "speaker: " where a
    speaker is named; then details "about" has that name, for the slot is the speaker's. The span
    may hold the next sentences too, where those cannot be understood alone. What ends
    or denies a slot ("I don't live in Paris anymore") has polarity -1, no attribute and no value,
    but details "ends" or "denies" (see surroundings.slot_details). Where the same words fill more
    slots, details "slots" has them, attribute to value, beside the draft's own. Moments in details
    are RFC 3339 in UTC: "due_at", "occurs_from", "occurs_to", "occurred_from", "occurred_to".
    """
    text = plain(said.text)
    spans = [part for span in admitted for part in short(text, span, policy.longest_sentence)]
    readings = [reading for span in spans for reading in _read(said, text, span)]
    parts = joined(text, [reading.piece for reading in readings], policy.longest_sentence)
    by_piece = {reading.piece: reading for reading in readings}
    heads = [by_piece[part.piece] for part in parts]
    meant = intents([head.text for head in heads], policy, encode, encoder)
    return [
        _draft(head, part, intent, policy)
        for head, part, intent in zip(heads, parts, meant, strict=True)
    ]


def _read(said: Said, text: str, span: Span) -> Iterator[Reading]:
    """The pieces of one admitted span, each with its dates."""
    dates = all_dates(said, span)
    own = pieces(text, *span, dates, said.speaker)
    for piece in own:
        yield Reading(
            said=said,
            text=said.text[slice(*piece.span)],
            plain=text[slice(*piece.span)],
            piece=piece,
            dates=dates_of(piece, own, dates),
        )


def _draft(reading: Reading, part: Part, intent: Intent | None, policy: Extraction) -> Draft:
    kind, rule = kind_of(reading, intent)
    period = when(reading, kind, policy)
    claims = _claims(reading, period)
    attribute = reading.found.attribute if reading.found and claims else ""
    value = reading.value(reading.found)
    rules = [rule, *_slot_rules(reading, rule), *period.rules]
    return Draft(
        content=_content(reading.said, part),
        span=part.span,
        kind=kind,
        attribute=attribute,
        value=value if attribute else None,
        polarity=polarity(reading, claims),
        confidence=confidence(reading, policy),
        importance=importance(reading, (kind, rule), attribute, intent, period, policy),
        valid_from=period.valid_from,
        valid_to=period.valid_to,
        details=_details(reading, period, intent, slot_details(reading, value, claims)),
        decided_by=tuple(rules),
    )


def _content(said: Said, part: Part) -> str:
    words = said.text[slice(*part.span)]
    return f"{said.speaker}: {words}" if said.speaker else words


def _claims(reading: Reading, period: When) -> bool:
    """Whether the slot holds, or held for a period that is known."""
    found = reading.found
    if found is None or found.denied or found.how == STOP:
        return False
    return period.is_period if found.how == WAS else True


def _slot_rules(reading: Reading, rule: str) -> list[str]:
    """The slots' rules, where another rule decided the kind."""
    own = [reading.found] if reading.found else []
    names = [f"pattern:{one.attribute}" for one in (*own, *reading.piece.more)]
    return [name for name in names if name != rule]


def _details(
    reading: Reading, period: When, intent: Intent | None, slot: dict[str, Any]
) -> dict[str, Any]:
    details: dict[str, Any] = {**period.details, **slot, **recurring(reading), **context(reading)}
    if intent is not None:
        details["intent"] = intent.code
    if reading.said.speaker:
        details["about"] = reading.said.speaker
    return details
