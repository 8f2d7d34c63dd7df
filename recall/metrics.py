"""Prometheus metrics of recall: times and counts, never ids or content."""

from prometheus_client import Counter, Histogram

from ledger.privacy import PLACEHOLDER
from recall.exchange import Answer

SECONDS = Histogram(
    "memoryhub_recall_seconds",
    "Seconds to answer a question, by whether it was answered before.",
    ["cached"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 3, 10),
)
ANSWERS = Counter(
    "memoryhub_recall_answers_total",
    "Answers, by whether they were given before (hit) or not (miss), and whether they are empty.",
    ["cache", "empty"],
)
MISSING = Counter(
    "memoryhub_recall_missing_total", "Answers that had to do without a part.", ["part"]
)
SUBJECTS = Counter(
    "memoryhub_recall_subjects_total", "Questions by whether their subject was known.", ["known"]
)
MASKED = Counter(
    "memoryhub_recall_masked_total",
    "Memories given, by whether values in them were masked.",
    ["masked"],
)


def count_answer(answer: Answer, seconds: float) -> None:
    """Count one answer and what is in it."""
    SECONDS.labels(_word(answer.cached)).observe(seconds)
    ANSWERS.labels("hit" if answer.cached else "miss", _word(not answer.memories)).inc()
    for part in answer.missing:
        MISSING.labels(part).inc()
    for recalled in answer.memories:
        MASKED.labels(_word(PLACEHOLDER.search(recalled.memory.content) is not None)).inc()


def count_subject(*, known: bool) -> None:
    """Count whether a question was about somebody of whom anything is remembered."""
    SUBJECTS.labels(_word(known)).inc()


def _word(flag: object) -> str:
    return str(bool(flag)).lower()
