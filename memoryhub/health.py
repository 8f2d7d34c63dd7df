"""/healthz: the process answers. /readyz: everything it needs does. /metrics: for Prometheus."""

import hmac
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from memoryhub import metrics
from memoryhub.celery import app as celery_app
from memoryhub.errors import error_response
from tenants.errors import Forbidden
from tenants.isolation import differences, unsafe_reasons

LOOPBACK = frozenset({"127.0.0.1", "::1"})
PROBE = "memoryhub-readyz"


@csrf_exempt
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


@csrf_exempt
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when every part answers, 503 when one does not; says which, never why in detail."""
    parts: dict[str, str] = {}
    for name, check in CHECKS.items():
        # Each try at a database that is away takes the pool's whole patience: one is enough.
        hopeless = name in NEED_DATABASE and parts.get("database") == "failed"
        parts[name] = "failed" if hopeless else _state(check)
    ready = all(state == "ok" for state in parts.values())
    return JsonResponse(
        {"status": "ok" if ready else "unavailable", "checks": parts}, status=200 if ready else 503
    )


def _state(check: Callable[[], bool]) -> str:
    try:
        return "ok" if check() else "failed"
    except Exception:  # any failure of a dependency is the answer, not an error of ours
        return "failed"


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone() == (1,))


def _cache() -> bool:
    cache.set(PROBE, "1", timeout=10)
    return bool(cache.get(PROBE) == "1")


def _broker() -> bool:
    with celery_app.connection_for_write(connect_timeout=3) as broker:
        broker.ensure_connection(max_retries=0, timeout=3)
    return True


def _migrations() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _role() -> bool:
    return not unsafe_reasons(connection)


def _wall() -> bool:
    return not differences(connection)


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "cache": _cache,
    "broker": _broker,
    "migrations": _migrations,
    "role": _role,
    "wall": _wall,
}
NEED_DATABASE = frozenset({"migrations", "role", "wall"})


@csrf_exempt
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """Open to a scraper on this host, and to one that sends MEMORYHUB_METRICS_TOKEN."""
    if not _may_scrape(request):
        return error_response(
            Forbidden("Send MEMORYHUB_METRICS_TOKEN as 'Authorization: Bearer …'.")
        )
    text, content_type = metrics.exposition()
    return HttpResponse(text, content_type=content_type)


def _may_scrape(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    offered = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(offered.encode(), token.encode()):
        return True
    # A reverse proxy on this host is also loopback, so what it forwards does not count as local.
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return request.META.get("REMOTE_ADDR") in LOOPBACK and not forwarded
