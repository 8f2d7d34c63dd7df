"""A recogniser of private things that have a shape: rules, each a pattern and a check."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from presidio_analyzer import LocalRecognizer, RecognizerResult

from ledger.policy.privacy import PrivateKind

# All recognisers look at texts in any mixture of languages (ISO 639-2 "mul").
LANGUAGE = "mul"
RULE = "rule"

# `\b` would not see the border between a Latin and a Chinese character: these do.
FROM = r"(?<![0-9A-Za-z_¥$€£])(?<![0-9][.-])"
TO = r"(?![0-9A-Za-z_])(?![.-][0-9])"


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of half-width text, in any case."""
    return re.compile(pattern, re.ASCII | re.IGNORECASE)


def told(match: re.Match[str]) -> tuple[int, int]:
    """Where the group `value` of a match lies, or else all of it."""
    return match.span("value" if "value" in match.re.groupindex else 0)


@dataclass(frozen=True)
class Rule:
    """What `span` says of a match of the pattern is private where the check holds."""

    name: str
    pattern: re.Pattern[str]
    score: float
    check: Callable[[re.Match[str]], bool] = lambda match: True
    span: Callable[[re.Match[str]], tuple[int, int]] = told


class Shapes(LocalRecognizer):
    """Finds one kind by its rules."""

    def __init__(self, kind: PrivateKind, rules: Sequence[Rule]) -> None:
        super().__init__([kind], name=f"{kind} by shape", supported_language=LANGUAGE)
        self.kind = kind
        self.rules = rules

    def load(self) -> None:
        """Nothing to load: the patterns are compiled already."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: Any = None
    ) -> list[RecognizerResult]:
        """What the rules find in a reading."""
        return [
            result(self.kind, match, rule)
            for rule in self.rules
            for match in rule.pattern.finditer(text)
            if rule.check(match)
        ]


def result(kind: PrivateKind, match: re.Match[str], rule: Rule) -> RecognizerResult:
    """A rule's match as Presidio's result."""
    return found(kind, *rule.span(match), rule.name, rule.score)


def found(kind: PrivateKind, start: int, end: int, rule: str, score: float) -> RecognizerResult:
    """Presidio's result, with the name of the rule."""
    return RecognizerResult(kind, start, end, score, recognition_metadata={RULE: rule})


def value(match: re.Match[str]) -> str:
    """What a match says is private."""
    return match.string[slice(*told(match))]


def digits(text: str) -> str:
    """The decimal digits of a half-width text."""
    return "".join(c for c in text if "0" <= c <= "9")
