"""How fast writes are acknowledged, learned and embedded, and the same of mem0 beside it.

All requests are about one subject that holds many memories already, which is the hardest case:
writes about one subject wait for each other, writes about several do not.
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import mem0_peer
from bench.load import Client, tally, together
from bench.progress import Progress, failing_alone, say
from bench.report import Part, Row, timed
from bench.room import encode_all
from bench.sentences import sentences
from bench.stack import drain, resting_worker, server_version
from tests.stack import Stack

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from tests.cast import Actor

SUBJECT = "someone-with-a-past"
CLIENTS = (1, 4)
SEED = 1
# Requests before the clock runs: what is made on first use is made by one of each language.
WARM_UP = 8


@dataclass(frozen=True)
class Sizes:
    """How many memories the subject holds at first, and how many requests a row stands on."""

    memories: int
    requests: int


@dataclass(frozen=True)
class Case:
    """A way to write: the path and body for a text of a session, and what an answer says of it."""

    name: str
    path: Callable[[str], str]
    body: Callable[[str], dict[str, Any]]
    outcomes: Callable[[dict[str, Any]], list[str]]


def _turn(text: str, *, wait: bool) -> dict[str, Any]:
    turns = [{"role": "user", "content": text}]
    return {"subject": SUBJECT, "turns": turns, "wait": wait}


def _learned(answer: dict[str, Any]) -> list[str]:
    """What became of a turn that was waited for."""
    if answer["job"]["state"] != "done":
        return ["left to the worker"]
    statements = [s for turn in answer["turns"] for s in turn["outcome"]["statements"]]
    return [statement["disposition"] for statement in statements] or ["held nothing to learn"]


CASES = (
    Case(
        "POST /memories",
        lambda session: "/api/v1/memories",
        lambda text: {"subject": SUBJECT, "content": text},
        lambda answer: [answer["disposition"]],
    ),
    Case(
        "POST …/turns",
        lambda session: f"/api/v1/sessions/{session}/turns",
        lambda text: _turn(text, wait=False),
        lambda answer: ["taken"] * answer["stored"],
    ),
    Case(
        "POST …/turns, wait",
        lambda session: f"/api/v1/sessions/{session}/turns",
        lambda text: _turn(text, wait=True),
        _learned,
    ),
)


def measure(part: Part, stack: Stack, sizes: Sizes) -> None:
    """Add the rows of MemoryHub's writes, then mem0's."""
    from tests.cast import new_tenant

    runs = [(case, clients) for case in CASES for clients in CLIENTS]
    texts = sentences(sizes.memories + len(runs) * (WARM_UP + sizes.requests), SEED)
    past, said = texts[: sizes.memories], iter(texts[sizes.memories :])
    tenant = new_tenant("speed")
    part.sizes |= {"memories": sizes.memories, "requests": sizes.requests, "seed": SEED}
    part.versions["postgresql"] = server_version()
    part.remarks += [
        f"the texts are made by a generator (seed {SEED}), English and Chinese in turn; the "
        f"subject holds {sizes.memories} memories at first; the worker learns and encodes meanwhile"
    ]
    _embed(part, tenant, past)
    for case, clients in runs:
        batch = [next(said) for _ in range(WARM_UP + sizes.requests)]
        with failing_alone(part, f"{case.name}, {clients} clients"):
            part.rows.append(_write(case, stack, tenant, clients, batch))
            drain(tenant.tenant_id)
    with failing_alone(part, "mem0"):
        _measure_mem0(part, stack, past, sizes.requests)


def _embed(part: Part, tenant: "Actor", past: list[str]) -> None:
    """Give the subject its past, and time the encoding of it."""
    from ledger.conversations import Turn
    from ledger.services.import_turns import import_turns

    turns = [Turn("past", str(n), text, None) for n, text in enumerate(past)]
    progress = Progress("memories imported", len(turns))
    with resting_worker():
        import_turns(tenant.principal, subject=SUBJECT, turns=turns, progress=progress)
        began = time.perf_counter()
        done = encode_all(tenant.principal, SUBJECT)
        rate = {"per_second": round(done / (time.perf_counter() - began), 2)}
    part.rows.append(Row("embedding what waits", rate, source=f"{done} memories, in process"))


def _write(case: Case, stack: Stack, tenant: "Actor", clients: int, texts: list[str]) -> Row:
    """Time one way to write with so many clients, each in a session of its own."""
    what = f"{case.name}, {_clients(clients)}"
    say(f"  {what}: {len(texts)} requests …")

    def connected(place: int) -> Callable[[str], Any]:
        client, path = Client(stack.port, tenant.api_key), case.path(f"{clients}-{place}")
        return lambda text: client.post(path, case.body(text))

    together(1, texts[:WARM_UP], connected)
    load = together(clients, texts[WARM_UP:], connected)
    outcomes = [outcome for answer in load.answers for outcome in case.outcomes(answer)]
    return Row(what, timed(load.seconds, load.milliseconds), source=f"HTTP: {tally(outcomes)}")


def _measure_mem0(part: Part, stack: Stack, past: list[str], requests: int) -> None:
    """The same subject's past and as many adds, in mem0."""
    from recall.encoders import encoder

    texts = sentences(len(past) + len(CLIENTS) * requests, SEED)[len(past) :]
    with (
        tempfile.TemporaryDirectory(prefix="mem0-") as home,
        mem0_peer.memory(stack.data_dir, Path(home), encoder()) as memory,
    ):
        add = mem0_peer.adding(memory, SUBJECT)
        progress = Progress("memories added to mem0", len(past))
        for number, text in enumerate(past, start=1):
            add(text)
            progress(number)
        for place, clients in enumerate(CLIENTS):
            batch = texts[place * requests : (place + 1) * requests]
            load = together(clients, batch, lambda _: add)
            figures = timed(load.seconds, load.milliseconds)
            what = f"mem0 add, {_clients(clients)}"
            part.rows.append(Row(what, figures, source=f"in process: {len(batch)} embedded"))
    part.remarks.append(mem0_peer.SETUP)


def _clients(count: int) -> str:
    return f"{count} client" + ("s" if count > 1 else "")
