"""Paging: everything is reachable, nothing twice, while new things come in."""

from datetime import UTC, datetime

from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from tenants import clock
from tenants.context import tenant_context
from tests.cast import Actor, Api, new_tenant


def fill(tenant: Actor, subject: str, name: str, count: int) -> None:
    principal = tenant.principal
    with tenant_context(tenant.tenant_id):
        for number in range(count):
            remember(
                principal,
                subject=subject,
                statement=Statement(content=f"{name} {number}"),
                policy=current_policy(),
            )


def test_all_of_125_memories_are_reached_once_while_new_ones_come_in(
    api: Api, tenant: Actor
) -> None:
    """Q5."""
    fill(tenant, "alice", "old", 125)
    seen: list[str] = []
    query: dict = {"subject": "alice", "limit": 30}
    pages = 0
    while True:
        page = api.get("/api/v1/memories", **query).json()
        assert len(page["results"]) <= 30
        seen += [m["content"] for m in page["results"]]
        pages += 1
        if page["next"] is None:
            break
        query["cursor"] = page["next"]
        fill(tenant, "alice", f"new of page {pages}", 7)
    assert pages == 5
    assert seen == [f"old {number}" for number in reversed(range(125))]


def test_memories_of_one_moment_are_each_reached_once(api: Api, tenant: Actor) -> None:
    """Entries of different subjects may carry the same recorded time."""
    subjects = [f"subject {number}" for number in range(7)]
    with clock.frozen(datetime(2024, 5, 1, tzinfo=UTC)):
        for subject in subjects:
            fill(tenant, subject, subject, 1)
    seen, cursor = [], {}
    while True:
        page = api.get("/api/v1/memories", limit=2, **cursor).json()
        seen += [m["subject"] for m in page["results"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert sorted(seen) == subjects


def test_a_page_that_ends_exactly_at_the_end_has_no_next(api: Api, tenant: Actor) -> None:
    fill(tenant, "alice", "fact", 4)
    first = api.get("/api/v1/memories", subject="alice", limit=4).json()
    assert (len(first["results"]), first["next"]) == (4, None)
    first = api.get("/api/v1/memories", subject="alice", limit=3).json()
    second = api.get("/api/v1/memories", subject="alice", limit=3, cursor=first["next"]).json()
    assert (len(second["results"]), second["next"]) == (1, None)


def test_the_default_page_has_fifty(api: Api, tenant: Actor) -> None:
    fill(tenant, "alice", "fact", 51)
    page = api.get("/api/v1/memories", subject="alice").json()
    assert len(page["results"]) == 50
    assert page["next"]


def test_a_cursor_opens_nothing_of_another_tenant(api: Api, tenant: Actor) -> None:
    stranger = new_tenant(f"stranger of {tenant.tenant_id}")
    fill(stranger, "alice", "theirs", 3)
    cursor = Api(stranger.api_key).get("/api/v1/memories", limit=1).json()["next"]
    fill(tenant, "alice", "mine", 1)
    page = api.get("/api/v1/memories", cursor=cursor).json()
    assert "theirs" not in str(page)
