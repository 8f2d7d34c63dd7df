"""Prometheus metrics of the write path: counts by rule and kind, never ids or content."""

from prometheus_client import Counter

ADMISSION = Counter(
    "memoryhub_admission_total", "Sentences judged, by verdict and rule.", ["verdict", "rule"]
)
MASKED = Counter(
    "memoryhub_masked_total", "Private values found, by kind and action.", ["kind", "action"]
)
WRITTEN = Counter("memoryhub_written_total", "Statements written, by disposition.", ["disposition"])
EXTRACTIONS = Counter(
    "memoryhub_extractions_total",
    "Messages from which statements were taken, by whom, and why the model was not.",
    ["by", "failure"],
)
JOBS = Counter("memoryhub_jobs_total", "Runs of jobs, by kind and outcome.", ["kind", "outcome"])
