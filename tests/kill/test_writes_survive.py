"""Writes and kill -9: what was acknowledged is there once; the rest wholly, or not at all."""

import os
import signal
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field

import psutil
import pytest
import requests

from tests.sayings import saying
from tests.stack import Stack, temporary_stack

RECOVERY_SECONDS = 120
WRITERS = 4


@pytest.fixture(scope="module")
def own_stack() -> Iterator[Stack]:
    """A stack of its own: it gets killed."""
    stack = temporary_stack()
    stack.start()
    yield stack
    stack.stop()
    stack.remove()


@dataclass
class Writer:
    """Writes one memory after another, each with its own key, and remembers what was answered."""

    stack: Stack
    api_key: str
    subject: str
    acknowledged: dict[str, str] = field(default_factory=dict)
    unanswered: list[str] = field(default_factory=list)

    def write(self, content: str) -> requests.Response:
        return requests.post(
            f"{self.stack.url}/api/v1/memories",
            json={"subject": self.subject, "content": content, "verbatim": True},
            headers={
                "Authorization": f"Bearer {self.api_key}",
                "Idempotency-Key": content,
            },
            timeout=30,
        )

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            content = saying()
            try:
                response = self.write(content)
            except requests.RequestException:
                response = None
            if response is not None and response.status_code == 201:
                self.acknowledged[content] = response.json()["memory"]["id"]
            else:
                self.unanswered.append(content)
                time.sleep(0.05)

    def stored(self) -> dict[str, list[str]]:
        """Content → ids of the memories that say it."""
        found: dict[str, list[str]] = {}
        cursor = None
        while True:
            query = {"subject": self.subject, "limit": 200} | ({"cursor": cursor} if cursor else {})
            page = requests.get(
                f"{self.stack.url}/api/v1/memories",
                params=query,
                headers={"Authorization": f"Bearer {self.api_key}"},
                timeout=30,
            ).json()
            for memory in page["results"]:
                found.setdefault(memory["content"], []).append(memory["id"])
            cursor = page["next"]
            if cursor is None:
                return found


def children(stack: Stack, words: str) -> list[psutil.Process]:
    """The stack's processes whose command line holds `words`."""
    assert stack.process is not None
    found = []
    for process in psutil.Process(stack.process.pid).children(recursive=True):
        try:
            if words in " ".join(process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found


def kill(stack: Stack, words: str, how: signal.Signals) -> None:
    processes = children(stack, words)
    assert processes, words
    if how == signal.SIGQUIT:  # PostgreSQL's immediate stop: no checkpoint, as if the power went
        os.kill(min(processes, key=lambda p: p.create_time()).pid, how)
        return
    for process in processes:
        os.kill(process.pid, how)


def wait_until_ready(stack: Stack) -> None:
    deadline = time.monotonic() + RECOVERY_SECONDS
    while time.monotonic() < deadline:
        try:
            if requests.get(f"{stack.url}/readyz", timeout=10).status_code == 200:
                return
        except requests.RequestException:
            pass
        time.sleep(0.3)
    pytest.fail(f"not ready again after {RECOVERY_SECONDS} s:\n{stack.log.read_text()[-2000:]}")


@pytest.mark.parametrize(
    ("victim", "how"),
    [
        ("gunicorn", signal.SIGKILL),
        ("celery", signal.SIGKILL),
        ("postgres", signal.SIGQUIT),
    ],
)
def test_a_kill_during_writes_loses_nothing_and_doubles_nothing(
    own_stack: Stack, victim: str, how: signal.Signals
) -> None:
    api_key = own_stack.demo_key()
    writers = [
        Writer(own_stack, api_key, f"{victim}-{number}-{uuid.uuid4().hex[:6]}")
        for number in range(WRITERS)
    ]
    stop = threading.Event()
    threads = [threading.Thread(target=w.run, args=(stop,)) for w in writers]
    for thread in threads:
        thread.start()
    try:
        wait_for(lambda: all(len(w.acknowledged) >= 3 for w in writers))
        kill(own_stack, victim, how)
        wait_until_ready(own_stack)
        counts = [len(w.acknowledged) for w in writers]
        wait_for(lambda: all(len(w.acknowledged) > n for w, n in zip(writers, counts, strict=True)))
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
    for writer in writers:
        stored = writer.stored()
        for content, memory_id in writer.acknowledged.items():
            assert stored.get(content) == [memory_id]
        for content in writer.unanswered:
            assert len(stored.get(content, [])) <= 1
            assert writer.write(content).status_code == 201
        again = writer.stored()
        assert all(len(again[content]) == 1 for content in writer.unanswered)
        assert set(again) == set(writer.acknowledged) | set(writer.unanswered)


def test_the_ledger_checks_after_all_that(own_stack: Stack) -> None:
    answer = requests.get(
        f"{own_stack.url}/api/v1/ledger/verify",
        headers={"Authorization": f"Bearer {own_stack.demo_key()}"},
        timeout=60,
    ).json()
    assert answer["ok"], answer


def wait_for(condition: object) -> None:
    assert callable(condition)
    deadline = time.monotonic() + RECOVERY_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)
