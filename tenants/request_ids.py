"""The id of the request being served, for answers, logs and the audit."""

import re
from contextvars import ContextVar

from tenants import ids

_request_id: ContextVar[str] = ContextVar("request_id", default="")
# A caller's own id is kept only if it cannot forge a log line or fill one.
ACCEPTABLE = re.compile(r"[A-Za-z0-9._-]{8,64}")


def current_request_id() -> str:
    """The id of this request, or '' outside one."""
    return _request_id.get()


def begin_request(offered: str | None) -> str:
    """Take the caller's id if it is acceptable, else make one; it holds until the next request."""
    request_id = offered if offered and ACCEPTABLE.fullmatch(offered) else ids.new_id().hex
    _request_id.set(request_id)
    return request_id
