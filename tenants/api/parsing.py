"""Reading a request's body: JSON within explicit limits, and text that can be stored."""

import codecs
import json
import math
import unicodedata
from typing import Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser

from tenants.errors import Invalid

# Unicode's general categories of spaces, controls and format characters.
UNSEEN = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


class MalformedJSON(Invalid):
    """The body is not well-formed JSON in UTF-8."""

    code = "malformed_json"


class TooDeep(Invalid):
    """The body is nested too deeply."""

    code = "too_deep"


class InvalidText(Invalid):
    """A text holds NUL or half of a surrogate pair, which cannot be stored as UTF-8."""

    code = "invalid_text"


class BodyTooLarge(Invalid):
    """The request's body is larger than this server accepts."""

    code = "body_too_large"
    status = 413


class StrictJSONParser(BaseParser):
    """Strict JSON (RFC 8259): no NaN, no repeated member, bounded size and depth, storable text."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        raw = stream.read(settings.MAX_BODY_BYTES + 1)
        if len(raw) > settings.MAX_BODY_BYTES:
            raise BodyTooLarge(f"A request's body has at most {settings.MAX_BODY_BYTES} bytes.")
        try:
            text = codecs.decode(raw, "utf-8")
            value = json.loads(
                text,
                parse_constant=_refuse_constant,
                parse_float=_finite,
                object_pairs_hook=_distinct_members,
            )
        except RecursionError as error:
            raise TooDeep from error
        except MalformedJSON:
            raise
        except ValueError as error:
            raise MalformedJSON from error
        require_storable(value, depth=settings.MAX_JSON_DEPTH)
        return value


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedJSON(f"{name} is not JSON.")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise MalformedJSON("A number is too large for a double.")
    return number


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise MalformedJSON("A member's name occurs twice in one object.")
    return members


def require_storable(value: Any, *, depth: int, path: str = "") -> None:
    """Raise InvalidText or TooDeep for a value that could not be stored; names the field."""
    if depth < 0:
        raise TooDeep(f"The body is nested more than {settings.MAX_JSON_DEPTH} levels deep.")
    if isinstance(value, str):
        if not is_storable(value):
            raise InvalidText(field=path or None)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if not is_storable(name):
                raise InvalidText(field=path or None)
            require_storable(inner, depth=depth - 1, path=f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            require_storable(
                inner, depth=depth - 1, path=f"{path}.{number}" if path else str(number)
            )


def is_storable(text: str) -> bool:
    """Whether PostgreSQL and UTF-8 can hold the text: no NUL, no lone surrogate."""
    return "\x00" not in text and not any("\ud800" <= char <= "\udfff" for char in text)


def is_visible(text: str) -> bool:
    """Whether anything of the text shows: not only spaces, controls and format characters."""
    return any(unicodedata.category(char) not in UNSEEN for char in text)
