"""What masking costs: evidence recall on LoCoMo with nothing masked and with the default policy.

LoCoMo (Maharana et al. 2024) is not part of the repository; a folder of its conversations is given.
Each turn is one memory, kept verbatim; the turns that hold a question's answer must come back
among the ten. Questions of category 5 have no answer in the conversation and are left out.
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.progress import Progress, say
from bench.report import Part, Row, Target
from bench.stack import resting_worker

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from tenants.principals import Principal

TOP = 10
UNANSWERABLE = 5
COST = Target(most=1.2)
TURN = re.compile(r"D\d+:\d+")
ENCODED_AT_ONCE = 128
OPEN, MASKED = "open", "balanced"


class NoConversations(Exception):
    """There is nothing to measure; the text says why."""


@dataclass(frozen=True)
class Question:
    """A question about a conversation and the ids of the turns that answer it."""

    text: str
    evidence: frozenset[str]


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
            found.append(Question(item["question"], named & known))
    return found


def recall_at(ranked: Sequence[str], evidence: frozenset[str], top: int) -> float:
    """The share of the evidence among the first `top`."""
    return len(evidence & set(ranked[:top])) / len(evidence)


def measure(part: Part, files: list[Path]) -> None:
    """Add recall of both policies and the loss in points."""
    with resting_worker():
        scores = {preset: _recalls(part, preset, files) for preset in (OPEN, MASKED)}
    count = len(scores[OPEN])
    source = f"{count} questions about {', '.join(path.stem for path in files)}"
    recall = {preset: sum(found) / count for preset, found in scores.items()}
    for preset, meaning in ((OPEN, "nothing masked"), (MASKED, "as by default")):
        figures = {f"recall@{TOP}": round(recall[preset], 4)}
        part.rows.append(Row(f"LoCoMo, {meaning} ({preset})", figures, source=source))
    loss = {"points": round(100 * (recall[OPEN] - recall[MASKED]), 2)}
    part.rows.append(Row("LoCoMo, lost by masking", loss, COST, source))
    part.sizes |= {"files": [path.name for path in files], "questions": count}


def _recalls(part: Part, preset: str, files: list[Path]) -> list[float]:
    """The recall of every question under one policy, in a tenant of its own."""
    agent = _tenant_under(preset)
    say(f"  policy {preset}")
    found: list[float] = []
    for path in files:
        data = json.loads(path.read_text(encoding="utf-8"))
        turns = _take_in(agent, path.stem, data)
        found += _ask(agent, path.stem, questions(data, turns))
    part.sizes[preset] = _counts(agent)
    return found


def _tenant_under(preset: str) -> "Principal":
    """An agent of a fresh tenant with that policy."""
    from ledger.services.set_policy import from_preset, set_policy
    from tenants.context import tenant_context
    from tenants.principals import AGENT_SCOPES, Principal
    from tests.cast import new_tenant

    owner = new_tenant(f"LoCoMo, {preset}").principal
    with tenant_context(owner.tenant_id):
        set_policy(owner, from_preset(preset, {}))
    return Principal(owner.tenant_id, "bench:locomo", AGENT_SCOPES)


def _take_in(agent: "Principal", subject: str, data: dict[str, Any]) -> list[str]:
    """Import a conversation and encode all of it; gives the ids of its turns."""
    from ledger.conversations import read_conversation
    from ledger.services.import_turns import import_turns

    turns = read_conversation(data, UTC)
    progress = Progress(f"{subject}: turns imported", len(turns))
    import_turns(agent, subject=subject, turns=turns, progress=progress)
    encode_all(agent, subject)
    return [turn.ref for turn in turns]


def encode_all(agent: "Principal", subject: str) -> int:
    """Encode all that waits of a subject, here and now; gives how many memories that were."""
    from recall.index import encode_waiting, waiting
    from tenants.context import tenant_context
    from tenants.models import Subject

    with tenant_context(agent.tenant_id):
        subject_id = Subject.objects.get(external_id=subject).id
        total = waiting(subject_id).count()
    progress, done = Progress(f"{subject}: memories encoded", total), 0
    while encoded := encode_waiting(agent.tenant_id, subject_id, ENCODED_AT_ONCE):
        done += encoded
        progress(done)
    return done


def _ask(agent: "Principal", subject: str, asked: list[Question]) -> list[float]:
    from recall import pipeline

    progress = Progress(f"{subject}: questions asked", len(asked))
    found = []
    for number, question in enumerate(asked, start=1):
        answer = pipeline.ask(
            agent, pipeline.Question(subject=subject, query=question.text, top_k=TOP)
        )
        ranked = [ref for item in answer.memories for ref in item.memory.provenance["turns"]]
        found.append(recall_at(ranked, question.evidence, TOP))
        progress(number)
    return found


def _counts(agent: "Principal") -> dict[str, int]:
    from ledger.models import MaskedValue, Memory
    from tenants.context import tenant_context

    with tenant_context(agent.tenant_id):
        return {
            "memories": Memory.objects.count(),
            "masked_values": MaskedValue.objects.count(),
        }
