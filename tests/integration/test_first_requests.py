"""The first requests of a fresh process may come all at once."""

import json

from tests.integration.tools import ending, spawn

ASK = """
import django, json, threading
django.setup()
from django.test import Client
statuses, together = [], threading.Barrier(6)
def ask(path):
    together.wait()
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    statuses.append(client.get(path).status_code)
threads = [threading.Thread(target=ask, args=[path]) for path in ["/api/schema", "/api/docs"] * 3]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps(statuses))
"""


def test_the_schema_can_be_asked_for_by_several_at_once() -> None:
    code, out, err = ending(spawn("-c", ASK))
    assert code == 0, err
    assert json.loads(out) == [200] * 6, err
