"""Log records carry the id of the request they belong to, and nothing that could name a subject."""

import logging

from tenants.request_ids import current_request_id


class RequestFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = current_request_id()
        # Django attaches the request, which prints as its path.
        record.__dict__.pop("request", None)
        return True
