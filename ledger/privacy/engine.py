"""All recognisers in one of Presidio's registries, and how a batch of texts goes through them."""

from collections.abc import Sequence
from functools import cache

from presidio_analyzer import EntityRecognizer, RecognizerRegistry, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from ledger.policy.privacy import Action, Privacy, PrivateKind
from ledger.privacy import (
    chinese_names,
    english_names,
    ip_addresses,
    numbers,
    passwords,
    phones,
    secrets,
    tagger,
)
from ledger.privacy.findings import Finding, settled
from ledger.privacy.reading import read
from ledger.privacy.rules import LANGUAGE, RULE


@cache
def _registry() -> RecognizerRegistry:
    recognisers: list[EntityRecognizer] = [
        *phones.RECOGNISERS,
        *numbers.RECOGNISERS,
        *ip_addresses.RECOGNISERS,
        *secrets.RECOGNISERS,
        *passwords.RECOGNISERS,
        english_names.EnglishNames(),
        chinese_names.ChineseNames(),
    ]
    return RecognizerRegistry(recognisers, supported_languages=[LANGUAGE])


def warm() -> None:
    """Loads the models, which takes seconds."""
    _registry()
    tagger.tagger()
    english_names.model()
    chinese_names.model()


def find(texts: Sequence[str], privacy: Privacy) -> list[list[Finding]]:
    """What is private in each text, of the kinds that are not kept."""
    kinds: list[str] = [k for k, action in privacy.actions.items() if action is not Action.KEEP]
    if not kinds:
        return [[] for _ in texts]
    # Not by get_recognizers, which refuses kinds that no recogniser has: the tagger is none.
    recognisers = [r for r in _registry().recognizers if {*kinds} & {*r.supported_entities}]
    readings = [read(text) for text in texts]
    heard = _heard(readings, privacy) if PrivateKind.NAME in kinds else {}
    found = []
    for i, (text, reading) in enumerate(zip(texts, readings, strict=True)):
        results = [
            result
            for recogniser in recognisers
            # Presidio's type does not say that there may be no artifacts.
            for result in recogniser.analyze(reading, kinds, heard.get(i))  # type: ignore[arg-type]
            if result.score >= privacy.least_score
        ]
        findings = [_finding(result) for result in results]
        found.append(settled(text, [*findings, *tagger.find(reading, privacy)]))
    return found


def _heard(readings: Sequence[str], privacy: Privacy) -> dict[int, NlpArtifacts]:
    """What the English model says, by the place of the reading, where it was asked."""
    asked = [i for i, reading in enumerate(readings) if english_names.needs_model(reading)]
    said = english_names.artifacts([readings[i] for i in asked], privacy.batch)
    return dict(zip(asked, said, strict=True))


def _finding(result: RecognizerResult) -> Finding:
    rule = result.recognition_metadata[RULE]
    return Finding(PrivateKind(result.entity_type), result.start, result.end, rule, result.score)
