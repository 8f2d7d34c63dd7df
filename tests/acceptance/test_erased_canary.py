"""After an erasure nothing anywhere shows the canary: dump, Valkey, logs, data folder."""

import secrets
import uuid

import pytest
import requests

from tests.cast import Actor, new_tenant
from tests.sayings import saying
from tests.searching import dump_of, shown, shown_in_files
from tests.stack import Stack

# Of plain words: letters and digits at random might be taken for something private, or for noise.
SAYING = saying()
MARK = SAYING.replace(" ", "-")
PHONE = f"139{secrets.randbelow(10**8):08}"
CANARY = {
    "English": f"The canary sings at dawn {SAYING}",
    "Chinese": f"金丝雀在黎明歌唱 {SAYING}",
    "value": f"canary value {SAYING}",
    "turn": f"I feed the canary at noon in {SAYING}",
    "answer": f"Which grain does the canary like {SAYING}",
    "phone": PHONE,
    "question": f"When does the canary sing? {MARK}",
}
# A label is stored in clear: it proves that the search finds, and that erasure removes.
LABEL = {"label": f"canary-label-{MARK}"}
SUBJECT = f"canary-{MARK}"


@pytest.fixture(scope="module")
def erased(stack: Stack) -> tuple[dict, bytes, bytes]:
    """The receipt, and a dump of the database from before and from after the erasure."""
    actor = new_tenant(f"canary {MARK}")
    for content in (CANARY["English"], CANARY["Chinese"]):
        body = {"subject": SUBJECT, "content": content, "value": CANARY["value"], "metadata": LABEL}
        _call(stack, actor, "POST", "/api/v1/memories", json=body)
    question = {"subject": SUBJECT, "query": CANARY["question"]}
    answer = _call(stack, actor, "POST", "/api/v1/recall", json=question)
    memory = answer["memories"][0]["id"]
    _call(stack, actor, "POST", f"/api/v1/memories/{memory}/change", json={"content": "Silence"})
    turns = [
        {"role": "user", "content": CANARY["turn"]},
        {"role": "assistant", "content": CANARY["answer"]},
        {"role": "user", "content": f"The vet of the canary answers at {PHONE}."},
    ]
    body = {"subject": SUBJECT, "turns": turns, "wait": True}
    _call(stack, actor, "POST", f"/api/v1/sessions/s-{MARK}/turns", json=body)
    before = dump_of(stack)
    receipt = _call(stack, actor, "DELETE", f"/api/v1/subjects/{SUBJECT}")
    verified = _call(stack, actor, "GET", "/api/v1/ledger/verify")
    assert verified["ok"], verified
    return receipt, before, dump_of(stack)


def _call(stack: Stack, actor: Actor, method: str, path: str, **options: object) -> dict:
    headers = {"Authorization": f"Bearer {actor.api_key}", "Idempotency-Key": uuid.uuid4().hex}
    response = requests.request(method, stack.url + path, headers=headers, timeout=60, **options)
    assert response.status_code in (200, 201, 202), response.text
    answer: dict = response.json()
    return answer


def test_the_receipt_counts_what_was_there_and_that_nothing_is_left(erased: tuple) -> None:
    receipt, _, _ = erased
    found = receipt["found"]
    assert found["words"] >= 3
    assert found["kept_answers"] == 4
    assert (found["turns"], found["recent_turns"], found["sessions"]) == (3, 3, 1)
    assert found["jobs"] == 1
    # The phone at least: 黎明, the dawn, is also a name.
    assert found["masked_values"] >= 1
    assert receipt["found"]["traces"] == 1
    assert set(receipt["left"].values()) == {0}


def test_a_dump_shows_it_no_more(erased: tuple) -> None:
    """D13: the label was there before, so the search is one that finds."""
    _, before, after = erased
    assert shown(before, LABEL) >= {"label (utf-8)"}
    assert shown(after, CANARY | LABEL) == set()


def test_no_file_of_the_installation_shows_its_words(stack: Stack, erased: tuple) -> None:
    """D16: the write-ahead log, Valkey's log of commands and our own logs among them."""
    assert shown_in_files(stack.data_dir, CANARY) == set()
