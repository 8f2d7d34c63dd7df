"""What the tests of working memory need: calls, refusals, and a look into Valkey."""

import json
from typing import Any
from urllib.parse import quote

from django_redis import get_redis_connection

from tests.cast import Actor, Api

BASE = "/api/v1/working"


def path(task: str, key: str | None = None) -> str:
    """The address of a task, or of one key of it."""
    names = (task,) if key is None else (task, key)
    return "/".join([BASE, *(quote(name, safe="") for name in names)])


def put(api: Api, where: str, value: Any, **more: Any) -> Any:
    return api.client.put(
        where,
        json.dumps({"value": value} | more),
        content_type="application/json",
        headers=api._headers(),
    )


def delete(api: Api, where: str, **query: Any) -> Any:
    return api.client.delete(where, headers=api._headers(), query_params=query)


def kept(api: Api, where: str, value: Any, **more: Any) -> Any:
    """Put a value; gives the parsed answer, which must be a success."""
    response = put(api, where, value, **more)
    assert response.status_code in (200, 201), response.content
    return response.json()


def refusal(response: Any) -> tuple[int, str, str | None]:
    """Status, code and field of an error."""
    error = response.json()["error"]
    return response.status_code, error["code"], error.get("field")


def in_valkey(tenant: Actor) -> dict[bytes, bytes]:
    """All that Valkey holds of a tenant's working memory: names, and values or members."""
    client = get_redis_connection("default")
    found = {}
    for name in client.scan_iter(f"memoryhub:working:{tenant.tenant_id}:*", count=1000):
        is_index = client.type(name) == b"zset"
        found[name] = b" ".join(client.zrange(name, 0, -1)) if is_index else client.get(name)
    return found


def values_in(held: dict[bytes, bytes]) -> list[bytes]:
    """The names under which Valkey holds values, and not indexes."""
    return [name for name in held if b":value:" in name]
