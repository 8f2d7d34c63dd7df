"""Prometheus metrics of the whole service: counts and times, never ids or content."""

import os

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client import REGISTRY as PROCESS_REGISTRY

REQUESTS = Counter("memoryhub_requests_total", "Requests answered.", ["method", "route", "status"])
REQUEST_SECONDS = Histogram(
    "memoryhub_request_seconds",
    "Seconds to answer a request.",
    ["method", "route"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1, 3, 10),
)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def observe_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count one request. An invented method is counted as 'other', so that labels stay few."""
    method = method if method in METHODS else "other"
    REQUESTS.labels(method, route, str(status)).inc()
    REQUEST_SECONDS.labels(method, route).observe(seconds)


def exposition() -> tuple[bytes, str]:
    """The metrics of all processes as text, and its content type."""
    registry = PROCESS_REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return generate_latest(registry), CONTENT_TYPE_LATEST
