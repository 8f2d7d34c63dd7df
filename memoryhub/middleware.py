"""The outermost layer: a request id, the size limit, one log line, one measurement."""

import contextlib
import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from memoryhub import metrics
from memoryhub.errors import error_response
from tenants.api.parsing import BodyTooLarge
from tenants.request_ids import begin_request

log = logging.getLogger("memoryhub.request")

# Bytes.
PIECE = 64 * 1024
MOST_IGNORED = 32 * 1024 * 1024


class RequestMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id = begin_request(request.headers.get("X-Request-ID"))
        started = time.perf_counter()
        response = self._too_large(request) or self.get_response(request)
        _read_to_end(request)
        seconds = time.perf_counter() - started
        response["X-Request-ID"] = request_id
        # The route, never the path: a path may name a subject, a query may hold a person's words.
        match = request.resolver_match
        route = f"/{match.route}" if match else "(none)"
        metrics.observe_request(request.method or "", route, response.status_code, seconds)
        log.info(
            "request",
            extra={
                "method": request.method,
                "route": route,
                "status": response.status_code,
                "milliseconds": round(seconds * 1000, 1),
            },
        )
        return response

    def _too_large(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and int(length) > settings.MAX_BODY_BYTES:
            return error_response(
                BodyTooLarge(f"A request's body has at most {settings.MAX_BODY_BYTES} bytes.")
            )
        return None


def _read_to_end(request: HttpRequest) -> None:
    """Take in what a refused client is still sending, within reason.

    The connection would otherwise break in the middle of it: the answer may be lost, and the next
    request on the same connection with it.
    """
    left = MOST_IGNORED
    with contextlib.suppress(UnreadablePostError):
        while left > 0 and (piece := request.read(PIECE)):
            left -= len(piece)
