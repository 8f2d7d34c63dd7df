"""Log records carry the id of the request they belong to, and nothing that could name a subject."""

import logging
import traceback
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError

from tenants.errors import MemoryHubError
from tenants.request_ids import current_request_id

# Errors whose words are ours, or tell of files, sockets and servers only.
HARMLESS = (MemoryHubError, ImproperlyConfigured, OSError, OperationalError)


class RequestFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        # Django attaches the request, which prints as its path.
        record.__dict__.pop("request", None)
        if record.exc_info and record.exc_info[1]:
            record.__dict__["failure"] = told(record.exc_info[1])
            record.exc_info = record.exc_text = None
        return True


class FailureFilter(logging.Filter):
    """Of Django's lines on requests, only those on what was raised, and without the path."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = "unhandled error", None
        return bool(record.exc_info)


def told(error: BaseException) -> list[dict[str, Any]]:
    """An error and its causes, the last one first: class and places, and the words if harmless.

    What a library says may quote the value it choked on, which may be what somebody remembers.
    """
    found: list[dict[str, Any]] = []
    met: set[int] = set()
    seen: BaseException | None = error
    # A chain may lead back to itself: django-redis raises the cause of the error it is handling.
    while seen is not None and id(seen) not in met:
        met.add(id(seen))
        kind = type(seen)
        one: dict[str, Any] = {"error": f"{kind.__module__}.{kind.__qualname__}"}
        if isinstance(seen, HARMLESS):
            one["message"] = str(seen)
        places = traceback.extract_tb(seen.__traceback__)
        one["places"] = [f"{at.filename}:{at.lineno} {at.name}" for at in places]
        found.append(one)
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return found
