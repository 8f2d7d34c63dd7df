"""A stolen database dump, and every file beside it, shows no word that anybody said."""

import base64
import json
import secrets
from collections.abc import Callable

import pytest
import requests

from tests.cast import Actor, new_tenant
from tests.sayings import saying
from tests.searching import dump_of, files, shown, shown_in_files
from tests.stack import Stack

# What was said; each is long enough to be found by chance nowhere.
SAYING = saying()
MARK = SAYING.replace(" ", "-")
PHONE = f"138{secrets.randbelow(10**8):08}"
SAID = {
    "English": f"I moved to Hangzhou near West Lake {SAYING}",
    "Chinese": f"我五月搬到了杭州西湖边上 {SAYING}",
    "value": f"the value of it {SAYING}",
    "turn": f"I keep bees in my garden in {SAYING}",
    "answer": f"How many hives do you have there {SAYING}",
    "waiting turn": f"I am allergic to peanuts and {SAYING}",
    "phone": PHONE,
    "speaker": f"Speaker {SAYING}",
    "question": f"Where does the person live now? 她住在哪里 {SAYING}",
}
# What is in clear, and documented as such.
CLEAR = {"subject": f"subject-{MARK}-主体", "session": f"session-{MARK}", "label": f"label-{MARK}"}

NEEDLES = {name: text.encode() for name, text in (SAID | CLEAR).items()}


@pytest.fixture(scope="module")
def spoken(stack: Stack) -> Actor:
    """A tenant in which all of it was said over HTTP, asked for, and encoded."""
    actor = new_tenant(f"dump {MARK}")

    def post(path: str, **body: object) -> dict:
        response = requests.post(
            stack.url + path,
            json=body,
            headers={"Authorization": f"Bearer {actor.api_key}"},
            timeout=60,
        )
        assert response.status_code in (200, 201, 202), response.text
        answer: dict = response.json()
        return answer

    common = {"subject": CLEAR["subject"], "session": CLEAR["session"]}
    for language in ("English", "Chinese"):
        post(
            "/api/v1/memories",
            content=SAID[language],
            value=SAID["value"],
            metadata={"label": CLEAR["label"]},
            **common,
        )
    answer = post("/api/v1/recall", subject=CLEAR["subject"], query=SAID["question"])
    assert {m["content"] for m in answer["memories"]} == {SAID["English"], SAID["Chinese"]}
    _converse(post)
    return actor


def _converse(post: Callable[..., dict]) -> None:
    """A conversation too: learned from while waiting, and by a job of the worker."""
    path = f"/api/v1/sessions/{CLEAR['session']}/turns"
    number = f"My phone number is {PHONE}."
    turns = [
        {"role": "user", "content": SAID["turn"], "name": SAID["speaker"]},
        {"role": "assistant", "content": SAID["answer"]},
        {"role": "user", "content": number},
    ]
    taken = post(path, subject=CLEAR["subject"], turns=turns, wait=True)
    assert taken["stored"] == 3
    last = [{"role": "user", "content": SAID["waiting turn"]}]
    post(path, subject=CLEAR["subject"], turns=last)
    post(f"/api/v1/sessions/{CLEAR['session']}/end", subject=CLEAR["subject"])
    found = post("/api/v1/recall", subject=CLEAR["subject"], query=f"Whose number is {PHONE}?")
    assert number in {memory["content"] for memory in found["memories"]}


@pytest.fixture(scope="module")
def dump(stack: Stack, spoken: Actor) -> bytes:
    return dump_of(stack)


@pytest.mark.parametrize("text", [*SAID.values(), *CLEAR.values()])
def test_the_search_finds_a_text_in_each_of_its_forms(text: str) -> None:
    """A search that finds nothing proves nothing, unless it would find something."""
    for before in (b"", b"x", b"xy", b"xyz"):
        for code in ("utf-8", "utf-16-le", "utf-16-be"):
            raw = before + text.encode(code) + b"tail"
            assert shown(raw, {"text": text})
            assert shown(raw.hex().encode(), {"text": text})
            assert shown(raw.hex().upper().encode(), {"text": text})
            assert shown(base64.b64encode(raw), {"text": text})
            assert shown(base64.urlsafe_b64encode(raw), {"text": text})
    assert shown(json.dumps({"a": json.dumps({"b": text})}).encode(), {"text": text})


def test_a_dump_shows_nothing_that_was_said(dump: bytes) -> None:
    """D13."""
    assert shown(dump, SAID) == set()


def test_a_dump_shows_what_is_documented_as_clear(dump: bytes) -> None:
    """And so the search is one that finds."""
    assert shown(dump, CLEAR) >= {f"{name} (utf-8)" for name in CLEAR}
    for table in ("entrypayload", "turn", "maskedvalue", "job", "session"):
        rows = dump.partition(b"COPY public.ledger_%s (" % table.encode())[2]
        assert rows.partition(b"\n")[2].partition(b"\\.\n")[0], table


def test_what_valkey_keeps_shows_nothing_that_was_said(stack: Stack, spoken: Actor) -> None:
    kept = list(files(stack.data_dir / "valkey"))
    assert any(path.suffix == ".aof" for path in kept)
    stream = f"memoryhub:tail:{spoken.tenant_id}".encode()
    assert any(stream in path.read_bytes() for path in kept)
    assert shown_in_files(stack.data_dir / "valkey", SAID | CLEAR) == set()


def test_no_log_shows_what_was_said_or_of_whom(stack: Stack, spoken: Actor) -> None:
    logs = stack.data_dir / "logs"
    assert "memoryhub.request" in (logs / "web.log").read_text()
    assert shown_in_files(logs, SAID | CLEAR) == set()
    assert shown_in_files(logs, {"key": spoken.api_key}) == set()


def test_the_databases_own_files_show_nothing_that_was_said(stack: Stack, spoken: Actor) -> None:
    """Its write-ahead log included, which holds every row that was ever written."""
    cluster = stack.data_dir / "postgres"
    found = {
        name
        for folder in ("base", "pg_wal")
        for path in files(cluster / folder)
        for name, needle in NEEDLES.items()
        if needle in path.read_bytes()
    }
    assert found == {"subject", "session", "label"}
