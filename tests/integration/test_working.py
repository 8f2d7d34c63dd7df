"""Working memory: exact keys and any JSON, which end by themselves; limits and refusals."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django_redis import get_redis_connection
from redis import RedisError

from ledger.policies import BUILT_IN
from recall import working_store
from tests.cast import Actor, Api
from tests.integration.noting import delete, in_valkey, kept, path, put, refusal, values_in
from tests.integration.tools import eventually, in_threads

RULES = BUILT_IN.working


def ruled(api: Api, **rules: Any) -> None:
    assert api.post("/api/v1/policies", {"rules": {"working": rules}}).status_code == 201


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1.5, 10**30, "", "城 🐢", [], {}, {"step": [1, {"ok": None}]}, "x" * 60_000],
    ids=lambda value: ascii(value)[:20],
)
def test_any_json_comes_back_as_it_was_put(api: Api, value: Any) -> None:
    made = kept(api, path("plan", "k"), value)
    assert made["value"] == value
    assert api.get(path("plan", "k")).json() == made


def test_a_value_takes_the_place_of_what_stood_there(api: Api) -> None:
    assert put(api, path("plan", "k"), "first").status_code == 201
    assert put(api, path("plan", "k"), "second").status_code == 200
    assert api.get(path("plan", "k")).json()["value"] == "second"
    assert len(api.get(path("plan")).json()["results"]) == 1


@pytest.mark.parametrize(
    ("task", "key"),
    [
        ("a b", "c d"),
        ("任务·一", "工具/结果"),
        ("100%", "50%25"),
        ("a?b#c", "d?e#f"),
        ("🐢", "https://example.org/a//b?c=d#e"),
        ("x" * 200, "用" * 200),
        (".hidden", "a.b.c"),
        ("new\nline", "tab\t/\nx"),
        ("a+b&c=d", "'\"\\"),
    ],
)
def test_names_are_any_text_percent_encoded(api: Api, task: str, key: str) -> None:
    made = kept(api, path(task, key), 1)
    assert (made["task"], made["key"]) == (task, key)
    assert api.get(path(task, key)).json() == made
    assert api.get(path(task, key) + "/").json() == made
    assert [note["key"] for note in api.get(path(task)).json()["results"]] == [key]
    assert delete(api, path(task, key)).json() == {"deleted": 1}
    assert api.get(path(task, key)).status_code == 404


def test_names_that_look_alike_are_apart(api: Api) -> None:
    names = ["k", "K", " k", "k ", "ｋ", "k\u0301", "k\u200b", "/k", "k/k"]
    for name in names:
        kept(api, path("plan", name), name)
    assert [api.get(path("plan", name)).json()["value"] for name in names] == names


def test_a_value_ends_by_itself_and_makes_room(api: Api) -> None:
    ruled(api, most_keys=1)
    kept(api, path("plan", "brief"), 1, ttl=1)
    assert refusal(put(api, path("plan", "other"), 2)) == (409, "task_full", "key")
    eventually(lambda: api.get(path("plan", "brief")).status_code == 404)
    eventually(lambda: put(api, path("plan", "other"), 2).status_code == 201)
    assert [note["key"] for note in api.get(path("plan")).json()["results"]] == ["other"]


@pytest.mark.parametrize(("given", "seconds"), [({}, RULES.ttl_seconds), ({"ttl": 86_400}, 86_400)])
def test_it_ends_after_its_own_time_or_else_the_policy_s(
    api: Api, tenant: Actor, given: Any, seconds: int
) -> None:
    ends = datetime.fromisoformat(kept(api, path("plan", "k"), 1, **given)["expires_at"])
    left = ends - datetime.now(UTC)
    assert timedelta(seconds=seconds - 60) < left <= timedelta(seconds=seconds + 60)
    # Nothing of it is kept for longer: neither the value nor the indexes.
    client = get_redis_connection("default")
    times = {client.ttl(name) for name in in_valkey(tenant)}
    assert max(times) <= seconds
    assert min(times) > seconds - 60


def test_a_policy_rules_time_size_and_number(api: Api) -> None:
    ruled(api, ttl_seconds=60, value_bytes=5, most_keys=2)
    ends = datetime.fromisoformat(kept(api, path("plan", "a"), 1)["expires_at"])
    assert ends - datetime.now(UTC) <= timedelta(seconds=120)
    kept(api, path("plan", "b"), "abc")
    assert refusal(put(api, path("plan", "b"), "abcd")) == (413, "value_too_large", "value")
    assert refusal(put(api, path("plan", "b"), "城a")) == (413, "value_too_large", "value")
    assert refusal(put(api, path("plan", "c"), 1)) == (409, "task_full", "key")
    kept(api, path("plan", "a"), 2)
    kept(api, path("another", "c"), 1)
    assert delete(api, path("plan", "a")).status_code == 200
    kept(api, path("plan", "c"), 1)


def test_writers_at_once_never_pass_the_limit(tenant: Actor, api: Api) -> None:
    ruled(api, most_keys=5)

    def write(number: int) -> int:
        return int(put(Api(tenant.api_key), path("plan", f"k{number}"), number).status_code)

    assert sorted(in_threads(write, 12)) == [201] * 5 + [409] * 7
    assert len(api.get(path("plan")).json()["results"]) == 5


def test_a_list_gives_every_value_once_page_by_page(api: Api) -> None:
    for number in range(7):
        kept(api, path("plan", f"k{number}"), number)
    kept(api, path("another", "k"), "not of this task")
    seen, query = [], {"limit": 3}
    while True:
        page = api.get(path("plan"), **query).json()
        assert len(page["results"]) <= 3
        seen += [(note["key"], note["value"]) for note in page["results"]]
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
    assert sorted(seen) == [(f"k{number}", number) for number in range(7)]


def test_deleting_forgets_one_value_or_the_task_and_then_there_is_nothing(
    api: Api, tenant: Actor
) -> None:
    for key in ("a", "b", "c"):
        kept(api, path("plan", key), key)
    kept(api, path("another", "a"), "stays")
    assert delete(api, path("plan", "a")).json() == {"deleted": 1}
    assert delete(api, path("plan", "a")).status_code == 404
    assert delete(api, path("plan")).json() == {"deleted": 2}
    for gone in (delete(api, path("plan")), api.get(path("plan")), api.get(path("plan", "b"))):
        assert refusal(gone) == (404, "not_found", None)
    assert api.get(path("another", "a")).json()["value"] == "stays"
    assert delete(api, path("another")).status_code == 200
    assert not values_in(in_valkey(tenant))


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda api: put(api, path("x" * 201, "k"), 1), (400, "max_length", "task")),
        (lambda api: put(api, path("t", "用" * 201), 1), (400, "max_length", "key")),
        (lambda api: put(api, path(" ", "k"), 1), (400, "blank", "task")),
        (lambda api: put(api, path("t", "\u200b"), 1), (400, "blank", "key")),
        (lambda api: api.get(path("t", "\u3000")), (400, "blank", "key")),
        (lambda api: delete(api, path("x" * 201)), (400, "max_length", "task")),
        (lambda api: api.get(path("t", "a\x00b")), (404, "not_found", None)),
        (lambda api: api.get(path("t", "k/") + "/"), (404, "not_found", None)),
        (lambda api: put(api, path("t", "k"), 1, ttl=0), (400, "min_value", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, ttl=86_401), (400, "max_value", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, ttl="60"), (400, "invalid", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, ttl=True), (400, "invalid", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, ttl=1.5), (400, "invalid", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, ttl=None), (400, "null", "ttl")),
        (lambda api: put(api, path("t", "k"), 1, x=1), (400, "unknown_field", "x")),
        (lambda api: put(api, path("t", "k"), 1, subject=" "), (400, "blank", "subject")),
        (
            lambda api: put(api, path("t", "k"), 1, subject="bob/"),
            (400, "reserved_subject_id", "subject"),
        ),
        (lambda api: put(api, path("t", "k"), "a\x00"), (400, "invalid_text", "value")),
        (
            lambda api: put(api, path("t", "k"), "x" * RULES.value_bytes),
            (413, "value_too_large", "value"),
        ),
        (lambda api: api.get(path("t", "k"), subject="nobody"), (404, "not_found", None)),
        (lambda api: api.get(path("t"), subject=""), (400, "blank", "subject")),
        (lambda api: api.get(path("t"), cursor="x"), (400, "invalid_cursor", "cursor")),
        (lambda api: api.get(path("t"), limit=201), (400, "max_value", "limit")),
        (lambda api: api.get(path("t", "k"), ttl=1), (400, "unknown_field", "ttl")),
        (lambda api: delete(api, path("t"), key="k"), (400, "unknown_field", "key")),
    ],
)
def test_what_is_wrong_is_refused_with_a_code(
    api: Api, call: Callable[[Api], Any], expected: tuple[int, str, str | None]
) -> None:
    assert refusal(call(api)) == expected


@pytest.mark.parametrize("body", [b"[]", b'"x"', b"{}", b'{"value": 1', b'{"value": NaN}', b""])
def test_a_body_without_a_value_is_refused(api: Api, body: bytes) -> None:
    response = api.client.put(
        path("t", "k"), body, content_type="application/json", headers=api._headers()
    )
    assert response.status_code == 400
    assert response.json()["error"]["code"] in {"invalid", "required", "malformed_json"}


@pytest.mark.parametrize("about", [{}, {"subject": "alice"}])
def test_without_valkey_every_call_says_to_come_back(
    api: Api, monkeypatch: pytest.MonkeyPatch, about: dict[str, str]
) -> None:
    kept(api, path("t", "k"), 1, **about)

    def away(*_: Any) -> Any:
        raise RedisError("nobody listens")

    monkeypatch.setattr(working_store, "get_redis_connection", away)
    for response in (
        put(api, path("t", "k"), 2, **about),
        api.get(path("t", "k"), **about),
        api.get(path("t"), **about),
        delete(api, path("t", "k"), **about),
        delete(api, path("t"), **about),
    ):
        assert refusal(response) == (503, "unavailable", None)
        assert response.headers["Retry-After"]
    monkeypatch.undo()
    assert api.get(path("t", "k"), **about).json()["value"] == 1
