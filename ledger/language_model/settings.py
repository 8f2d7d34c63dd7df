"""Where a language model is, and the codes of what can go wrong with it."""

from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import urlsplit


class Failure(StrEnum):
    """Why the model gave nothing that can be used."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    UNAUTHORISED = "unauthorised"
    BAD_REQUEST = "bad_request"
    REFUSED = "refused"
    CONTENT_FILTER = "content_filter"
    TOO_LONG = "too_long"
    BROKEN_JSON = "broken_json"
    SCHEMA = "schema"
    # It gave statements, and none of them held.
    NOTHING_HELD = "nothing_held"


@dataclass(frozen=True, kw_only=True)
class ModelSettings:
    """Where the model is. `url` ends before /chat/completions; `key` may be empty.

    Raises ValueError, which never quotes the key.
    """

    url: str
    name: str
    key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        address = urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("The language model's URL must begin with http:// or https://.")
        if address.username is not None or address.query:
            # The address is logged by HTTP libraries.
            raise ValueError("The language model's URL may hold no credentials and no query.")
        if not (self.key.isascii() and self.key.isprintable() and " " not in self.key):
            # A header cannot hold it, and the libraries' errors would quote it.
            raise ValueError("The language model's key may hold printable ASCII only.")
