"""MemoryBank's Chinese histories as conversations, with the evidence of bench/data/memorybank.

MemoryBank (Zhong et al. 2023) is not part of the repository; a folder is given that holds
`history.json`, {person: {day: [{"query", "response"}, …]}}, and `questions.json`,
{person: [question, …]}. Both sides of an exchange are memories, dated by their day.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.locomo import NoConversations
from bench.retrieval import Question
from bench.room import Talk

if TYPE_CHECKING:
    # At run time this waits until Django is set up.
    from ledger.conversations import Turn

GOLD = Path(__file__).with_name("data") / "memorybank" / "gold.json"
HISTORY, QUESTIONS = "history.json", "questions.json"
ASSISTANT = "AI"


def talks(folder: str | None) -> list[Talk]:
    """Every person with evidence. Raises NoConversations."""
    if not folder:
        raise NoConversations(
            "no folder with MemoryBank's histories was given: MEMORYBANK=FOLDER or "
            "--memorybank FOLDER."
        )
    for name in (HISTORY, QUESTIONS):
        if not (Path(folder) / name).is_file():
            raise NoConversations(f"{folder} has no {name}.")
    histories, asked, gold = (
        json.loads(path.read_text(encoding="utf-8"))
        for path in (Path(folder) / HISTORY, Path(folder) / QUESTIONS, GOLD)
    )
    return [
        Talk(person, turns(person, histories[person]), questions(asked[person], evidence))
        for person, evidence in gold.items()
    ]


def questions(texts: list[str], evidence: list[list[str]]) -> list[Question]:
    """The questions that have an answer; both lists are in the same order."""
    pairs = zip(texts, evidence, strict=True)
    return [Question(text, frozenset(turns)) for text, turns in pairs if turns]


def turns(person: str, history: dict[str, list[dict[str, Any]]]) -> "list[Turn]":
    """Both sides of every exchange; an id is the day, the exchange's number from 0, the side."""
    from ledger.conversations import Turn

    sides = (("query", person), ("response", ASSISTANT))
    return [
        Turn(day, f"{day}/{number}/{side}", f"{speaker}: {exchange[side]}", _moment(day))
        for day, exchanges in sorted(history.items())
        for number, exchange in enumerate(exchanges)
        for side, speaker in sides
    ]


def _moment(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)
