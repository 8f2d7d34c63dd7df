"""What masking costs: evidence recall on LoCoMo with nothing masked and with the default policy.

LoCoMo (Maharana et al. 2024) is not part of the repository; a folder of its conversations is given.
Each turn is one memory, kept verbatim; the turns that hold a question's answer must come back
among the ten. Questions of category 5 have no answer in the conversation and are left out.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC
from pathlib import Path
from typing import Any

from bench.progress import say
from bench.report import Part, Row, Target
from bench.retrieval import Question, mean_recall
from bench.room import MASKED, OPEN, Room, Talk
from bench.stack import resting_worker

TOP = 10
UNANSWERABLE = 5
COST = Target(most=1.2)
TURN = re.compile(r"D\d+:\d+")


class NoConversations(Exception):
    """There is nothing to measure; the text says why."""


@contextmanager
def if_given(part: Part) -> Iterator[None]:
    """What cannot be measured for want of conversations is said; it is no error."""
    try:
        yield
    except NoConversations as absent:
        part.remarks.append(f"NOT MEASURED: {absent}")


def conversations(folder: str | None, names: str = "") -> list[Path]:
    """The files of the folder, or those that are named ("26,30"). Raises NoConversations."""
    if not folder:
        raise NoConversations(
            "no folder with LoCoMo's conversations was given: LOCOMO=FOLDER or --locomo FOLDER."
        )
    if not Path(folder).is_dir():
        raise NoConversations(f"there is no folder {folder}.")
    files = {path.stem: path for path in sorted(Path(folder).glob("*.json"))}
    wanted = re.split(r"[\s,]+", names.strip()) if names.strip() else list(files)
    if not files or not set(wanted) <= set(files):
        missing = ", ".join(f"{name}.json" for name in wanted if name not in files)
        raise NoConversations(f"{folder} has no {missing or '*.json'}.")
    return [files[name] for name in wanted]


def questions(data: dict[str, Any], turns: Iterable[str]) -> list[Question]:
    """The answerable questions of a file, with those of their evidence that are turns of it."""
    known, found = frozenset(turns), []
    for item in data["qa"]:
        named = {turn for text in item.get("evidence", []) for turn in TURN.findall(str(text))}
        if item["category"] != UNANSWERABLE and named & known:
            found.append(Question(item["question"], frozenset(named & known)))
    return found


def talk(path: Path, group: str = "") -> Talk:
    """A file as turns and questions."""
    from ledger.conversations import read_conversation

    data = json.loads(path.read_text(encoding="utf-8"))
    turns = read_conversation(data, UTC)
    return Talk(path.stem, turns, questions(data, [turn.ref for turn in turns]), group)


def measure(part: Part, files: list[Path]) -> None:
    """Add recall of both policies and the loss in points."""
    talks = [talk(path) for path in files]
    asked = [question for one in talks for question in one.questions]
    recall = {}
    with resting_worker():
        for preset in (OPEN, MASKED):
            say(f"  policy {preset}")
            room = Room(preset, "LoCoMo")
            found = [ranked for one in talks for ranked in room.answers(one, TOP)]
            recall[preset] = mean_recall(found, asked, TOP)
            part.sizes[preset] = room.counts()
    source = f"{len(asked)} questions about {', '.join(path.stem for path in files)}"
    for preset, meaning in ((OPEN, "nothing masked"), (MASKED, "as by default")):
        figures = {f"recall@{TOP}": round(recall[preset], 4)}
        part.rows.append(Row(f"LoCoMo, {meaning} ({preset})", figures, source=source))
    loss = {"points": round(100 * (recall[OPEN] - recall[MASKED]), 2)}
    part.rows.append(Row("LoCoMo, lost by masking", loss, COST, source))
    part.sizes |= {"files": [path.name for path in files], "questions": len(asked)}
