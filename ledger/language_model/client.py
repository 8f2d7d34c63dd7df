"""One question to an OpenAI-compatible server: bounded in time, tries and size, never raising.

What goes wrong is a Failure. Neither the key nor a word of a text gets into a log or an error.
"""

import logging
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

import httpx2
import openai
from pydantic import BaseModel, ValidationError

from ledger.language_model.answers import Completion, json_schema
from ledger.language_model.settings import Failure, ModelSettings
from ledger.policy.model import Model

log = logging.getLogger(__name__)

Shape = TypeVar("Shape", bound=BaseModel)

FENCE = "```"

# What another attempt may cure.
PASSING = frozenset(
    {Failure.TIMEOUT, Failure.UNREACHABLE, Failure.RATE_LIMITED, Failure.SERVER_ERROR}
)
STATUSES = {
    401: Failure.UNAUTHORISED,
    403: Failure.UNAUTHORISED,
    408: Failure.TIMEOUT,
    413: Failure.TOO_LONG,
    429: Failure.RATE_LIMITED,
}
# The codes of a refused request whose cause is the text and not the way of asking.
CODES = {
    "content_filter": Failure.CONTENT_FILTER,
    "context_length_exceeded": Failure.TOO_LONG,
}


class Failed(Exception):
    """An attempt that gave nothing; `wait` is how many seconds the server asked us to wait."""

    def __init__(self, failure: Failure, wait: float | None = None) -> None:
        super().__init__(failure)
        self.failure = failure
        self.wait = wait


class Client:
    """Asks one model. Safe for threads; not to be carried over a fork."""

    def __init__(
        self, settings: ModelSettings, policy: Model, *, wait: Callable[[float], None] = time.sleep
    ) -> None:
        self._name = settings.name
        self._policy = policy
        self._wait = wait
        # The first way of asking that this server is known to understand.
        self._way = 0
        self._openai = openai.OpenAI(
            base_url=settings.url,
            # Without any key the library would take one from the environment.
            api_key=settings.key or "none",
            max_retries=0,
            # A redirect could carry the text to a server that nobody named.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    def ask(self, instructions: str, data: str, shape: type[Shape]) -> Shape | Failure:
        """The answer in the given shape, or why there is none."""
        messages = [
            {"role": "system", "content": instructions},
            {"role": "user", "content": data},
        ]
        started = time.monotonic()
        answer: Shape | Failure
        try:
            answer = self._retried(messages, shape, started + self._policy.total_seconds)
        except Failed as failed:
            answer = failed.failure
        outcome = answer if isinstance(answer, Failure) else "answered"
        took = round((time.monotonic() - started) * 1000)
        fields = {"outcome": str(outcome), "model": self._name, "milliseconds": took}
        log.info("language model: %s", outcome, extra=fields)
        return answer

    def close(self) -> None:
        """Close its connections."""
        self._openai.close()

    def _retried(self, messages: list[Any], shape: type[Shape], deadline: float) -> Shape:
        pause = self._policy.backoff_seconds
        for left in range(self._policy.retries, -1, -1):
            try:
                return self._in_some_way(messages, shape, deadline)
            except Failed as failed:
                wait = pause if failed.wait is None else failed.wait
                late = time.monotonic() + wait >= deadline
                long = wait > self._policy.longest_wait_seconds
                if failed.failure not in PASSING or not left or late or long:
                    raise
            self._wait(wait)
            pause = min(pause * 2, self._policy.longest_wait_seconds)
        raise AssertionError("the last attempt returns or raises")

    def _in_some_way(self, messages: list[Any], shape: type[Shape], deadline: float) -> Shape:
        """Ask; a server that does not understand how (400, 422) is asked in plainer ways."""
        ways = self._ways(shape)
        for way in range(self._way, len(ways)):
            try:
                read = self._read(messages, ways[way], deadline)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if failure := CODES.get(str(error.code)):
                    raise Failed(failure) from None
                continue
            self._way = way
            return _parsed(read, shape)
        raise Failed(Failure.BAD_REQUEST)

    def _ways(self, shape: type[BaseModel]) -> list[dict[str, Any]]:
        """The parameters of each way of asking, the strictest first.

        The last ones are for models that set their own temperature and count their thoughts.
        """
        schema = {"name": "answer", "strict": True, "schema": json_schema(shape)}
        by_schema = {"response_format": {"type": "json_schema", "json_schema": schema}}
        as_object = {"response_format": {"type": "json_object"}}
        limits = {"max_tokens": self._policy.max_tokens, "temperature": self._policy.temperature}
        thinking = {"max_completion_tokens": self._policy.max_tokens}
        return [limits | by_schema, limits | as_object, limits, thinking | by_schema, thinking]

    def _read(self, messages: list[Any], way: dict[str, Any], deadline: float) -> bytes:
        """The body of one answer. Raises Failed, or openai's error for a 400 or 422."""
        now = time.monotonic()
        deadline = min(deadline, now + self._policy.timeout_seconds)
        if now >= deadline:
            raise Failed(Failure.TIMEOUT)
        try:
            return self._received(messages, way, deadline)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            raise
        except openai.APIStatusError as error:
            # The cause is cut off: servers quote keys and texts in their errors.
            raise _failed(error) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise Failed(Failure.TIMEOUT) from None
        except (openai.OpenAIError, httpx2.HTTPError):
            raise Failed(Failure.UNREACHABLE) from None

    def _received(self, messages: list[Any], way: dict[str, Any], deadline: float) -> bytes:
        body = bytearray()
        with self._openai.chat.completions.with_streaming_response.create(
            model=self._name,
            messages=messages,
            extra_body=way,
            timeout=deadline - time.monotonic(),
        ) as response:
            # The library's time-out is for each read; a server that drips would never end.
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > self._policy.answer_bytes:
                    raise Failed(Failure.TOO_LONG)
                if time.monotonic() > deadline:
                    raise Failed(Failure.TIMEOUT)
        return bytes(body)


def _failed(error: openai.APIStatusError) -> Failed:
    status = error.status_code
    failure = Failure.SERVER_ERROR if status >= 500 else STATUSES.get(status, Failure.BAD_REQUEST)
    return Failed(failure, _retry_after(error.response.headers.get("retry-after")))


def _retry_after(value: str | None) -> float | None:
    """Seconds to wait, from seconds or a date (RFC 9110, 10.2.3); None if it says nothing."""
    if value is None:
        return None
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", value, re.ASCII):
        return float(value)
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _parsed(body: bytes, shape: type[Shape]) -> Shape:
    choice = _validated(Completion, body).choices[0]
    if choice.message.refusal:
        raise Failed(Failure.REFUSED)
    if choice.finish_reason == "content_filter":
        raise Failed(Failure.CONTENT_FILTER)
    if choice.finish_reason == "length":
        raise Failed(Failure.TOO_LONG)
    if choice.message.content is None:
        raise Failed(Failure.SCHEMA)
    return _validated(shape, _bare(choice.message.content).encode("utf-8", "replace"))


def _bare(content: str) -> str:
    """The answer without the thoughts that some models write before it, and out of its fence."""
    content = content.strip()
    if content.startswith("<think>"):
        content = content.partition("</think>")[2].strip()
    if content.startswith(FENCE) and content.endswith(FENCE):
        content = content.removeprefix(FENCE).removesuffix(FENCE)
        content = content.removeprefix("json").removeprefix("JSON")
    return content


def _validated(shape: type[Shape], text: bytes) -> Shape:
    try:
        return shape.model_validate_json(text)
    except ValidationError as error:
        broken = any(each["type"] == "json_invalid" for each in error.errors(include_input=False))
        raise Failed(Failure.BROKEN_JSON if broken else Failure.SCHEMA) from None
