"""One subject with very many memories, of which an approximate index finds candidates."""

from typing import TYPE_CHECKING

import numpy as np

from bench.load import together
from bench.progress import say
from bench.recall_speed import TOP, Course, recall_rows
from bench.report import Row, Target
from bench.synthetic import nearest

if TYPE_CHECKING:
    # At run time this waits until Django is set up.
    from recall.encoders import Vectors

SUBJECT = "crowded"
# No other subject has this number, so that its memories are its own.
NUMBER = 2**31
EXACT = Target(least=0.95)
WARM_UP = 8


def measure(course: Course) -> None:
    """Add its latency, and how much of the exact nearest the vector arm finds."""
    count, requests = course.plan.crowded, course.plan.requests
    course.loader.crowd(SUBJECT, NUMBER, count)
    together(1, course.put([SUBJECT], WARM_UP), course.asking)
    say(f"  one subject with {count:,} memories …")
    asked = course.put([SUBJECT], requests)
    course.part.rows += recall_rows(
        course, f"one subject of {count:,}", together(1, asked, course.asking)
    )
    shares = _shares_found(course, [query for _, query in asked])
    found = {f"recall@{TOP}": round(float(np.mean(shares)), 4)}
    source = f"of the exact nearest {TOP}, {len(shares)} questions"
    course.part.rows.append(Row(f"one subject of {count:,}, vector arm", found, EXACT, source))


def _shares_found(course: Course, queries: list[str]) -> list[float]:
    """For each question the share of the exact nearest that the arm has among its own nearest."""
    from recall.encoders import encoder

    _, exact = course.loader.made(NUMBER, course.plan.crowded)
    vectors = exact.astype(np.float32)
    shares = []
    for query in queries:
        question = encoder().query(query)
        wanted = nearest(vectors, question, TOP)
        shares.append(len(wanted & _by_the_arm(course, question)) / TOP)
    return shares


def _by_the_arm(course: Course, question: "Vectors") -> set[int]:
    """The memories, by the order of loading, that are nearest among what recall looks at."""
    from ledger.models import MemoryVersion
    from ledger.policies import current_policy
    from ledger.selectors import as_of
    from recall import reading
    from recall.looking import look
    from tenants import keys
    from tenants.context import tenant_context
    from tenants.models import Subject

    with tenant_context(course.tenant.tenant_id):
        subject = Subject.objects.get(external_id=SUBJECT)
        words = reading.read_postings(subject.id, [])
        cipher, state = keys.cipher_for(subject), reading.read_state(subject.id, 1)
        snapshot, strategy = look(
            cipher, state, as_of(), current_policy(), None, question, words, []
        )
        if "approximate" not in strategy["vector"]:
            raise RuntimeError(f"the approximate index was not used: {strategy}")
        alone, _ = snapshot.cosines(question)
        best = np.argsort(-np.nan_to_num(alone, nan=-1.0))[:TOP]
        ids = [snapshot.versions["id"][place].tobytes().hex() for place in best]
        versions = MemoryVersion.objects.filter(id__in=ids)
        return {seq - 1 for seq in versions.values_list("seq_from", flat=True)}
