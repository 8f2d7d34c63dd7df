"""How fast recall answers over HTTP as memories grow, and mem0's search beside it.

The memories are made up (bench.synthetic) and loaded straight into the tables (bench.loader);
questions are sentences of another seed, no two alike, really encoded by the server.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID

from bench import mem0_peer
from bench.load import Client, Load, tally, together
from bench.progress import Progress, failing_alone, say
from bench.report import Part, Row, Target, percentile, timed
from bench.sentences import sentences
from bench.stack import server_version
from bench.synthetic import CENTRES, DEVIATION, Pool
from tests.stack import Stack

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from bench.loader import Loader
    from tests.cast import Actor

SEED = 1
POOL = 20_000
TOP = 10
ACTIVE = 20
CLIENTS = 8
WARM_UP = 8
P50, TAIL, OUTSIDE = Target(most=30), Target(most=120), Target(most=12)
CACHED, GROWTH, FASTER = Target(most=5), Target(most=1.5), Target(least=2)
# Made-up questions are not answered by made-up memories: all are answered, which is more work.
ANSWER_ALL = {"ranking": {"answerable_from": 0.0}}

# A subject and what is asked about it.
Asked = tuple[str, str]


@dataclass(frozen=True)
class Plan:
    """Memories in all, ascending; of a subject; of the crowded one; and requests for a row."""

    sizes: list[int]
    per_subject: int
    crowded: int
    requests: int
    peers: bool


@dataclass
class Course:
    """One run: what is loaded, who asks, what was asked, and the medians that are compared."""

    part: Part
    stack: Stack
    tenant: "Actor"
    loader: "Loader"
    plan: Plan
    questions: Iterator[str]
    chance: Random = field(default_factory=lambda: Random(SEED))
    known: set[str] = field(default_factory=set)
    medians: dict[int, float] = field(default_factory=dict)

    def asking(self, place: int) -> Callable[[Asked], Any]:
        """The function of client number `place` that asks over HTTP."""
        client = Client(self.stack.port, self.tenant.api_key)

        def ask(asked: Asked) -> Any:
            subject, query = asked
            self.known.add(subject)
            body = {"subject": subject, "query": query, "top_k": TOP}
            return client.post("/api/v1/recall", body)

        return ask

    def put(self, subjects: list[str], count: int) -> list[Asked]:
        """So many new questions, about these subjects in turn."""
        return list(islice(zip(cycle(subjects), self.questions, strict=False), count))


def measure(part: Part, stack: Stack, plan: Plan) -> None:
    """Add the rows of every size, then growth, then those of the crowded subject."""
    course = _begin(part, stack, plan)
    for size in plan.sizes:
        with failing_alone(part, f"{size} memories"):
            _grow(course, size)
            _measure_size(course, size)
    if len(course.medians) > 1:
        first, last = min(course.medians), max(course.medians)
        growth = {"times": round(course.medians[last] / course.medians[first], 3)}
        what = f"growth of p50, hot, {first:,} to {last:,}"
        part.rows.append(Row(what, growth, GROWTH))
    if plan.crowded:
        from bench import recall_crowded

        with failing_alone(part, "crowded"):
            recall_crowded.measure(course)


def latency_rows(
    what: str, milliseconds: list[float], source: str, median: Target, tail: Target | None = None
) -> list[Row]:
    """p50 against its target, then p95 and p99, perhaps against theirs."""
    p50, p95, p99 = (round(percentile(milliseconds, percent), 2) for percent in (50, 95, 99))
    return [
        Row(what, {"p50_ms": p50}, median, source),
        Row(f"{what}, the slowest", {"p95_ms": p95, "p99_ms": p99}, tail),
    ]


def _begin(part: Part, stack: Stack, plan: Plan) -> Course:
    from bench.loader import Loader
    from ledger.services.set_policy import set_policy
    from recall.encoders import encoder
    from tenants.context import tenant_context
    from tests.cast import new_tenant

    texts = sentences(POOL, SEED)
    say(f"  {CENTRES} sentences are encoded as centres …")
    pool = Pool(texts, encoder().passages(texts[:CENTRES]), SEED)
    say(f"  {POOL:,} texts are read as the index reads them …")
    # Here, before any clock runs.
    part.sizes["pool"] = len(pool.indexed)
    tenant = new_tenant("speed of recall")
    with tenant_context(tenant.tenant_id):
        set_policy(tenant.principal, ANSWER_ALL)
    rows = 4 * (len(plan.sizes) + 1) + 2
    questions = iter(sentences(rows * (plan.requests + 2 * ACTIVE), SEED + 1))
    part.versions["postgresql"] = server_version()
    part.sizes |= {"sizes": plan.sizes, "per_subject": plan.per_subject, "seed": SEED}
    part.sizes |= {"requests": plan.requests, "crowded": plan.crowded}
    part.remarks.append(
        f"memories and vectors are made up (seed {SEED}): texts of a pool of {POOL:,}, two vectors "
        f"a memory, {DEVIATION:g} beside one of {CENTRES} real ones at length 1, in half "
        f"precision; {plan.per_subject:,} memories a subject; questions are really encoded, "
        "and all are answered (ranking.answerable_from 0), which is more work than to answer some"
    )
    loader = Loader(stack.data_dir, tenant.principal, pool, plan.per_subject)
    return Course(part, stack, tenant, loader, plan, questions)


def _grow(course: Course, size: int) -> None:
    there = len(course.loader.subjects) * course.plan.per_subject
    began = time.perf_counter()
    course.loader.grow_to(size)
    seconds = time.perf_counter() - began
    rate = {"per_second": round((size - there) / seconds, 1), "seconds": round(seconds, 1)}
    row = Row(f"loading up to {size:,} memories", rate, source="no recall: the benchmark's loader")
    course.part.rows.append(row)


def _measure_size(course: Course, size: int) -> None:
    requests, rows = course.plan.requests, course.part.rows
    subjects = course.loader.subjects
    together(1, course.put(subjects[:1], WARM_UP), course.asking)
    fresh = sorted(set(subjects) - course.known)
    first_time = course.chance.sample(fresh, min(requests, len(fresh)))
    if first_time:
        say(f"  {size:,} memories: cold …")
        cold = together(1, course.put(first_time, len(first_time)), course.asking)
        rows += recall_rows(course, f"cold, {size:,}", cold)
    active = course.chance.sample(sorted(course.known), min(ACTIVE, len(course.known)))
    together(1, course.put(active, len(active)), course.asking)
    say(f"  {size:,} memories: hot …")
    asked = course.put(active, requests)
    hot = together(1, asked, course.asking)
    rows += recall_rows(course, f"hot, {size:,}", hot)
    course.medians[size] = percentile(hot.milliseconds, 50)
    again = together(1, asked, course.asking)
    rows += latency_rows(f"asked again, {size:,}", again.milliseconds, _said(again), CACHED)
    many = together(CLIENTS, course.put(active, requests), course.asking)
    figures = timed(many.seconds, many.milliseconds)
    rows.append(Row(f"hot, {size:,}, {CLIENTS} clients", figures, source=_said(many)))
    if course.plan.peers and size == course.plan.sizes[0]:
        with failing_alone(course.part, "mem0"):
            _beside(course, size, course.medians[size])


def recall_rows(course: Course, what: str, load: Load) -> list[Row]:
    """One client's latencies, and what of them was not the encoder."""
    outside = [
        took - _encoding(course.tenant, answer["trace"])
        for took, answer in zip(load.milliseconds, load.answers, strict=True)
    ]
    median = {"p50_ms": round(percentile(outside, 50), 2)}
    return [
        *latency_rows(what, load.milliseconds, _said(load), P50, TAIL),
        Row(f"{what}, outside the encoder", median, OUTSIDE),
    ]


def _encoding(tenant: "Actor", trace_id: str) -> float:
    """The milliseconds that the encoder took, by the trace."""
    from recall.traces import get_trace
    from tenants.context import tenant_context

    with tenant_context(tenant.tenant_id):
        record = get_trace(tenant.principal, UUID(trace_id)).record
    return float(record["milliseconds"]["encode"])


def _said(load: Load) -> str:
    """How the answers were come by."""
    words = ["from the cache" if answer["cached"] else "asked anew" for answer in load.answers]
    words += ["empty" for answer in load.answers if not answer["memories"]]
    words += [f"without {name}" for answer in load.answers for name in answer["missing"]]
    return f"HTTP: {tally(words)}"


def _beside(course: Course, size: int, ours: float) -> None:
    """mem0's search over the same memories, in process, and how many times as fast recall is."""
    from recall.encoders import encoder

    subjects, each = course.loader.subjects, course.plan.per_subject
    with (
        tempfile.TemporaryDirectory(prefix="mem0-") as home,
        mem0_peer.memory(course.stack.data_dir, Path(home), encoder()) as memory,
    ):
        progress = Progress("memories put into mem0", size)
        for number, subject in enumerate(subjects):
            mem0_peer.fill(memory, subject, *course.loader.made(number, each))
            progress((number + 1) * each)
        mem0_peer.settle(course.stack.data_dir)

        def asking(place: int) -> Callable[[Asked], Any]:
            return lambda asked: mem0_peer.search(memory, *asked, TOP)

        for engine, model in mem0_peer.engines(encoder()):
            memory.embedding_model = model
            together(1, course.put(subjects, WARM_UP), asking)
            load = together(1, course.put(subjects, course.plan.requests), asking)
            figures = timed(load.seconds, load.milliseconds)
            name = f"mem0 search, {size:,}, {engine}"
            course.part.rows.append(Row(name, figures, source="in process"))
            faster = {"times": round(figures["p50_ms"] / ours, 2)}
            name = f"recall as fast as mem0, p50, hot, {engine}"
            course.part.rows.append(Row(name, faster, FASTER))
    course.part.remarks.append(
        f"{mem0_peer.SETUP}. Here its memories and ready vectors are put into its store at once. "
        f"{mem0_peer.ENGINES}"
    )
