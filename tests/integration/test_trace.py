"""The trace of a recall: what was considered, how it scored, what was withheld and why."""

from datetime import timedelta

from ledger.policies import BUILT_IN
from recall.models import Trace
from recall.tasks import sweep_traces
from tenants import clock
from tenants.context import tenant_context
from tenants.models import AccessEvent
from tests.cast import Actor, Api


def test_of_a_memory_only_the_version_that_was_returned_is_in_the_context(api: Api) -> None:
    api.write("alice", "I live in Paris")
    assert api.write("alice", "I live in Rome")["disposition"] == "superseded"
    answer = api.recall("alice", "Where do I live?")
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    found = {c["content"]: (c["verdict"], c["in_context"]) for c in trace["candidates"]}
    assert found == {"I live in Rome": ("returned", True), "I live in Paris": ("ended", False)}


def test_a_trace_holds_every_candidate_its_scores_and_its_verdict(api: Api) -> None:
    lives = api.write("alice", "I live in Hangzhou near the lake")["memory"]
    tea = api.write("alice", "I like green tea", kind="preference")["memory"]
    past = api.write(
        "alice",
        "I lived in Peking",
        valid_from="2020-01-01T00:00:00Z",
        valid_to="2024-05-01T00:00:00Z",
    )["memory"]
    later = api.write("alice", "I will live on the Moon", valid_from="2044-01-01T00:00:00Z")[
        "memory"
    ]
    over = api.write("alice", "I live in a hotel", expires_at="2024-01-01T00:00:00Z")["memory"]
    answer = api.recall("alice", "Where does Alice live?", kinds=["fact"], top_k=1)
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()

    verdicts = {c["memory"]: c["verdict"] for c in trace["candidates"]}
    assert verdicts == {
        lives["id"]: "returned",
        tea["id"]: "other_kind",
        past["id"]: "ended",
        later["id"]: "not_yet_valid",
        over["id"]: "expired",
    }
    assert answer["withheld"] == {
        "other_kind": 1,
        "ended": 1,
        "not_yet_valid": 1,
        "expired": 1,
    }
    assert [c["place"] for c in trace["candidates"]] == [1, 2, 3, 4, 5]
    scores = [c["score"] for c in trace["candidates"]]
    assert scores == sorted(scores, reverse=True)
    for candidate in trace["candidates"]:
        assert set(candidate["score_breakdown"]) == {"relevance", "recency", "importance"}
        assert candidate["arms"]
        assert candidate["content"]
        assert candidate["in_context"] is (candidate["verdict"] == "returned")

    returned = next(c for c in trace["candidates"] if c["verdict"] == "returned")
    told = answer["memories"][0]
    assert told["score"] == returned["score"]
    assert told["score_breakdown"] == returned["score_breakdown"]
    ranks = {name: arm["rank"] for name, arm in returned["arms"].items()}
    assert told["why"] == (
        "holds exactly what was asked for; "
        f"shares words with the question (no. {ranks['lexical']}); "
        f"close in meaning (no. {ranks['vector']})"
    )


def test_a_trace_says_what_was_asked_and_how_it_was_answered(api: Api, tenant: Actor) -> None:
    api.write("alice", "I live in Hangzhou")
    answer = api.recall("alice", "住在哪里?", kinds=["fact"], top_k=7, min_score=0.001)
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    assert trace["id"] == answer["trace"]
    assert trace["subject"] == "alice"
    assert trace["query"] == "住在哪里?"
    assert (trace["top_k"], trace["kinds"], trace["min_score"]) == (7, ["fact"], 0.001)
    assert trace["answered_at"] == answer["answered_at"]
    assert trace["answered_at"]["seq"] == 1
    assert trace["tokens"] == answer["tokens"] > 0
    assert trace["policy"] == BUILT_IN.version
    assert trace["encoder"].startswith("bundled:")
    assert trace["actor"].startswith("key:mh_")
    assert set(trace["strategy"]) == {"vector", "lexical", "index"}
    assert trace["milliseconds"]
    assert all(spent >= 0 for spent in trace["milliseconds"].values())


def test_what_is_beyond_top_k_or_below_the_least_score_is_told(api: Api) -> None:
    for drink in ("tea", "coffee", "water"):
        api.write("alice", f"I like {drink}")
    first = api.recall("alice", "tea", top_k=2)
    trace = api.get(f"/api/v1/recall/{first['trace']}").json()
    assert [c["verdict"] for c in trace["candidates"]] == ["returned", "returned", "beyond_top_k"]
    assert len(first["memories"]) == 2
    assert first["memories"][0]["content"] == "I like tea"

    best = first["memories"][0]["score"]
    second = api.recall("alice", "tea", min_score=round(best - 0.05, 4))
    assert [m["content"] for m in second["memories"]] == ["I like tea"]
    assert second["withheld"] == {"below_min_score": 2}


def test_a_small_budget_packs_what_fits_and_the_trace_says_so(api: Api) -> None:
    api.write("alice", "I like tea")
    api.write("alice", "I like coffee, " * 100)
    answer = api.recall("alice", "tea or coffee?", token_budget=100)
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    assert len(answer["memories"]) == 2
    assert 0 < answer["tokens"] <= 100
    assert {c["content"][:12]: c["in_context"] for c in trace["candidates"]} == {
        "I like tea": True,
        "I like coffe": False,
    }


def test_a_question_about_somebody_unknown_is_answered_with_nothing(api: Api) -> None:
    """I17: nothing is invented, and the trace says that nothing was there."""
    answer = api.recall("stranger", "What is her mother's name?")
    assert (answer["memories"], answer["context"], answer["tokens"]) == ([], "", 0)
    assert answer["withheld"] == {}
    assert api.get(f"/api/v1/recall/{answer['trace']}").json()["candidates"] == []


def test_each_recall_is_one_line_of_the_audit_without_the_question(api: Api, tenant: Actor) -> None:
    api.write("alice", "I like tea")
    api.recall("alice", "What does she drink?")
    with tenant_context(tenant.tenant_id):
        event = AccessEvent.objects.get(action="recall")
        assert (event.object_id, event.outcome) == ("alice", "allowed")
        assert event.actor.startswith("key:mh_")
        assert len(event.request_id) == 32
        assert "drink" not in str(vars(event))


def test_a_trace_is_kept_for_the_policys_time_and_then_swept(api: Api, tenant: Actor) -> None:
    kept = api.recall("alice", "now?")["trace"]
    days = timedelta(days=BUILT_IN.retention.trace_days)
    with clock.frozen(clock.now() - days):
        over = api.recall("alice", "then?")["trace"]
    assert api.get(f"/api/v1/recall/{over}").status_code == 200
    sweep_traces()
    assert api.get(f"/api/v1/recall/{over}").status_code == 404
    assert api.get(f"/api/v1/recall/{kept}").status_code == 200
    with tenant_context(tenant.tenant_id):
        assert [str(t.id) for t in Trace.objects.all()] == [kept]
