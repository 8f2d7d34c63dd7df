"""FIELD_ENCRYPTION_KEY: with the old key gone nothing is given out; beside the new one all is."""

import json
from collections.abc import Iterator
from subprocess import Popen

import pytest
from cryptography.fernet import Fernet

from memoryhub import env
from tests.cast import Actor, Api, new_tenant
from tests.integration.tools import ending, spawn

WORDS = "I moved to Hangzhou"
ASK = """
import django, json, sys
django.setup()
from tests.cast import Api
api = Api(sys.argv[1])
memory, token = sys.argv[2:]
answers = {
    "read": api.get("/api/v1/memories/" + memory),
    "list": api.get("/api/v1/memories", subject="alice"),
    "write": api.post("/api/v1/memories", {"subject": "alice", "content": "something new"}),
    "recall": api.post("/api/v1/recall", {"subject": "alice", "query": "Where?"}),
    "token": Api(token).get("/api/v1/memories"),
    "mint": api.post("/api/v1/tokens", {"subject": "alice"}),
}
print(json.dumps({name: [a.status_code, a.content.decode()] for name, a in answers.items()}))
"""


@pytest.fixture(scope="module")
def tenant() -> Actor:
    """A tenant whose keys were wrapped with the key that the service has."""
    return new_tenant(f"rotated {Fernet.generate_key().decode()}")


@pytest.fixture(scope="module")
def asked(tenant: Actor) -> Iterator[dict[str, Popen[str]]]:
    """Two processes: one that has a new key only, and one that has the old one after it."""
    api = Api(tenant.api_key)
    memory = api.write("alice", WORDS)["memory"]["id"]
    token = api.post("/api/v1/tokens", {"subject": "alice"}).json()["token"]
    old, new = env.text("MEMORYHUB_FIELD_ENCRYPTION_KEY"), Fernet.generate_key().decode()
    running = {
        name: spawn(
            *("-c", ASK, tenant.api_key, memory, token), MEMORYHUB_FIELD_ENCRYPTION_KEY=value
        )
        for name, value in {"gone": new, "rotated": f"{new},{old}"}.items()
    }
    yield running
    for process in running.values():
        if process.poll() is None:
            process.kill()
        if process.stdout and not process.stdout.closed:
            process.communicate()


def test_with_the_key_gone_every_answer_is_an_error_and_none_is_ciphertext(
    asked: dict[str, Popen[str]], tenant: Actor
) -> None:
    """The library gives the ciphertext back as if it were the text; ours raises KeyUnavailable."""
    code, out, err = ending(asked["gone"])
    assert code == 0, err
    for name, (status, body) in json.loads(out).items():
        assert status == 500, name
        assert json.loads(body)["error"]["code"] == "key_unavailable", name
        assert "gAAAA" not in body
        assert WORDS not in body
    assert "key_unavailable" in err
    assert "gAAAA" not in err


def test_beside_the_new_key_the_old_one_still_opens_what_it_wrapped(
    asked: dict[str, Popen[str]], tenant: Actor
) -> None:
    code, out, err = ending(asked["rotated"])
    assert code == 0, err
    answers = json.loads(out)
    assert {name: status for name, (status, _) in answers.items()} == {
        "read": 200,
        "list": 200,
        "write": 201,
        "recall": 200,
        "token": 200,
        "mint": 201,
    }
    assert json.loads(answers["read"][1])["content"] == WORDS
    # Written once: the process without the key has stored nothing.
    contents = [m["content"] for m in Api(tenant.api_key).get("/api/v1/memories").json()["results"]]
    assert sorted(contents) == [WORDS, "something new"]
