"""/readyz tells which part is down, and /healthz that the process answers all the same."""

import json
from subprocess import Popen

import psycopg
import pytest
import requests

from tests.integration.tools import ending, owner_url
from tests.stack import Stack

PARTS = {"database", "cache", "broker", "migrations", "role", "wall"}


def answers(process: Popen[str]) -> dict:
    code, out, err = ending(process)
    assert code == 0, err
    found: dict = json.loads(out)
    return found


def test_everything_is_ready_in_the_running_service(stack: Stack) -> None:
    response = requests.get(f"{stack.url}/readyz", timeout=30)
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "checks": dict.fromkeys(PARTS, "ok")}


@pytest.mark.parametrize(
    ("away", "failed"),
    [("redis", {"cache", "broker"}), ("database", {"database", "migrations", "role", "wall"})],
)
def test_a_server_that_is_away_is_told_by_its_parts(
    asked: dict[str, Popen[str]], away: str, failed: set[str]
) -> None:
    found = answers(asked[away])
    status, body = found["/readyz"]
    assert (status, body["status"]) == (503, "unavailable")
    assert {part for part, state in body["checks"].items() if state == "failed"} == failed
    assert {part for part, state in body["checks"].items() if state == "ok"} == PARTS - failed
    assert found["/healthz"] == [200, {"status": "ok"}]
    # And who asks for what only that server has is told to come back, not that something is broken.
    status, body = found["note"]
    assert (status, body["error"]["code"]) == (503, "unavailable")


def test_without_valkey_memories_are_written_and_recalled_and_the_answer_says_what_was_missing(
    asked: dict[str, Popen[str]],
) -> None:
    """A cache that is down costs speed, not the answer."""
    found = answers(asked["redis"])
    assert found["write"][0] == 201
    status, body = found["recall"]
    assert (status, [memory["value"] for memory in body["memories"]]) == (200, ["Oslo"])
    assert body["missing"] == ["cache"]


def test_without_postgresql_nothing_is_written_or_recalled(asked: dict[str, Popen[str]]) -> None:
    found = answers(asked["database"])
    for call in ("write", "recall"):
        status, body = found[call]
        assert (status, body["error"]["code"]) == (503, "unavailable")


def test_a_migration_that_was_not_run_and_a_hole_in_the_wall_are_told(stack: Stack) -> None:
    newest = "SELECT app, name FROM django_migrations WHERE app = 'recall' ORDER BY 2 DESC LIMIT 1"
    with psycopg.connect(owner_url(), autocommit=True) as owner:
        name = owner.execute(newest).fetchone()
        owner.execute("CREATE TABLE stray_leaf (words text)")
        owner.execute("DELETE FROM django_migrations WHERE app = %s AND name = %s", name)
        try:
            response = requests.get(f"{stack.url}/readyz", timeout=30)
        finally:
            owner.execute("DROP TABLE stray_leaf")
            owner.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES (%s, %s, now())", name
            )
    assert response.status_code == 503
    failed = {part for part, state in response.json()["checks"].items() if state != "ok"}
    assert failed == {"migrations", "wall"}
    assert requests.get(f"{stack.url}/readyz", timeout=30).status_code == 200
