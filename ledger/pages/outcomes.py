"""What the write path decided about a message or a memory, explained for people."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from ledger.pages.decisions import (
    DISPOSITION_WORDS,
    DROPPED_WORDS,
    EXTRACTED_BY_WORDS,
    FAILURE_WORDS,
    REASON_WORDS,
    RELATION_WORDS,
    rules_words,
    verdict_words,
)
from ledger.pages.links import Point, Then
from ledger.selectors import MemoryView

Memories = Mapping[UUID, MemoryView]
Thens = Mapping[Point, Then]
UNRELATED = "other"


@dataclass(frozen=True)
class Sentence:
    """One sentence, whether it was kept, and why."""

    text: str
    admitted: bool
    because: str


@dataclass(frozen=True)
class Met:
    """A memory that a statement was compared with, as it was then; None if that is gone."""

    then: Then | None
    of100: int
    relation: str
    reason: str


@dataclass(frozen=True)
class Comparison:
    """What a statement was compared with: what is about the same thing, and all the rest."""

    close: list[Met]
    others: list[Met]

    def __len__(self) -> int:
        return len(self.close) + len(self.others)


@dataclass(frozen=True)
class Learned:
    """One statement, and what became of it. `memory` is None if it is believed no more."""

    text: str
    memory: MemoryView | None
    disposition: str
    code: str
    because: list[str]
    compared: Comparison


@dataclass(frozen=True)
class Explained:
    """What became of one message."""

    sentences: list[Sentence]
    learned: list[Learned]
    dropped: list[tuple[str, str]]
    failure: str
    read_by: str


def learned_in(outcome: dict[str, Any]) -> set[UUID]:
    """The ids of the memories that an outcome wrote or merged with."""
    return {UUID(statement["memory"]) for statement in outcome["statements"]}


def met_in(outcome: dict[str, Any], moment: datetime) -> set[Point]:
    """The memories that an outcome's statements were compared with at `moment`."""
    return {point for item in outcome["statements"] for point in met(item["compared"], moment)}


def met(compared: Iterable[dict[str, Any]], moment: datetime) -> set[Point]:
    """The memories that a statement was compared with at `moment`."""
    return {(UUID(item["memory"]), moment) for item in compared}


def explained(
    outcome: dict[str, Any], moment: datetime, memories: Memories, thens: Thens
) -> Explained:
    """An outcome (ledger.services.learn), decided at `moment`, in words."""
    failure = outcome["model_failure"]
    return Explained(
        sentences=[_sentence(item) for item in outcome["sentences"]],
        learned=[_learned(item, moment, memories, thens) for item in outcome["statements"]],
        dropped=[
            (item["text"], _word(DROPPED_WORDS, item["reason"])) for item in outcome["dropped"]
        ],
        failure=_word(FAILURE_WORDS, failure) if failure else "",
        read_by=str(EXTRACTED_BY_WORDS.get(outcome["extracted_by"], "")),
    )


def comparison(compared: Iterable[dict[str, Any]], moment: datetime, thens: Thens) -> Comparison:
    """What a statement was compared with at `moment`, most similar first."""
    found: dict[bool, list[Met]] = {True: [], False: []}
    for item in compared:
        found[item["relation"] != UNRELATED].append(
            _met(item, thens.get((UUID(item["memory"]), moment)))
        )
    return Comparison(close=found[True], others=found[False])


def _sentence(item: dict[str, Any]) -> Sentence:
    admitted = item["admitted"]
    because = verdict_words(admitted=admitted, rule=item["rule"], score=item["score"])
    return Sentence(item["text"], admitted, because)


def _learned(item: dict[str, Any], moment: datetime, memories: Memories, thens: Thens) -> Learned:
    return Learned(
        text=item["text"],
        memory=memories.get(UUID(item["memory"])),
        disposition=_word(DISPOSITION_WORDS, item["disposition"]),
        code=item["disposition"],
        because=rules_words(item["decided_by"]),
        compared=comparison(item["compared"], moment, thens),
    )


def _met(item: dict[str, Any], then: Then | None) -> Met:
    return Met(
        then=then,
        of100=max(0, min(100, round(item["similarity"] * 100))),
        relation=_word(RELATION_WORDS, item["relation"]),
        reason=_word(REASON_WORDS, item["reason"]),
    )


def _word(words: Mapping[str, Any], code: str) -> str:
    return str(words.get(code, code))
