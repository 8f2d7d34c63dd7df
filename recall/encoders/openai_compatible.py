"""Encoders behind a server that speaks OpenAI's protocol for embeddings (POST /embeddings).

Bounded in time, tries and size. Neither the key nor a word of a text gets into a log or an error.
"""

import re
import threading
import time
from collections.abc import Callable
from urllib.parse import urldefrag

import httpx2
import numpy as np
import openai
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ledger.encodable import encodable
from ledger.language_model.settings import ModelSettings
from recall.encoders import EncoderDown, Vectors
from recall.encoders.vectors import unit

BATCH = 64
# Somebody waits for the answer to a question, and nobody for the encoding of what was written.
QUESTION_SECONDS = 3.0
PASSAGES_SECONDS = 30.0
# The wait before the second try where the server names none.
PAUSE_SECONDS = 0.2
# 64 vectors of 8,192 numbers are some 12 MiB.
ANSWER_BYTES = 32 * 1024 * 1024
SECONDS = re.compile(r"\d{1,9}(?:\.\d{1,9})?", re.ASCII)


class _Item(BaseModel):
    model_config = ConfigDict(strict=True)

    index: int
    embedding: list[float] = Field(min_length=1)


class _Answer(BaseModel):
    """The part of the protocol's answer that is read."""

    data: list[_Item]


class OpenAIEncoder:
    """One model of one server. Safe for threads; not to be carried over a fork.

    `url` ends before /embeddings; its fragment, or else MEMORYHUB_EMBEDDING_MODEL, is the model.
    Raises ImproperlyConfigured.
    """

    def __init__(self, url: str, *, wait: Callable[[float], None] = time.sleep) -> None:
        base, fragment = urldefrag(url)
        self._model = fragment or settings.EMBEDDING_MODEL
        # Vectors of two models never mix, wherever the model is named.
        self.name = f"openai:{base}#{self._model}"
        self._wait = wait
        self._dimensions = 0
        self._learning = threading.Lock()
        try:
            server = ModelSettings(url=base, name=self._model, key=settings.EMBEDDING_KEY)
        except ValueError:
            raise ImproperlyConfigured(
                "MEMORYHUB_ENCODER must be 'openai:' and an address that begins with http:// or "
                "https:// and holds no credentials and no query; MEMORYHUB_EMBEDDING_KEY may hold "
                "printable ASCII only."
            ) from None
        self._openai = openai.OpenAI(
            base_url=server.url,
            # Without any key the library would take one from the environment.
            api_key=server.key or "none",
            max_retries=0,
            # A redirect could carry the texts to a server that nobody named.
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    @property
    def dimensions(self) -> int:
        """Learned from the first answer; asks for one if there was none. Raises EncoderDown."""
        if not self._dimensions:
            self.query("dimensions")
        return self._dimensions

    def query(self, text: str) -> Vectors:
        vector: Vectors = self._encoded([text], QUESTION_SECONDS)[0]
        return vector

    def passages(self, texts: list[str], *, seconds: float | None = None) -> Vectors:
        until = None if seconds is None else time.monotonic() + seconds
        batches = [
            self._encoded(
                texts[begin : begin + BATCH],
                PASSAGES_SECONDS if until is None else until - time.monotonic(),
            )
            for begin in range(0, len(texts), BATCH)
        ]
        if not batches:
            return np.zeros((0, self._dimensions), dtype=np.float32)
        return np.concatenate(batches)

    def close(self) -> None:
        """Close its connections."""
        self._openai.close()

    def _encoded(self, texts: list[str], seconds: float) -> Vectors:
        """The vectors of one batch, within so many seconds."""
        body = self._retried([encodable(text) for text in texts], time.monotonic() + seconds)
        rows = _rows(body, len(texts))
        with self._learning:
            expected = self._dimensions or len(rows[0])
            if others := {len(row) for row in rows} - {expected}:
                raise EncoderDown(
                    f"The encoder gave vectors of {min(others)} dimensions; {expected} were "
                    "expected."
                )
            vectors = unit(rows)
            self._dimensions = expected
        return vectors

    def _retried(self, texts: list[str], deadline: float) -> bytes:
        """The body of a good answer; a busy or broken server (429, 5xx) is asked once more."""
        try:
            return self._received(texts, deadline)
        except (openai.RateLimitError, openai.InternalServerError) as error:
            pause = _pause(error.response.headers.get("retry-after"))
            if time.monotonic() + pause >= deadline:
                raise _down(error) from None
        self._wait(pause)
        try:
            return self._received(texts, deadline)
        except openai.APIStatusError as error:
            raise _down(error) from None

    def _received(self, texts: list[str], deadline: float) -> bytes:
        """The body of one answer. Raises EncoderDown, or openai's error for 429 and 5xx."""
        try:
            return self._read(texts, deadline)
        except (openai.RateLimitError, openai.InternalServerError):
            raise
        except openai.APIStatusError as error:
            # The cause is cut off: servers quote keys and texts in their errors.
            raise _down(error) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise EncoderDown("The encoder's server did not answer in time.") from None
        except (openai.OpenAIError, httpx2.HTTPError):
            raise EncoderDown("The encoder's server cannot be reached.") from None

    def _read(self, texts: list[str], deadline: float) -> bytes:
        body = bytearray()
        with self._openai.embeddings.with_streaming_response.create(
            model=self._model,
            input=texts,
            # Left out, the library would ask for a coding that not every server knows.
            encoding_format="float",
            timeout=max(deadline - time.monotonic(), 0.001),
        ) as response:
            # The library's time-out is for each read; a server that drips would never end.
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > ANSWER_BYTES:
                    raise EncoderDown("The encoder's server answered with too much.")
                if time.monotonic() > deadline:
                    raise EncoderDown("The encoder's server did not answer in time.")
        return bytes(body)


def _pause(retry_after: str | None) -> float:
    """Seconds to wait; a date instead of seconds (RFC 9110, 10.2.3) counts as none named."""
    if retry_after is not None and SECONDS.fullmatch(retry_after):
        return float(retry_after)
    return PAUSE_SECONDS


def _down(error: openai.APIStatusError) -> EncoderDown:
    return EncoderDown(f"The encoder's server refused: status {error.status_code}.")


def _rows(body: bytes, count: int) -> list[list[float]]:
    """The vectors in the order of the texts. Raises EncoderDown for any other answer."""
    try:
        items = _Answer.model_validate_json(body).data
    except ValidationError as error:
        broken = any(each["type"] == "json_invalid" for each in error.errors(include_input=False))
        what = "broken JSON" if broken else "something that is no list of vectors"
        raise EncoderDown(f"The encoder's server answered with {what}.") from None
    items.sort(key=lambda item: item.index)
    if [item.index for item in items] != list(range(count)):
        raise EncoderDown(
            f"The encoder gave {len(items)} vectors for {count} texts, or numbered them wrong."
        )
    return [item.embedding for item in items]
