"""What is slow only because it waits is begun first, so that it waits beside the other tests."""

from collections.abc import Iterator
from subprocess import Popen

import pytest

# Nobody listens on port 1.
AWAY = {
    "redis": {"MEMORYHUB_REDIS_URL": "redis://127.0.0.1:1/0"},
    "database": {"MEMORYHUB_DATABASE_URL": "postgresql://nobody:x@127.0.0.1:1/nothing"},
}
ASK = """
import django, json
django.setup()
from django.test import Client
client = Client(SERVER_NAME="localhost")
answers = {path: client.get(path) for path in ("/healthz", "/readyz")}
print(json.dumps({path: [a.status_code, a.json()] for path, a in answers.items()}))
"""


@pytest.fixture(scope="session", autouse=True)
def asked() -> Iterator[dict[str, Popen[str]]]:
    """Processes that ask themselves whether they are ready, each with one server away."""
    from tests.integration.tools import spawn  # waits until Django is set up

    running = {name: spawn("-c", ASK, **settings) for name, settings in AWAY.items()}
    yield running
    for process in running.values():
        if process.poll() is None:
            process.kill()
        if process.stdout and not process.stdout.closed:
            process.communicate()
