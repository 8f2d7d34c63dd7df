"""Requests over HTTP from several clients at once, each timed; loopback and bounded."""

import http.client
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

PATIENCE_SECONDS = 60
Request = Callable[[Any], Any]


@dataclass
class Load:
    """What came of it: the seconds it took together, the milliseconds of each, the answers."""

    seconds: float
    milliseconds: list[float]
    answers: list[Any]


def together(clients: int, items: Sequence[Any], client: Callable[[int], Request]) -> Load:
    """Send the items (texts, say) with so many clients at once, shared out evenly.

    `client(n)` connects client n and gives the function that sends one item. All begin together,
    and the clock runs from there until the last is done.
    """
    start = threading.Barrier(clients + 1)

    def work(place: int) -> list[tuple[float, Any]]:
        send = client(place)
        start.wait(PATIENCE_SECONDS)
        return [_timed(send, item) for item in items[place::clients]]

    with ThreadPoolExecutor(clients) as pool:
        working = [pool.submit(work, place) for place in range(clients)]
        start.wait(PATIENCE_SECONDS)
        began = time.perf_counter()
        done = [item for future in working for item in future.result()]
        seconds = time.perf_counter() - began
    return Load(seconds, [took for took, _ in done], [answer for _, answer in done])


def _timed(send: Request, item: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    answer = send(item)
    return (time.perf_counter() - began) * 1000, answer


class Client:
    """One connection that stays open, with an API key."""

    def __init__(self, port: int, api_key: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        self._connection.connect()
        self._headers = {"Authorization": f"Bearer {api_key}", "Content-Type": "application/json"}

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Post a body and read the answer to its end. Raises RuntimeError for any but a success."""
        self._connection.request("POST", path, json.dumps(body).encode(), self._headers)
        response = self._connection.getresponse()
        text = response.read()
        if response.status not in (200, 201, 202):
            raise RuntimeError(f"POST {path} answered {response.status}: {text[:500]!r}")
        return json.loads(text)


def tally(words: list[str]) -> str:
    """How often each came, the most frequent first: "98 stored, 2 merged"."""
    return ", ".join(f"{count} {word}" for word, count in Counter(words).most_common()) or "none"
