"""Logs: JSON lines with the request's id, and nothing that anybody said or is."""

import io
import json
import logging
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import include, path

from memoryhub.logs import FailureFilter
from memoryhub.urls import handler400, handler403, handler404, handler500  # noqa: F401
from tests.cast import HOST, Actor
from tests.integration.tools import chunks_encoded, eventually
from tests.stack import Stack


@pytest.fixture
def canary() -> str:
    return f"canary{uuid.uuid4().hex}"


def sizes(stack: Stack) -> dict[Path, int]:
    return {file: file.stat().st_size for file in (stack.data_dir / "logs").glob("*.log")}


def added(stack: Stack, before: dict[Path, int]) -> dict[str, str]:
    """What each log file has gained since, by its name."""
    found = {}
    for file in (stack.data_dir / "logs").glob("*.log"):
        with file.open("rb") as log:
            log.seek(before.get(file, 0))
            found[file.stem] = log.read().decode()
    return found


def test_a_conversation_with_the_service_leaves_no_word_of_it_in_any_log(
    stack: Stack, tenant: Actor, canary: str
) -> None:
    before, request_id = sizes(stack), f"request-{uuid.uuid4().hex}"
    key = {"Authorization": f"Bearer {tenant.api_key}"}

    def call(method: str, route: str, **options: Any) -> requests.Response:
        headers = key | {"X-Request-ID": request_id} | options.pop("headers", {})
        return requests.request(method, stack.url + route, headers=headers, timeout=60, **options)

    said = {
        "subject": canary,
        "content": f"I keep bees near {canary} 杭州",
        "value": canary,
        "session": canary,
        "agent": canary,
        "metadata": {canary: canary},
    }
    memory_id = call("POST", "/api/v1/memories", json=said).json()["memory"]["id"]
    trace = call("POST", "/api/v1/recall", json={"subject": canary, "query": canary}).json()
    turn = {"role": "user", "content": f"I keep bees near {canary} 杭州", "name": canary}
    turns = {"subject": canary, "turns": [turn], "wait": True}
    junk = {"subject": canary, "turns": [turn | {"role": canary}]}
    statuses = [
        call("POST", f"/api/v1/sessions/{canary}/turns", json=turns).status_code,
        call("POST", f"/api/v1/sessions/{canary}/turns", json=junk).status_code,
        call("GET", f"/api/v1/sessions/{canary}/turns?subject={canary}").status_code,
        call("POST", f"/api/v1/sessions/{canary}/end", json={"subject": canary}).status_code,
        call("GET", f"/api/v1/subjects/{canary}/profile").status_code,
        call("GET", f"/api/v1/recall/{trace['trace']}").status_code,
        call("GET", f"/api/v1/memories?subject={canary}&q={canary}&session={canary}").status_code,
        call("GET", f"/api/v1/memories?cursor={canary}").status_code,
        call("GET", f"/api/v1/{canary}").status_code,
        call("POST", "/api/v1/memories", data=f'{{"subject": "{canary}').status_code,
        call("POST", "/api/v1/memories", json={canary: canary}).status_code,
        call("POST", "/api/v1/tokens", json={"subject": canary}).status_code,
        call("GET", "/api/v1/memories", headers={"Authorization": canary}).status_code,
        call("GET", "/api/v1/memories", headers={"Authorization": f"Bearer {canary}"}).status_code,
        call("GET", "/healthz", headers={"Referer": canary, "User-Agent": canary}).status_code,
    ]
    talked, statuses = statuses[:5], statuses[5:]
    assert talked[0] in (200, 202)  # 202 where the worker was faster
    assert talked[1:] == [400, 200, 202, 200]
    assert statuses == [200, 200, 400, 404, 415, 400, 201, 401, 401, 200]
    eventually(lambda: chunks_encoded(tenant.tenant_id, memory_id))

    logs = added(stack, before)
    lines = [json.loads(line) for line in logs["web"].splitlines()]
    mine = [line for line in lines if line["request_id"] == request_id]
    assert len(mine) == len(talked) + len(statuses) + 2
    assert {line["status"] for line in mine} >= {200, 201, 202, 400, 401, 404, 415}
    assert all({"time", "level", "logger", "route", "milliseconds"} <= set(line) for line in mine)
    for name, text in logs.items():
        assert canary not in text.lower(), name
        assert tenant.api_key not in text, name
        assert "杭州" not in text, name


def test_the_worker_logs_json_too(stack: Stack, tenant: Actor) -> None:
    lines = (stack.data_dir / "logs" / "worker.log").read_text().splitlines()
    told = [json.loads(line) for line in lines if line.startswith("{")]
    assert any("recall.tasks" in line["message"] for line in told)
    assert all({"time", "level", "logger", "request_id"} <= set(line) for line in told)


def broken(request: HttpRequest, word: str) -> HttpResponse:
    raise ValueError(f"cannot digest {word}")


urlpatterns = [path("api/broken/<str:word>", broken), path("", include("memoryhub.urls"))]


@pytest.fixture
def failures() -> Iterator[io.StringIO]:
    """What the handler for unexpected errors writes."""
    # pytest adds handlers of its own; ours is known by its filter.
    (handler,) = (
        handler
        for handler in logging.getLogger("django.request").handlers
        if any(isinstance(f, FailureFilter) for f in handler.filters)
    )
    assert isinstance(handler, logging.StreamHandler)
    stream = io.StringIO()
    before = handler.setStream(stream)
    yield stream
    handler.setStream(before)


@override_settings(ROOT_URLCONF="tests.integration.test_log_files")
def test_an_unexpected_error_is_a_500_whose_id_leads_to_its_place_in_the_log(
    canary: str, failures: io.StringIO
) -> None:
    client = Client(SERVER_NAME=HOST, raise_request_exception=False)
    response = client.get(f"/api/broken/{canary}")
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (500, "internal_error")
    assert canary not in response.content.decode()
    (line,) = failures.getvalue().splitlines()
    told = json.loads(line)
    assert told["request_id"] == error["request_id"] == response["X-Request-ID"]
    assert told["failure"][0]["error"] == "builtins.ValueError"
    assert "test_log_files.py" in told["failure"][0]["places"][-1]
    assert canary not in line


@override_settings(ROOT_URLCONF="tests.integration.test_log_files")
def test_a_refused_request_is_no_failure(failures: io.StringIO) -> None:
    client = Client(SERVER_NAME=HOST, raise_request_exception=False)
    assert client.get("/api/v1/nothing-here").status_code == 404
    assert failures.getvalue() == ""
