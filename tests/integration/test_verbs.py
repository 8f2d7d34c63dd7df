"""The verbs over REST: what each answers, refuses and leaves behind."""

import threading
from typing import Any

import pytest
from django.db import connection

from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants.context import tenant_context
from tests.cast import Actor, Api

CITY = {"attribute": "home_city", "valid_from": "2024-01-01T00:00:00Z"}


def verb(api: Api, memory: str, name: str, body: Any = None) -> Any:
    return api.post(f"/api/v1/memories/{memory}/{name}", body or {})


def current(api: Api, subject: str = "alice", **query: Any) -> list[str]:
    found = api.get("/api/v1/memories", subject=subject, **query).json()["results"]
    return sorted(m["content"] for m in found)


@pytest.fixture
def memory(api: Api) -> dict[str, Any]:
    return api.write("alice", "I live in Shanghai", **CITY)["memory"]


def test_an_old_fact_does_not_become_current_by_arriving_late(api: Api, memory: Any) -> None:
    late = api.write(
        "alice", "I live in Wuhan", attribute="home_city", valid_from="2019-01-01T00:00:00Z"
    )
    assert late["memory"]["valid_to"] == memory["valid_from"]
    assert late["memory"]["status"] == "ended"
    assert current(api) == ["I live in Shanghai"]
    assert current(api, valid_at="2020-06-01T00:00:00Z") == ["I live in Wuhan"]


def test_a_change_keeps_the_past_and_both_axes_tell_it(api: Api, memory: Any) -> None:
    """C1, C5: now the new; as of before, the old."""
    answer = verb(
        api,
        memory["id"],
        "change",
        {"content": "I live in Hangzhou", "valid_from": "2025-01-01T00:00:00Z"},
    ).json()
    assert answer["disposition"] == "superseded"
    assert answer["memory"]["id"] == memory["id"]
    assert current(api) == ["I live in Hangzhou"]
    assert current(api, valid_at="2024-06-01T00:00:00Z") == ["I live in Shanghai"]
    assert current(api, known_at="seq:1") == ["I live in Shanghai"]


def test_a_correction_leaves_no_trace_on_the_valid_axis(api: Api, memory: Any) -> None:
    verb(
        api, memory["id"], "correct", {"version": memory["version"], "content": "I live in Suzhou"}
    )
    assert current(api, valid_at="2024-06-01T00:00:00Z") == ["I live in Suzhou"]
    assert current(api, valid_at="2024-06-01T00:00:00Z", known_at="seq:1") == ["I live in Shanghai"]


def test_of_two_revisions_of_one_version_one_wins(api: Api, memory: Any) -> None:
    """C11: one 200, one 409, nothing else."""
    answers: list[Any] = []

    def go(place: str) -> None:
        answers.append(
            verb(
                Api(api.credential),
                memory["id"],
                "change",
                {"content": place, "version": memory["version"]},
            )
        )
        connection.close()

    threads = [threading.Thread(target=go, args=(p,)) for p in ("Hangzhou", "Ningbo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(a.status_code for a in answers) == [200, 409]
    loser = next(a for a in answers if a.status_code == 409)
    assert loser.json()["error"]["code"] == "stale_version"
    assert len(current(api)) == 1


def test_a_retracted_memory_is_gone_now_and_still_in_the_audit(api: Api, memory: Any) -> None:
    """C8, D15: a second time answers 404; every version has its times."""
    deleted = api.client.delete(f"/api/v1/memories/{memory['id']}", headers=api._headers())
    assert deleted.json()["memory"]["status"] == "retracted"
    assert current(api, status="any") == []
    assert api.get(f"/api/v1/memories/{memory['id']}").status_code == 404
    again = api.client.delete(f"/api/v1/memories/{memory['id']}", headers=api._headers())
    assert again.status_code == 404
    history = api.get(f"/api/v1/memories/{memory['id']}/history").json()
    assert [e["verb"] for e in history["entries"]] == ["assert", "retract"]
    assert [v["memory"]["status"] for v in history["versions"]] == ["retracted"]
    assert all(v["recorded_from"] and v["recorded_to"] for v in history["versions"])


def test_an_end_may_lie_in_the_future(api: Api, memory: Any) -> None:
    verb(api, memory["id"], "end", {"valid_to": "2999-01-01T00:00:00Z"})
    assert current(api) == ["I live in Shanghai"]
    assert current(api, valid_at="2999-01-01T00:00:00Z") == []


def test_a_write_that_changes_nothing_writes_nothing(api: Api, memory: Any) -> None:
    repeated = [verb(api, memory["id"], "change", {"content": "I live in Shanghai"})]
    for name, body in (("weigh", {"weight": 2.0}), ("end", {"valid_to": "2999-01-01T00:00:00Z"})):
        verb(api, memory["id"], name, body)
        repeated.append(verb(api, memory["id"], name, body))
    assert [r.json()["disposition"] for r in repeated] == ["unchanged"] * 3
    history = api.get(f"/api/v1/memories/{memory['id']}/history").json()
    assert [e["seq"] for e in history["entries"]] == [1, 2, 3]


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        ("correct", {"content": "x"}, 400, "required"),
        (
            "correct",
            {"version": "00000000-0000-7000-8000-000000000000", "content": "x"},
            409,
            "stale_version",
        ),
        (
            "change",
            {"valid_from": "2023-01-01T00:00:00Z", "content": "x"},
            409,
            "nothing_to_change",
        ),
        ("change", {"value": "Suzhou"}, 400, "invalid"),
        ("end", {"valid_to": "2023-01-01T00:00:00Z"}, 409, "ends_before_it_began"),
        ("weigh", {}, 400, "invalid"),
        ("weigh", {"weight": 0}, 400, "min_value"),
        ("weigh", {"weight": 11}, 400, "max_value"),
        ("approve", {}, 409, "not_pending"),
        ("decline", {}, 409, "not_pending"),
        ("undo", {"entry": "00000000-0000-7000-8000-000000000000"}, 404, "not_found"),
        ("end", {"unknown": 1}, 400, "unknown_field"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(
    api: Api, memory: Any, name: str, body: Any, status: int, code: str
) -> None:
    response = verb(api, memory["id"], name, body)
    if code == "ends_before_it_began":
        status = 400
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)
    history = api.get(f"/api/v1/memories/{memory['id']}/history").json()
    assert len(history["entries"]) == 1


def test_every_revision_can_be_undone(api: Api, memory: Any) -> None:
    steps = [
        ("change", {"content": "I live in Hangzhou", "valid_from": "2025-01-01T00:00:00Z"}),
        ("weigh", {"weight": 3.0}),
        ("end", {"valid_to": "2025-06-01T00:00:00Z"}),
        ("retract", {}),
    ]
    for name, body in steps:
        before = api.get("/api/v1/memories", subject="alice", status="any").json()["results"]
        entry = verb(api, memory["id"], name, body).json()["entry"]["id"]
        undone = verb(api, memory["id"], "undo", {"entry": entry})
        assert undone.json()["disposition"] == "undone", undone.content
        after = api.get("/api/v1/memories", subject="alice", status="any").json()["results"]
        assert [_said(m) for m in after] == [_said(m) for m in before]


def test_an_entry_that_later_ones_build_on_cannot_be_undone_first(api: Api, memory: Any) -> None:
    change = verb(api, memory["id"], "change", {"content": "Hangzhou"}).json()["entry"]["id"]
    verb(api, memory["id"], "weigh", {"weight": 2.0})
    refused = verb(api, memory["id"], "undo", {"entry": change})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "cannot_undo")


def test_what_waits_for_review_is_believed_only_when_approved(tenant: Actor, api: Api) -> None:
    api.write("alice", "I live in Shanghai", **CITY)
    written = []
    for place in ("Hangzhou", "Ningbo"):
        statement = Statement(content=f"I live in {place}", attribute="home_city")
        with tenant_context(tenant.tenant_id):
            written.append(
                remember(
                    tenant.principal,
                    subject="alice",
                    statement=statement,
                    policy=current_policy(),
                    pending=True,
                )
            )
    assert [w.disposition for w in written] == ["pending_review"] * 2
    assert current(api) == ["I live in Shanghai"]
    recalled = api.recall("alice", "Where do I live?")
    assert [m["content"] for m in recalled["memories"]] == ["I live in Shanghai"]
    assert recalled["withheld"] == {"pending_review": 2}
    assert verb(api, str(written[0].version.memory_id), "approve").status_code == 200
    assert verb(api, str(written[1].version.memory_id), "decline").status_code == 200
    assert current(api) == ["I live in Hangzhou"]
    assert current(api, status="pending") == []


def test_change_by_attribute_ends_what_held_it(api: Api, memory: Any) -> None:
    api.write("alice", "I live in Hangzhou", attribute="home_city", operation="change")
    assert current(api) == ["I live in Hangzhou"]
    refused = api.post(
        "/api/v1/memories",
        {"subject": "alice", "content": "The office opens at 9", "operation": "change"},
    )
    assert refused.json()["error"]["field"] == "attribute"


def _said(memory: dict[str, Any]) -> tuple[Any, ...]:
    return memory["content"], memory["valid_from"], memory["valid_to"], memory["weight"]
