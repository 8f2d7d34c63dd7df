"""What a question asks for, pure: words, speakers, exact things, times and moments between.

Exact things are looked up before anything is guessed: numbers, identifiers, quoted strings, the
placeholders of private values, and the attributes that the question names.
"""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache
from pathlib import Path

from ledger.dates import Dated, find_dates
from recall.speakers import MARK, marked
from recall.terms import terms_of
from recall.wording import asks_when, content_terms

PATTERNS = Path(__file__).with_name("asked_attributes.json")
QUOTED = re.compile(r"[\"“「『《]([^\"“”「」『』《》]{1,200})[\"”」』》]")
# A token with a digit in it that is not a short bare number: a date or a count says little.
IDENTIFIER = re.compile(r"(?:\[[A-Z_]+_\d+\]|(?=[\w./-]*\d)(?=[\w./-]*[^\W\d])[\w./-]{2,}|\d{3,})")
SIDE_EN = re.compile(r"\b(before|after|since)\s+((?:i|we|he|she|they|you|the|my|our)\b.+)", re.I)
SIDE_ZH = re.compile(r"([^，。？！,?!]{2,40}?)(之前|以前|前|之后|以后|后)(?=[，,\s]|.)")
EARLIER = frozenset({"before", "之前", "以前", "前"})


@dataclass(frozen=True)
class Anchor:
    """ "Before I moved": the terms of what happened, and on which side of it the answer lies."""

    terms: tuple[str, ...]
    earlier: bool


@dataclass(frozen=True)
class Wanted:
    """A question taken apart.

    `terms` are distinct, in order; `content` are those that are no function words, `marks` all of
    them as marks of speakers. `exact` are the terms of exact things. `when`: it asks for a time.
    """

    question: str
    terms: tuple[str, ...]
    content: tuple[str, ...]
    marks: tuple[str, ...]
    exact: tuple[str, ...]
    dates: tuple[Dated, ...]
    anchor: Anchor | None
    when: bool

    def content_without(self, speakers: Collection[str]) -> list[str]:
        """The content words but for the marked names, which are looked for by their marks."""
        kept = [term for term in self.content if MARK + term not in speakers]
        return kept or list(self.content)


def take_apart(question: str, said: str, at: datetime, zone: tzinfo) -> Wanted:
    """Take a question apart, asked at the moment `at`.

    `said` is the same with its private values in clear: it may name somebody whom masking missed
    in some of the memories.
    """
    both = f"{question}\n{said}"
    terms = _distinct(terms_of(both))
    exact = [*QUOTED.findall(question), *IDENTIFIER.findall(question)]
    return Wanted(
        question=question,
        terms=terms,
        content=tuple(content_terms(both)),
        marks=tuple(marked(terms)),
        exact=_distinct(term for text in exact for term in terms_of(text)),
        dates=tuple(find_dates(question, at, zone)),
        anchor=_anchor(question),
        when=asks_when(question),
    )


def attributes_named(question: str, attributes: Iterable[str]) -> set[str]:
    """Of a subject's attributes those that the question asks for: in the words that people use
    ("where do I live" asks for home_city), or by every word of the attribute's name.
    """
    asked = set(terms_of(question))
    return {name for name in attributes if _asks_for(name, question, asked)}


def _asks_for(attribute: str, question: str, terms: Collection[str]) -> bool:
    words = set(terms_of(re.sub(r"[_.-]", " ", attribute)))
    if words and words <= set(terms):
        return True
    return any(pattern.search(question) for pattern in _patterns().get(attribute, ()))


@cache
def _patterns() -> dict[str, list[re.Pattern[str]]]:
    """How people ask for the attributes that extraction knows, English and Chinese."""
    read: dict[str, list[str]] = json.loads(PATTERNS.read_text(encoding="utf-8"))
    return {name: [re.compile(p, re.IGNORECASE) for p in found] for name, found in read.items()}


def _anchor(question: str) -> Anchor | None:
    if match := SIDE_EN.search(question):
        side, clause = match[1].lower(), match[2]
    elif match := SIDE_ZH.search(question):
        clause, side = match[1], match[2]
    else:
        return None
    terms = _distinct(terms_of(clause))
    return Anchor(terms, side in EARLIER) if terms else None


def _distinct(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
