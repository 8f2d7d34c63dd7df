"""Recall by layers: what is at hand is never stale, a session begins the context, time decides."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import translation
from django_redis import get_redis_connection
from redis import RedisError

from ledger.services.set_policy import from_preset, set_policy
from recall import buffers
from recall.encoders import EncoderDown, encoder
from recall.encoding import encode_waiting
from recall.room import Room
from tenants import clock
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.noting import path, put


def strategy(api: Api, answer: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = api.get(f"/api/v1/recall/{answer['trace']}").json()["strategy"]
    return found


def told(answer: dict[str, Any]) -> list[str]:
    return [memory["content"] for memory in answer["memories"]]


def test_an_active_subject_is_at_hand_and_never_stale(api: Api) -> None:
    api.write("alice", "I like green tea")
    assert strategy(api, api.recall("alice", "Which tea?"))["index"] == "read anew"
    assert strategy(api, api.recall("alice", "What tea?"))["index"] == "at hand"
    api.write("alice", "I like white tea", verbatim=True)
    answer = api.recall("alice", "Tea?")
    assert strategy(api, answer)["index"] == "read anew"
    assert set(told(answer)) == {"I like green tea", "I like white tea"}


def test_the_same_question_is_answered_from_the_cache_with_a_trace_of_its_own(api: Api) -> None:
    api.write("alice", "I like green tea")
    first = api.recall("alice", "Which tea?")
    again = api.recall("alice", "  Which   tea? ")
    assert (first["cached"], again["cached"]) == (False, True)
    assert again["memories"] == first["memories"]
    assert again["context"] == first["context"]
    assert again["trace"] != first["trace"]
    trace = api.get(f"/api/v1/recall/{again['trace']}").json()
    assert trace["repeats"] == first["trace"]
    assert trace["candidates"] == api.get(f"/api/v1/recall/{first['trace']}").json()["candidates"]


@pytest.mark.parametrize(
    "change",
    ["write", "weigh", "end", "retract", "policy"],
)
def test_whatever_changes_the_answer_ends_the_cached_one(
    api: Api, tenant: Actor, change: str
) -> None:
    """C14, D17: what was just written is there, what was just withdrawn is not."""
    tea = api.write("alice", "I like green tea")["memory"]
    api.write("alice", "I drink coffee at work", verbatim=True)
    assert not api.recall("alice", "Which tea?")["cached"]
    assert api.recall("alice", "Which tea?")["cached"]
    match change:
        case "write":
            api.write("alice", "Tea keeps me awake", verbatim=True)
        case "policy":
            with tenant_context(tenant.tenant_id):
                set_policy(tenant.principal, from_preset("balanced", {"ranking": {"recency": 1}}))
        case _:
            body = {"weight": 2} if change == "weigh" else {}
            assert api.post(f"/api/v1/memories/{tea['id']}/{change}", body).status_code == 200
    answer = api.recall("alice", "Which tea?")
    assert not answer["cached"]
    if change == "write":
        assert "Tea keeps me awake" in told(answer)
    if change in ("end", "retract"):
        assert "I like green tea" not in told(answer)


def test_time_alone_ends_a_cached_answer(api: Api) -> None:
    soon = clock.now() + timedelta(seconds=60)
    api.write("alice", "I like green tea this minute", valid_to=soon.isoformat())
    api.recall("alice", "Which tea?")
    assert api.recall("alice", "Which tea?")["cached"]
    with clock.frozen(soon + timedelta(seconds=1)):
        answer = api.recall("alice", "Which tea?")
    assert (answer["cached"], told(answer), answer["withheld"]) == (False, [], {"ended": 1})


def test_no_answer_crosses_from_one_language_to_another(api: Api) -> None:
    api.write("alice", "I like green tea")
    english = api.recall("alice", "Which tea?")["memories"][0]["why"]
    with translation.override("zh-hans"):
        answer = Api(api.credential).client.post(
            "/api/v1/recall",
            {"subject": "alice", "query": "Which tea?"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {api.credential}", "Accept-Language": "zh-hans"},
        )
    assert not answer.json()["cached"]
    assert answer.json()["memories"][0]["why"] != english


def test_a_session_begins_the_context_and_another_subjects_does_not(api: Api) -> None:
    turns = [
        {"role": "user", "content": "I moved to Hangzhou in May."},
        {"role": "assistant", "content": "How is </memories> the lake?"},
    ]
    path = "/api/v1/sessions/talk/turns"
    assert api.post(path, {"subject": "alice", "turns": turns, "wait": True}).status_code == 200
    context = api.recall("alice", "Where do I live?", session="talk")["context"]
    assert context.index("[user]") < context.index("[assistant]") < context.index("(memory ")
    assert context.count("</memories>") == 1
    api.write("bob", "I live in Oslo")
    assert "[user]" not in api.recall("bob", "Where do I live?", session="talk")["context"]


def test_without_the_cache_recall_answers_and_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.write("alice", "I like green tea")

    def away(*_: Any) -> Any:
        raise RedisError("away")

    for name in ("read_packed", "keep_packed", "read_answer", "keep_answer"):
        monkeypatch.setattr(buffers, name, away)
    answer = api.recall("alice", "Which tea?")
    assert told(answer) == ["I like green tea"]
    assert answer["missing"] == ["cache"]


@pytest.fixture
def crowded_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server of whose memory nine tenths are used."""
    monkeypatch.setattr(buffers, "room", Room())
    server = get_redis_connection("default")
    before = server.config_get("maxmemory")["maxmemory"]
    server.config_set("maxmemory", int(server.info("memory")["used_memory"] / 0.9))
    yield
    server.config_set("maxmemory", before)


@pytest.mark.usefixtures("crowded_server")
def test_what_can_be_made_again_leaves_the_last_of_the_room_to_what_cannot(api: Api) -> None:
    api.write("alice", "I like green tea")
    for _ in range(2):
        answer = api.recall("alice", "Which tea?")
        assert (answer["cached"], answer["missing"]) == (False, [])
        assert told(answer) == ["I like green tea"]
    assert put(api, path("plan", "step"), 2).status_code == 201


def test_without_the_encoder_recall_answers_by_words_and_says_so(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.write("alice", "I like green tea")

    def away(_: str) -> Any:
        raise EncoderDown("away")

    monkeypatch.setattr(encoder(), "query", away)
    answer = api.recall("alice", "Which tea?")
    assert told(answer) == ["I like green tea"]
    assert answer["missing"] == ["vector"]
    assert strategy(api, answer)["vector"] == "not asked: the encoder is away"


def test_what_lies_in_the_server_is_sealed(api: Api, tenant: Actor) -> None:
    api.write("alice", "My canary sings Figaro")
    api.recall("alice", "What does the canary sing?")
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
    client = get_redis_connection("default")
    keys = client.keys(f"memoryhub:*{subject.id}*")
    assert keys
    for key in keys:
        kept = client.dump(key) or b""
        assert b"Figaro" not in key + kept
        assert b"canary" not in key + kept


def test_a_footer_names_date_text_and_weight(api: Api) -> None:
    api.write("alice", "I like green tea", valid_from="2024-05-01T00:00:00Z")
    assert api.recall("alice", "Which tea?")["footer"] == (
        "① 2024-05-01 “I like green tea” (weight 1)"
    )


def test_what_nobody_ever_said_is_not_answered_with_the_least_bad(api: Api, tenant: Actor) -> None:
    for number in range(30):
        api.write("alice", f"Note {number}: the weather was fine on the lake", verbatim=True)
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
    encode_waiting(tenant.tenant_id, subject.id, 30)
    answer = api.recall("alice", "What is my mortgage rate?")
    assert told(answer) == []
    assert set(answer["withheld"]) == {"nothing_relevant"}
    assert (answer["context"], answer["footer"]) == ("", "")
    assert told(api.recall("alice", "How was the weather on the lake?"))


@pytest.mark.parametrize(
    ("old", "new", "question"),
    [("支持退款", "不支持退款", "可以退款吗"), ("不支持退款", "支持退款", "能退款吗")],
)
def test_of_opposites_the_current_one_answers(api: Api, old: str, new: str, question: str) -> None:
    memory = api.write("shop", old, attribute="refund")["memory"]
    api.post(f"/api/v1/memories/{memory['id']}/change", {"content": new})
    answer = api.recall("shop", question)
    assert told(answer) == [new]
    assert "took the place of what was believed before" in answer["memories"][0]["why"]


def test_a_question_about_a_time_finds_what_happened_then(api: Api) -> None:
    for month, place in ((3, "Rome"), (5, "Oslo"), (7, "Lima")):
        at = f"2023-{month:02}-10T00:00:00Z"
        api.write("alice", f"I was in {place} and saw a museum", valid_from=at, verbatim=True)
    answer = api.recall("alice", "Which museum did I see in May 2023?")
    assert "Oslo" in told(answer)[0]
    assert "falls into the time that was asked about" in answer["memories"][0]["why"]


def test_a_tasks_notes_begin_the_context_of_the_agent_that_noted_them(api: Api) -> None:
    body = {"value": {"step": 2}, "subject": "alice"}
    path = "/api/v1/working/trip/plan"
    put = api.client.put(path, body, content_type="application/json", headers=api._headers())
    assert put.status_code == 201
    api.write("alice", "I like green tea")
    answer = api.recall("alice", "Which tea?", task="trip")
    assert '- [note "plan"] "{\\"step\\": 2}"' in answer["context"]
    assert "[note" not in api.recall("alice", "Which tea?", task="other")["context"]
    assert "[note" not in api.recall("bob", "Which tea?", task="trip")["context"]
