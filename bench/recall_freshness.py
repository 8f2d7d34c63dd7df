"""Whether a fact that another one took the place of still comes back as if it were current.

All pairs of a language are said about one person: first every old statement, two years ago, then
every new one, yesterday. Then each question is asked. Once a client states attribute and value and
says that something changed; once it only says the words, and the write path has to see it.
"""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from bench.load import tally
from bench.progress import Progress, failing_alone
from bench.report import Part, Row, Target
from bench.room import OPEN, Room, encode_all
from bench.stack import resting_worker

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from ledger.writing import Written
    from recall.exchange import Recalled

PAIRS = Path(__file__).with_name("data") / "freshness" / "pairs.jsonl"
LANGUAGES = ("en", "zh")
TOP = 10
OLD, NEW = "old", "new"
# So long apart that "last month" or "last year" in the new one lies between the two.
AGE = {OLD: timedelta(days=730), NEW: timedelta(days=1)}
REFUSED = "not admitted"
NONE = Target(most=0)


@dataclass
class Pair:
    """An old and a new statement with what became of them; `number` names their turns."""

    number: int
    line: dict[str, Any]
    dispositions: dict[str, str] = field(default_factory=dict)
    memories: dict[str, UUID] = field(default_factory=dict)
    superseded: bool = False
    stale: bool = False
    fresh: bool = False
    empty: bool = False

    def turn(self, side: str) -> str:
        return f"{self.number}/{side}"

    def is_among(self, side: str, found: "list[Recalled]") -> bool:
        """Whether the statement of that side is among the memories, with its value."""
        value = self.line[f"{side}_value"].casefold()
        return any(
            value in item.memory.content.casefold()
            and self.turn(side) in item.memory.provenance["turns"]
            for item in found
        )


def measure(part: Part) -> None:
    """Add the rows of both ways of saying it, by language."""
    lines = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    room = Room(OPEN, "freshness")
    with resting_worker():
        for language in LANGUAGES:
            mine = [line for line in lines if line["language"] == language]
            part.sizes[language] = len(mine)
            for stated in (True, False):
                how = "stated" if stated else "in words"
                with failing_alone(part, f"{language}, {how}"):
                    pairs = [Pair(number, line) for number, line in enumerate(mine)]
                    _say_and_ask(room, f"{how}, {language}", pairs, stated=stated)
                    part.rows += rows(f"{how}, {language}", pairs, stated=stated)


def rows(name: str, pairs: list[Pair], *, stated: bool) -> list[Row]:
    """What came back, counted; targets where the ledger knew which statement is current."""
    said = {
        side: tally([pair.dispositions[side] for pair in pairs if side in pair.dispositions])
        for side in (OLD, NEW)
    }
    became = f"{len(pairs)} pairs; old: {said[OLD]}; new: {said[NEW]}"
    stale = {"stale": sum(pair.stale for pair in pairs)}
    fresh = {"new_among_10": sum(pair.fresh for pair in pairs)}
    # What returns nothing returns nothing stale: how often that was is said beside it.
    answers = f"of {len(pairs)}; {sum(pair.empty for pair in pairs)} questions brought nothing"
    found = [Row(f"{name}, new one found", fresh, source=answers)]
    if stated:
        return [Row(f"{name}, stale returned", stale, NONE, became), *found]
    known = [pair for pair in pairs if pair.superseded]
    stale_of_known = {"stale": sum(pair.stale for pair in known)}
    return [
        Row(f"{name}, superseded by the write path", {"pairs": len(known)}, source=became),
        Row(f"{name}, stale of these", stale_of_known, NONE, f"of {len(known)}"),
        Row(f"{name}, stale of all", stale, source=f"of {len(pairs)}"),
        *found,
    ]


def _say_and_ask(room: Room, subject: str, pairs: list[Pair], *, stated: bool) -> None:
    from recall.exchange import Question
    from recall.pipeline import ask

    for side in (OLD, NEW):
        progress = Progress(f"{subject}: {side} statements written", len(pairs))
        for done, pair in enumerate(pairs, start=1):
            before = side == NEW and _holds(room, pair)
            _say(room, subject, pair, side, stated=stated)
            pair.superseded = before and not _holds(room, pair)
            progress(done)
        encode_all(room.agent, subject)
    for pair in pairs:
        question = Question(subject=subject, query=pair.line["question"], top_k=TOP)
        found = ask(room.agent, question).memories
        pair.stale, pair.fresh = pair.is_among(OLD, found), pair.is_among(NEW, found)
        pair.empty = not found


def _say(room: Room, subject: str, pair: Pair, side: str, *, stated: bool) -> None:
    """One statement as POST /memories takes it. What was refused is sent again verbatim, as the
    refusal advises, where the client states what it means.
    """
    from ledger.services.write_memory import NotAdmitted
    from tenants import clock

    with clock.frozen(clock.now() - AGE[side]):
        try:
            written = _write(room, subject, pair, side, stated=stated)
        except NotAdmitted:
            if not stated:
                pair.dispositions[side] = REFUSED
                return
            written = _write(room, subject, pair, side, stated=True, verbatim=True)
    pair.dispositions[side] = written.disposition
    pair.memories[side] = written.version.memory_id


def _write(
    room: Room, subject: str, pair: Pair, side: str, *, stated: bool, verbatim: bool = False
) -> "Written":
    from ledger.services.write_memory import prepare, write
    from ledger.statements import Statement
    from tenants.context import tenant_context

    words: dict[str, Any] = {"content": pair.line[side], "turns": (pair.turn(side),)}
    if stated:
        words |= {"attribute": pair.line["attribute"], "value": pair.line[f"{side}_value"]}
    if verbatim:
        words["verbatim"] = True
    prepared = prepare(
        room.agent,
        subject=subject,
        statement=Statement(**words),
        operation="change" if stated and side == NEW else "assert",
        given=set(words),
    )
    with tenant_context(room.agent.tenant_id):
        return write(room.agent, prepared)


def _holds(room: Room, pair: Pair) -> bool:
    """Whether the old statement is believed to hold on, in its own words."""
    from ledger.masking import reader_for
    from ledger.models import MemoryVersion
    from tenants import keys
    from tenants.context import tenant_context

    if OLD not in pair.memories:
        return False
    with tenant_context(room.agent.tenant_id):
        versions = MemoryVersion.objects.select_related("subject").filter(
            memory_id=pair.memories[OLD], recorded_to=None, valid_to=None, pending=False
        )
        return any(
            pair.turn(OLD) in reader_for(room.agent, keys.cipher_for(v.subject)).words(v)["turns"]
            for v in versions
        )
