"""What every writing route shares: the Idempotency-Key and the shape of the answer."""

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from ledger.api.serializers import EntryRef, MemoryOut
from ledger.idempotency import Result, once
from ledger.masking import reader_for
from ledger.selectors import as_memory, as_of
from ledger.writing import Written
from tenants import keys
from tenants.principals import Principal

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description="Makes a retry safe: the same key and body give the same answer, once done.",
)


def answer_write(
    request: Request,
    principal: Principal,
    write: Callable[[], Written],
    *,
    status: Callable[[Written], int] = lambda written: 200,
) -> Response:
    """Do a write inside the tenant, once per Idempotency-Key, and answer with what became of it."""

    def work() -> Result:
        written = write()
        return Result(status(written), written_body(principal, written), written.version.subject)

    return answer_once(request, principal, work)


def answer_once(request: Request, principal: Principal, work: Callable[[], Result]) -> Response:
    """Do `work` inside the tenant, once per Idempotency-Key, and answer with its result."""
    asked = {
        "method": request.method,
        "path": request.path.rstrip("/"),
        "query": request.query_params.dict(),
        "body": request.data,
    }
    code, body = once(principal, request.headers.get("Idempotency-Key"), asked, work)
    return Response(body, status=code)


def written_body(principal: Principal, written: Written) -> dict[str, Any]:
    """A write in the shape of WrittenOut."""
    version, effect = written.version, written.entry.header["effect"]
    # What is shown was withdrawn if the entry closed it: by retract, decline, or undoing an assert.
    status = "retracted" if str(version.id) in effect["closed"] else None
    reader = reader_for(principal, keys.cipher_for(version.subject))
    memory = as_memory(version, reader, as_of(), status)
    return {
        "memory": dict(MemoryOut(memory).data),
        "disposition": written.disposition,
        "entry": dict(EntryRef(written.entry).data),
    }
