"""Whether the turns that hold an answer are found: MemoryHub beside mem0 and plain searches."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

from bench import mem0_peer, peers
from bench.progress import Progress, failing_alone, say
from bench.report import Part, Row, Target
from bench.retrieval import DEEPEST, figures
from bench.room import MASKED, OPEN, Room, Talk
from bench.stack import resting_worker
from tests.stack import Stack

LEXICAL = Path(__file__).with_name("data") / "lexical_zh.jsonl"
RECALL_AT_10, RECALL_AT_1 = Target(least=0.77), Target(least=0.40)
MEMORYHUB = {OPEN: "MemoryHub, nothing masked", MASKED: "MemoryHub, as by default"}

Rooms = Callable[[str], Room]
# For each talk what was found for each of its questions.
Found = dict[str, list[list[str]]]


def measure_locomo(
    part: Part, talks: list[Talk], rooms: Rooms, stack: Stack, *, beside: bool
) -> None:
    """MemoryHub on LoCoMo's conversations, and all peers beside it unless they are left out."""
    found = _memoryhub(part, talks, rooms)
    targets = {"recall@10": RECALL_AT_10, "recall@1": RECALL_AT_1}
    reached = _together(found, talks)
    for name, target in targets.items():
        row = Row(f"{MEMORYHUB[OPEN]}, {name}", {name: reached[name]}, target, _source(talks))
        part.rows.insert(0, row)
    if beside:
        _beside(part, talks, stack)


def measure_memorybank(part: Part, talks: list[Talk], rooms: Rooms, *, beside: bool) -> None:
    """The same on MemoryBank's histories, but for mem0."""
    _memoryhub(part, talks, rooms)
    if beside:
        from recall.encoders import encoder

        _plain(part, talks, peers.Remembering(encoder()))


def measure_lexical(part: Part, room: Room) -> None:
    """In how many cases the memory that holds the words asked for is first."""
    lines = LEXICAL.read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    first = by_words = 0
    with resting_worker():
        for number, case in enumerate(cases):
            place, by_word = _looked_up(room, f"lexical-{number}", case)
            first += place == 1
            by_words += by_word
    counts = {"expected_first": first, "found_by_words": by_words}
    part.rows.append(Row("words asked for literally", counts, source=f"of {len(cases)} cases"))


def _looked_up(room: Room, subject: str, case: dict[str, Any]) -> tuple[int, bool]:
    """The place of the memory that is expected (0: not found), and whether its words found it."""
    from ledger.conversations import Turn
    from recall.exchange import Question
    from recall.pipeline import ask
    from recall.traces import get_trace
    from tenants.context import tenant_context

    turns = [Turn("", str(place), text, None) for place, text in enumerate(case["memories"])]
    room.take_in(Talk(subject, turns, []))
    expected = [str(case["expected"])]
    answer = ask(room.agent, Question(subject=subject, query=case["query"]))
    with tenant_context(room.agent.tenant_id):
        trace = get_trace(room.agent, UUID(str(answer.trace)))
    by_words = any(
        "lexical" in candidate.record["arms"]
        for candidate in trace.candidates
        if candidate.memory and candidate.memory.provenance["turns"] == expected
    )
    found = [list(item.memory.provenance["turns"]) for item in answer.memories]
    return (found.index(expected) + 1 if expected in found else 0), by_words


def _memoryhub(part: Part, talks: list[Talk], rooms: Rooms) -> Found:
    """Both policies; gives what was found with nothing masked."""
    found = {}
    with resting_worker():
        for preset, name in MEMORYHUB.items():
            say(f"  {name} …")
            room = rooms(preset)
            found[preset] = {talk.subject: room.answers(talk, DEEPEST) for talk in talks}
            _add(part, name, found[preset], talks)
            part.sizes[preset] = room.counts()
    part.sizes["questions"] = sum(len(talk.questions) for talk in talks)
    return found[OPEN]


def _beside(part: Part, talks: list[Talk], stack: Stack) -> None:
    from recall.encoders import encoder

    remembering = peers.Remembering(encoder())
    with resting_worker():
        _plain(part, talks, remembering)
        with failing_alone(part, "mem0"):
            _add(part, "mem0", _mem0(talks, stack, remembering), talks)
            part.remarks.append(mem0_peer.SETUP)


def _plain(part: Part, talks: list[Talk], encoder: Any) -> None:
    """Dense, BM25 and their fusion."""
    found: dict[str, Found] = {"dense": {}, "BM25": {}, "RRF of dense and BM25": {}}
    progress = Progress("conversations searched plainly", len(talks))
    for number, talk in enumerate(talks, start=1):
        near, worded = peers.dense(talk, encoder), peers.bm25(talk)
        for name, ranked in zip(found, (near, worded, peers.fused(near, worded)), strict=True):
            found[name][talk.subject] = ranked
        progress(number)
    for name, of_talks in found.items():
        _add(part, name, of_talks, talks)


def _mem0(talks: list[Talk], stack: Stack, encoder: Any) -> Found:
    found: Found = {}
    with (
        tempfile.TemporaryDirectory(prefix="mem0-") as home,
        mem0_peer.memory(stack.data_dir, Path(home), encoder) as memory,
    ):
        for talk in talks:
            progress = Progress(f"{talk.subject}: turns added to mem0", len(talk.turns))
            for number, turn in enumerate(talk.turns, start=1):
                mem0_peer.add_named(memory, talk.subject, turn.ref, turn.text)
                progress(number)
            found[talk.subject] = [
                [
                    item["metadata"]["ref"]
                    for item in mem0_peer.search(memory, talk.subject, question.text, DEEPEST)
                ]
                for question in talk.questions
            ]
    return found


def _add(part: Part, name: str, found: Found, talks: list[Talk]) -> None:
    """A row of all conversations together, then one of each group."""
    part.rows.append(Row(name, _together(found, talks), source=_source(talks)))
    groups = dict.fromkeys(talk.group for talk in talks)
    for group in groups if len(groups) > 1 else ():
        members = [talk for talk in talks if talk.group == group]
        row = Row(f"{name}, {group}", _together(found, members), source=_source(members))
        part.rows.append(row)


def _together(found: Found, talks: list[Talk]) -> dict[str, float]:
    ranked = [turns for talk in talks for turns in found[talk.subject]]
    return figures(ranked, [question for talk in talks for question in talk.questions])


def _source(talks: list[Talk]) -> str:
    count = sum(len(talk.questions) for talk in talks)
    return f"{count} questions about {', '.join(talk.subject for talk in talks)}"
