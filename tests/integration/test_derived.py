"""What is derived (summaries, insights, the profile) names its sources and vanishes with them."""

import io
import json
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from ledger.derivations import sources_of
from ledger.models import Job, JobKind, MemorySource
from ledger.rebuild import rebuild_subject
from ledger.services import reflect as reflecting
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.talking import contents, counted, end, memories, say, set_policy

PRICES = {
    "en": [
        "I compared the prices of three laptops before buying.",
        "I compared prices of headphones in two shops.",
        "I checked the price of the camera on three sites.",
        "I compared prices of bicycles in five shops.",
    ],
    "zh": [
        "我买手机之前比较了三家的价格。",
        "我昨天又比了耳机的价格。",
        "买相机的时候我对比了几家店的价格。",
        "买自行车之前我比较了五家店的价格。",
    ],
}


def derived(api: Api, kind: str, **asked: Any) -> list[dict[str, Any]]:
    return memories(api, kind=kind, **asked)


def sources(tenant: Actor, memory_id: str) -> set[str]:
    with tenant_context(tenant.tenant_id):
        return {str(source) for source in sources_of(UUID(memory_id))}


@pytest.fixture
def insight(api: Api, tenant: Actor, unheard: list) -> dict[str, Any]:
    """An insight drawn from three comparisons of prices."""
    return drawn(api, tenant)


def drawn(api: Api, tenant: Actor) -> dict[str, Any]:
    """Three comparisons of prices, and the insight that they give."""
    for content in PRICES["en"][:3]:
        api.write("alice", content, kind="event")
    _reflect(tenant)
    found = derived(api, "insight")
    assert len(found) == 1
    return found[0]


def _reflect(tenant: Actor) -> None:
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
    reflecting.reflect(tenant.principal, subject.id, None)


def rebuilt(tenant: Actor) -> Any:
    with tenant_context(tenant.tenant_id):
        return rebuild_subject(Subject.objects.get(external_id="alice"))


def test_the_end_of_a_session_makes_a_summary_with_its_sources(
    api: Api, tenant: Actor, unheard: list
) -> None:
    facts = ["I live in Paris.", "I am allergic to peanuts.", "I work as a nurse.", "I like tea."]
    say(api, *facts[:3], "hello")
    end(api, tenant)
    assert derived(api, "summary") == []  # too little for a summary
    say(api, facts[3])
    say(api, "I keep bees in my garden.", session="s2")
    end(api, tenant)
    summary = derived(api, "summary")[0]
    assert summary["provenance"]["session"] == "s1"
    said = {memory["id"] for memory in memories(api, session="s1") if memory["kind"] != "summary"}
    assert sources(tenant, summary["id"])
    assert sources(tenant, summary["id"]) <= said
    assert "peanuts" in summary["content"]
    assert "bees" not in summary["content"]
    end(api, tenant)
    assert [memory["version"] for memory in derived(api, "summary")] == [summary["version"]]
    say(api, "My dog is called Rex.")
    end(api, tenant)
    renewed = derived(api, "summary")
    assert [memory["id"] for memory in renewed] == [summary["id"]]


@pytest.mark.parametrize("language", PRICES)
def test_three_comparisons_of_prices_are_an_insight_that_grows_surer(
    api: Api, tenant: Actor, unheard: list, language: str
) -> None:
    *three, fourth = PRICES[language]
    said = [turn for content in three for turn in say(api, content)]
    end(api, tenant)
    insight = derived(api, "insight")[0]
    assert insight["confidence"] == pytest.approx(0.3)
    learned_from = {turn["outcome"]["statements"][0]["memory"] for turn in said}
    assert sources(tenant, insight["id"]) == learned_from
    han = any("\u4e00" <= c <= "\u9fff" for c in insight["content"])
    assert han == (language == "zh")  # L5
    say(api, fourth)
    end(api, tenant)
    surer = derived(api, "insight")[0]
    assert surer["id"] == insight["id"]
    assert 0.3 < surer["confidence"] < 0.9
    assert len(sources(tenant, insight["id"])) == 4


@pytest.mark.parametrize("verb", ["retract", "end", "correct", "change"])
def test_what_takes_a_source_away_withdraws_what_was_derived(
    api: Api, tenant: Actor, insight: dict[str, Any], verb: str
) -> None:
    source = next(m for m in memories(api, kind="event"))
    bodies: dict[str, dict[str, Any]] = {
        "correct": {"version": source["version"], "content": "I bought a laptop at once."},
        "change": {"content": "I buy laptops at once now."},
    }
    path = f"/api/v1/memories/{source['id']}/{verb}"
    response = api.post(path, bodies.get(verb, {}))
    assert response.status_code == 200, response.content
    assert derived(api, "insight", status="any") == []
    told = api.get(f"/api/v1/memories/{insight['id']}/history").json()
    assert told["versions"][-1]["memory"]["status"] == "retracted"
    assert [entry["verb"] for entry in told["entries"]] == ["assert", "retract"]
    assert not rebuilt(tenant).differed
    assert derived(api, "insight", status="any") == []
    assert api.get("/api/v1/ledger/verify", subject="alice").json()["ok"]


@pytest.mark.parametrize(("verb", "body"), [("weigh", {"weight": 3})])
def test_what_takes_nothing_away_leaves_it(
    api: Api, tenant: Actor, insight: dict[str, Any], verb: str, body: dict[str, Any]
) -> None:
    source = memories(api, kind="event")[0]
    assert api.post(f"/api/v1/memories/{source['id']}/{verb}", body).status_code == 200
    assert [memory["id"] for memory in derived(api, "insight")] == [insight["id"]]
    assert not rebuilt(tenant).differed


def test_erasing_a_source_erases_what_was_derived_from_it(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    """D6."""
    source = memories(api, kind="event")[0]
    receipt = api.post(f"/api/v1/memories/{source['id']}/erase", {}).json()
    assert receipt["found"]["memories"] == 2
    assert receipt["found"]["derivations"] == 3
    assert set(receipt["left"].values()) == {0}
    assert api.get(f"/api/v1/memories/{insight['id']}/history").status_code == 404
    assert counted(tenant, MemorySource.objects.count) == 0
    assert not rebuilt(tenant).differed
    assert derived(api, "insight", status="any", known_at="seq:4") == []


def test_a_rebuild_gives_the_same_sources(api: Api, tenant: Actor, insight: dict[str, Any]) -> None:
    before = sources(tenant, insight["id"])
    with tenant_context(tenant.tenant_id):
        MemorySource.objects.all().delete()
    call_command(
        "rebuild_views",
        tenant=str(tenant.tenant_id),
        force=True,
        stderr=io.StringIO(),
        stdout=io.StringIO(),
    )
    assert sources(tenant, insight["id"]) == before != set()
    assert derived(api, "insight")[0]["version"] == insight["version"]


def test_a_source_that_goes_while_the_insight_is_drawn_takes_it_with_it(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7."""
    ids = [
        api.write("alice", content, kind="event")["memory"]["id"] for content in PRICES["en"][:3]
    ]
    real = reflecting.insights

    def insights(*args: Any) -> Any:
        api.post(f"/api/v1/memories/{ids[0]}/retract", {})
        return real(*args)

    monkeypatch.setattr(reflecting, "insights", insights)
    _reflect(tenant)
    assert derived(api, "insight", status="any") == []


def test_what_was_withdrawn_is_drawn_again_when_its_evidence_is_whole(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    source = memories(api, kind="event")[0]
    api.post(f"/api/v1/memories/{source['id']}/retract", {})
    _reflect(tenant)
    assert derived(api, "insight") == []
    api.write("alice", PRICES["en"][3], kind="event")
    _reflect(tenant)
    assert len(derived(api, "insight")) == 1


def test_the_profile_shows_what_is_current_and_each_item_names_its_memory(
    api: Api, unheard: list
) -> None:
    api.write("alice", "I live in Paris", valid_from="2020-01-01T00:00:00Z")
    rome = api.write("alice", "I live in Rome", valid_from="2023-01-01T00:00:00Z")["memory"]
    nuts = api.write("alice", "I am allergic to peanuts")["memory"]
    path = "/api/v1/subjects/alice/profile"

    def items(**at: str) -> dict[str, str]:
        sections = api.get(path, **at).json()["sections"]
        return {item["memory"]: item["text"] for part in sections.values() for item in part}

    shown = items()
    assert set(shown) == {rome["id"], nuts["id"]}
    assert "Paris" not in json.dumps(shown)
    assert "Paris" in json.dumps(items(valid_at="2021-01-01T00:00:00Z"))
    api.post(f"/api/v1/memories/{nuts['id']}/retract", {})
    assert set(items()) == {rome["id"]}
    assert nuts["id"] in items(known_at="seq:3")
    assert api.get("/api/v1/subjects/nobody/profile").status_code == 404


def test_a_session_is_summarised_after_so_many_turns_without_its_end(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, reflection={"every_turns": 2})
    say(api, "I live in Paris.")
    assert counted(tenant, lambda: Job.objects.filter(kind=JobKind.REFLECT).count()) == 0
    say(api, "I keep bees in my garden.")
    assert counted(tenant, lambda: Job.objects.filter(kind=JobKind.REFLECT).count()) == 1


def test_nothing_is_derived_from_what_was_derived(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    before = contents(api)
    _reflect(tenant)
    _reflect(tenant)
    assert contents(api) == before
