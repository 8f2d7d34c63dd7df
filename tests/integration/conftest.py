"""What is slow only because it waits is begun first, so that it waits beside the other tests."""

import uuid
from collections.abc import Iterator
from subprocess import Popen

import pytest

# Nobody listens on port 1.
AWAY = {
    "redis": {"MEMORYHUB_REDIS_URL": "redis://127.0.0.1:1/0"},
    "database": {"MEMORYHUB_DATABASE_URL": "postgresql://nobody:x@127.0.0.1:1/nothing"},
}
ASK = """
import django, json, sys
django.setup()
from django.test import Client
client = Client(SERVER_NAME="localhost", raise_request_exception=False)
credential = {"Authorization": f"Bearer {sys.argv[1]}"}
def post(path, **body):
    return client.post(path, json.dumps(body), "application/json", headers=credential)
answers = {path: client.get(path, headers=credential) for path in ("/healthz", "/readyz")}
said = {"subject": "alice", "content": "I live in Oslo", "attribute": "home_city", "value": "Oslo"}
answers["write"] = post("/api/v1/memories", **said)
answers["recall"] = post("/api/v1/recall", subject="alice", query="Where do I live?")
note = json.dumps({"value": 1})
answers["note"] = client.put(
    "/api/v1/working/task/key", note, "application/json", headers=credential
)
print(json.dumps({path: [a.status_code, a.json()] for path, a in answers.items()}))
"""


@pytest.fixture(scope="session", autouse=True)
def asked() -> Iterator[dict[str, Popen[str]]]:
    """Processes that ask themselves whether they are ready, each with one server away."""
    # These wait until Django is set up.
    from tests.cast import new_tenant
    from tests.integration.tools import spawn

    key = new_tenant(f"away {uuid.uuid4().hex}").api_key
    running = {name: spawn("-c", ASK, key, **settings) for name, settings in AWAY.items()}
    yield running
    for process in running.values():
        if process.poll() is None:
            process.kill()
        if process.stdout and not process.stdout.closed:
            process.communicate()


@pytest.fixture
def unheard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """No worker hears of a job: who wants it done does it. Gives the nudges that were meant."""
    nudges: list[tuple[str, str]] = []
    monkeypatch.setattr("ledger.tasks.run_job.delay", lambda *ids: nudges.append(ids))
    return nudges
