"""Every refusal as one shape: {"error": {"code", "message", "field"?, "request_id"}}."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from redis import RedisError
from rest_framework import exceptions
from rest_framework.response import Response

from tenants.errors import MemoryHubError
from tenants.request_ids import current_request_id

log = logging.getLogger(__name__)

# Stable codes for what Django and Django REST framework refuse by themselves.
FRAMEWORK_CODES = {
    400: "invalid",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    429: "rate_limited",
}
# What the clients of PostgreSQL and Valkey raise when their server does not answer.
AWAY = (OperationalError, RedisError)
RETRY_SECONDS = 5


def body(
    code: str, message: str, field: str | None = None, rule: str | None = None
) -> dict[str, Any]:
    """The error object."""
    error = {"code": code, "message": message}
    if field:
        error["field"] = field
    if rule:
        error["rule"] = rule
    return {"error": error | {"request_id": current_request_id()}}


def error_response(error: MemoryHubError) -> JsonResponse:
    """An answer outside Django REST framework."""
    return JsonResponse(
        body(error.code, error.message, error.field, error.rule), status=error.status
    )


def answer_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Django REST framework's exception handler. Unknown errors go on to become a logged 500."""
    if isinstance(error, MemoryHubError):
        if error.status >= 500:
            log.error(error.code, exc_info=error)
        headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
        return Response(
            body(error.code, error.message, error.field, error.rule),
            status=error.status,
            headers=headers,
        )
    if isinstance(error, AWAY):
        log.error("a server is away", exc_info=error)
        return Response(
            body("unavailable", "A part of this service is away. Try again in a moment."),
            status=503,
            headers={"Retry-After": str(RETRY_SECONDS)},
        )
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    elif isinstance(error, RequestDataTooBig):
        return Response(body("body_too_large", "The request's body is too large."), status=413)
    if not isinstance(error, exceptions.APIException):
        return None
    return _framework_error(error)


def _framework_error(error: exceptions.APIException) -> Response:
    headers: dict[str, str] = {}
    if error.status_code == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait) + 1)
    if isinstance(error, exceptions.ValidationError):
        code, message, field = _first_problem(error.detail)
        return Response(body(code, message, field), status=400, headers=headers)
    code = FRAMEWORK_CODES.get(error.status_code, "error")
    return Response(body(code, str(error.detail)), status=error.status_code, headers=headers)


def _first_problem(detail: Any, path: str = "") -> tuple[str, str, str | None]:
    """The first leaf of a serializer's error tree: its code, text, and dotted path."""
    if isinstance(detail, dict):
        key, inner = next(iter(detail.items()))
        name = "" if key == "non_field_errors" else str(key)
        return _first_problem(inner, ".".join(filter(None, (path, name))))
    if isinstance(detail, list):
        return _first_problem(detail[0], path)
    return getattr(detail, "code", "invalid"), str(detail), path or None


def _answer(request: HttpRequest, status: int, message: str) -> HttpResponse:
    if request.path.startswith("/api/"):
        code = FRAMEWORK_CODES.get(status, "internal_error")
        return JsonResponse(body(code, message), status=status)
    return render(request, "error.html", {"status": status, "message": message}, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _answer(request, 400, "This request cannot be understood.")


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(request, 403, "You may not do that.")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _answer(request, 403, "This form has expired: go back, reload the page and try again.")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _answer(request, 404, "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    return _answer(request, 500, "Something failed here. The request's id leads to its log.")
