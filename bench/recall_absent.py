"""Questions about things that were never said must bring nothing, at little cost to the others."""

import json
from pathlib import Path

from bench.progress import say
from bench.report import Part, Row, Target
from bench.retrieval import DEEPEST, mean_recall
from bench.room import Room, Talk
from bench.stack import resting_worker

ASKED = Path(__file__).with_name("data") / "absent" / "test.jsonl"
TOP = 10
NOTHING_RETURNED = Target(least=0.90)
COST = Target(most=2.0)


def absent_questions(language: str) -> list[str]:
    """The questions of one language to which the conversations hold no answer."""
    lines = [json.loads(line) for line in ASKED.read_text(encoding="utf-8").splitlines()]
    return [line["question"] for line in lines if line["language"] == language]


def measure(part: Part, name: str, language: str, talks: list[Talk], room: Room) -> None:
    """Ask every person all absent questions, and the answerable ones with and without the gate."""
    absent = absent_questions(language)
    asked = [question for talk in talks for question in talk.questions]
    say(f"  {name} …")
    with resting_worker():
        empty = [not found for talk in talks for found in room.ask(talk, absent, TOP)]
        gated = [found for talk in talks for found in room.answers(talk, DEEPEST)]
        room.rule({"ranking": {"answerable_from": 0.0}})
        texts = {talk.subject: [question.text for question in talk.questions] for talk in talks}
        ungated = [f for talk in talks for f in room.ask(talk, texts[talk.subject], DEEPEST)]
        room.rule({})
    share = {"returned_nothing": round(sum(empty) / len(empty), 4)}
    source = f"{len(absent)} questions asked of each of {len(talks)} people"
    part.rows.append(Row(f"never said, {name}", share, NOTHING_RETURNED, source))
    before, after = (mean_recall(found, asked, TOP) for found in (ungated, gated))
    lost = {"points": round(100 * (before - after), 2)}
    source = f"recall@{TOP} {after:.4f} and without the gate {before:.4f}: {len(asked)} questions"
    part.rows.append(Row(f"said, {name}, lost by the gate", lost, COST, source))
    part.sizes[name] = {"absent": len(empty), "answerable": len(asked)}
