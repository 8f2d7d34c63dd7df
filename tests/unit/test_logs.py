"""Log records: an unexpected error tells where and what kind, and never quotes a value."""

import json
import logging

from memoryhub.logs import FailureFilter, RequestFilter
from tenants.errors import KeyUnavailable
from tenants.request_ids import begin_request

SECRET = "I moved to Hangzhou"


def record_of(error: Exception) -> logging.LogRecord:
    try:
        raise error
    except Exception as caught:
        return logging.LogRecord(
            "django.request",
            logging.ERROR,
            __file__,
            1,
            "Internal Server Error: %s",
            ("/subjects/alice",),
            (type(caught), caught, caught.__traceback__),
        )


def test_an_unexpected_error_is_told_by_kind_and_place_only() -> None:
    request_id = begin_request(None)
    try:
        raise KeyError(SECRET)
    except KeyError as cause:
        error = ValueError(f"cannot read {SECRET}")
        error.__cause__ = cause
    record = record_of(error)
    assert FailureFilter().filter(record)
    assert RequestFilter().filter(record)
    told = json.dumps({k: repr(v) for k, v in vars(record).items()})
    assert record.getMessage() == "unhandled error"
    assert record.request_id == request_id
    assert [one["error"] for one in record.failure] == ["builtins.ValueError", "builtins.KeyError"]
    assert "record_of" in record.failure[0]["places"][0]
    assert "Hangzhou" not in told
    assert "alice" not in told


def test_an_error_of_ours_is_told_in_its_own_words() -> None:
    record = record_of(KeyUnavailable())
    assert RequestFilter().filter(record)
    assert "FIELD_ENCRYPTION_KEY" in record.failure[0]["message"]


def test_djangos_lines_on_refused_requests_are_left_out() -> None:
    record = logging.LogRecord(
        "django.request", logging.WARNING, __file__, 1, "Not Found: %s", ("/subjects/alice",), None
    )
    assert not FailureFilter().filter(record)


def test_a_chain_of_errors_that_leads_back_to_itself_is_told_once() -> None:
    """django-redis raises the cause of the error that it handles."""
    cause, error = ValueError("cause"), KeyError("error")
    error.__cause__, cause.__context__ = cause, error
    record = record_of(error)
    assert RequestFilter().filter(record)
    assert [one["error"] for one in record.failure] == ["builtins.KeyError", "builtins.ValueError"]
