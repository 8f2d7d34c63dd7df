"""A small server that speaks OpenAI's protocol and answers as a test has scripted it.

`POST /v1/chat/completions` takes the next scripted answer, and the last one again when the script
is over. `POST /v1/embeddings` gives vectors made of the texts' characters. Every request is kept.
"""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 8
CREATED = 1_700_000_000


@dataclass(frozen=True, kw_only=True)
class Scripted:
    """One answer as it goes over the wire.

    `slow` is how many seconds pass before it, `drip` how many between its bytes. A `cut` answer
    promises its whole length, gives half and closes the connection.
    """

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    slow: float = 0.0
    drip: float = 0.0
    cut: bool = False


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request: its path, its headers (names in lower case) and its JSON."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prose(self) -> str:
        """What the model is told."""
        return str(self.body["messages"][0]["content"])

    @property
    def data(self) -> dict[str, Any]:
        """What the model is told about, read from the user's message."""
        read: dict[str, Any] = json.loads(self.body["messages"][1]["content"])
        return read


def completion(
    content: str | None, *, finish_reason: str = "stop", refusal: str | None = None
) -> dict[str, Any]:
    """The protocol's envelope around what the model wrote."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": CREATED,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, "refusal": refusal},
                "finish_reason": finish_reason,
            }
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def answer(content: Any, **wire: Any) -> Scripted:
    """A good answer: what the model wrote, as text or as a thing to be written as JSON."""
    written = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    return Scripted(body=_bytes(completion(written)), **wire)


def refusal(words: str) -> Scripted:
    """The model declines."""
    return Scripted(body=_bytes(completion(None, refusal=words)))


def stopped(finish_reason: str, content: str | None = "") -> Scripted:
    """The answer was ended before its end: "length" or "content_filter"."""
    return Scripted(body=_bytes(completion(content, finish_reason=finish_reason)))


def error(status: int, message: str = "", *, code: str | None = None, **headers: str) -> Scripted:
    """An error of the protocol; `Retry_After="1"` becomes the header Retry-After."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Scripted(body=_bytes(body), status=status, headers=named)


def _bytes(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


class OpenAIServer:
    """The server, its script and what it has received."""

    def __init__(self) -> None:
        self.script: list[Scripted] = []
        self.received: list[Received] = []
        # Parameters or response formats that are answered with 400, as old servers do.
        self.unknown: frozenset[str] = frozenset()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True

    @property
    def url(self) -> str:
        """The base address that clients are given."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def says(self, *script: Scripted) -> None:
        """The answers to come."""
        self.script = list(script)

    def reply(self, request: Received) -> Scripted:
        """The answer to a request, which is kept."""
        with self._lock:
            self.received.append(request)
            if request.path == "/v1/embeddings":
                return _embeddings(request.body)
            if request.path != "/v1/chat/completions":
                return error(404, "no such route")
            if unknown := self.unknown & _named(request.body):
                return error(400, f"unknown: {sorted(unknown)}", code="unsupported_parameter")
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]

    def run(self) -> None:
        """Serve until `stop`."""
        self._http.serve_forever(poll_interval=0.02)

    def stop(self) -> None:
        """End it; new connections are refused from now on."""
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def openai_server() -> Iterator[OpenAIServer]:
    """A server on a free port of this machine, for as long as the block runs."""
    server = OpenAIServer()
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()


def _named(body: dict[str, Any]) -> set[str]:
    """The parameters of a request, and the response format by its type."""
    return {*body, body.get("response_format", {}).get("type", "")}


def _embeddings(body: dict[str, Any]) -> Scripted:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    data = [
        {"object": "embedding", "index": index, "embedding": _vector(text)}
        for index, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": 1, "total_tokens": 1}
    return Scripted(
        body=_bytes({"object": "list", "model": body["model"], "data": data, "usage": usage})
    )


def _vector(text: str) -> list[float]:
    """A unit vector; the same text has the same one."""
    counts = [1.0] + [0.0] * (DIMENSIONS - 1)
    for character in text:
        counts[ord(character) % DIMENSIONS] += 1
    length = sum(count * count for count in counts) ** 0.5
    return [count / length for count in counts]


def _handler(server: OpenAIServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            headers = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(self.rfile.read(length))
            scripted = server.reply(Received(path=self.path, headers=headers, body=body))
            time.sleep(scripted.slow)
            try:
                self._send(scripted)
            except (BrokenPipeError, ConnectionResetError):
                # The client has had enough, which is what some tests are about.
                self.close_connection = True

        def _send(self, scripted: Scripted) -> None:
            self.send_response(scripted.status)
            for name, value in scripted.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(scripted.body)))
            self.end_headers()
            if scripted.cut:
                self.wfile.write(scripted.body[: len(scripted.body) // 2])
                self.close_connection = True
            elif scripted.drip:
                for byte in scripted.body:
                    self.wfile.write(bytes([byte]))
                    time.sleep(scripted.drip)
            else:
                self.wfile.write(scripted.body)

        def log_message(self, *args: Any) -> None:
            """Say nothing: the tests' output is for the tests."""

    return Handler
