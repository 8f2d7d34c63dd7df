"""Write, recall, explain: over HTTP, against the running service, in English and Chinese."""

import pytest
import requests

from tests.cast import Actor
from tests.stack import Stack


def call(stack: Stack, actor: Actor, method: str, path: str, **options: object) -> dict:
    response = requests.request(
        method,
        stack.url + path,
        headers={"Authorization": f"Bearer {actor.api_key}"},
        timeout=30,
        **options,
    )
    assert response.status_code in (200, 201), response.text
    return response.json()


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("I moved to Hangzhou in May 2024", "Where does Alice live?"),
        ("我五月搬到了杭州", "她住在哪里"),
    ],
)
def test_a_memory_is_recalled_at_once_and_explained(
    stack: Stack, tenant: Actor, content: str, question: str
) -> None:
    written = call(
        stack, tenant, "POST", "/api/v1/memories", json={"subject": "alice", "content": content}
    )
    answer = call(
        stack, tenant, "POST", "/api/v1/recall", json={"subject": "alice", "query": question}
    )
    trace = call(stack, tenant, "GET", f"/api/v1/recall/{answer['trace']}")

    assert written["disposition"] == "stored"
    assert [m["content"] for m in answer["memories"]] == [content]
    assert answer["memories"][0]["why"]
    assert content in answer["context"]
    assert answer["tokens"] > 0
    assert trace["query"] == question
    assert trace["candidates"][0]["verdict"] == "returned"
    assert trace["candidates"][0]["arms"]["vector"]["rank"] == 1
