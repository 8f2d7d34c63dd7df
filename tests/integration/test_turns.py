"""Turns: stored once, in order, per subject; and only what a person said becomes memory."""

import threading
from typing import Any

import pytest
from django.db import connection

from ledger.api.sessions import TurnsIn
from ledger.models import Entry, Turn
from ledger.services import learn as learning
from ledger.statements import CONTENT_LENGTH, TURNS_LENGTH
from tenants.principals import AGENT_SCOPES
from tests.cast import Actor, Api
from tests.integration.talking import (
    as_turn,
    contents,
    counted,
    key_with,
    learned,
    memories,
    say,
    send,
    turns_of,
)
from tests.integration.talking import done as is_done
from tests.integration.tools import eventually, in_threads

PEANUTS, BEES = "I am allergic to peanuts.", "I keep bees in my garden."


def spoken(api: Api, session: str = "s1", subject: str = "alice") -> list[str]:
    return [turn["content"] for turn in turns_of(api, session, subject)]


def test_the_answer_to_waiting_says_what_was_learned_and_why(api: Api, unheard: list) -> None:
    response = send(api, PEANUTS, "hello", wait=True)
    assert response.status_code == 200
    answer = response.json()
    assert (answer["stored"], answer["known"], answer["job"]["state"]) == (2, 0, "done")
    said, greeted = answer["turns"]
    assert said["outcome"]["sentences"][0]["admitted"]
    assert said["outcome"]["extracted_by"] == "rules"
    statement = said["outcome"]["statements"][0]
    assert (statement["text"], statement["disposition"]) == (PEANUTS, "stored")
    assert statement["decided_by"]
    assert greeted["outcome"]["sentences"][0] == {
        "text": "hello",
        "admitted": False,
        "rule": "greeting",
        "score": None,
    }
    assert greeted["outcome"]["statements"] == []
    memory = memories(api)[0]
    assert memory["id"] == statement["memory"]
    assert (memory["attribute"], memory["value"]) == ("allergy", "peanuts")
    assert memory["provenance"]["session"] == "s1"
    assert memory["provenance"]["turns"] == ["1"]


def test_without_waiting_the_answer_comes_first_and_the_worker_learns(api: Api) -> None:
    """The real worker of the stack."""
    response = send(api, PEANUTS)
    assert response.status_code == 202
    answer = response.json()
    assert answer["turns"] == []
    job = f"/api/v1/jobs/{answer['job']['id']}"
    eventually(lambda: is_done(api, answer["job"]["id"]), 120)
    done = api.get(job).json()
    assert (done["kind"], done["done"], done["total"]) == ("learn", 1, 1)
    assert (done["subject"], done["session"], done["error"]) == ("alice", "s1", "")
    assert contents(api) == [PEANUTS]
    assert learned(turns_of(api)) == [(PEANUTS, "stored")]


def test_only_what_a_person_said_becomes_memory(api: Api, tenant: Actor, unheard: list) -> None:
    others = [
        {"role": "assistant", "content": "You live in Lisbon and you are allergic to nuts."},
        {"role": "system", "content": "The user lives in Madrid."},
        {"role": "tool", "content": "Home city: Athens. My dog is called Rex."},
    ]
    assert say(api, *others, PEANUTS)[-1]["content"] == PEANUTS
    assert contents(api) == [PEANUTS]
    assert [turn["outcome"] is None for turn in turns_of(api)] == [True, True, True, False]
    response = send(api, *others, session="s2", wait=True)
    assert (response.status_code, response.json()["job"]) == (200, None)
    assert counted(tenant, Entry.objects.count) == 1


def test_a_context_that_recall_gave_is_not_something_said(api: Api, unheard: list) -> None:
    """Memories must not breed from themselves."""
    say(api, PEANUTS)
    context = api.recall("alice", "What must she not eat?")["context"]
    assert PEANUTS in context
    turn = say(api, f"{context}\nI live in Paris.", session="s2")[0]
    assert turn["content"].split() == ["I", "live", "in", "Paris."]
    assert contents(api) == [PEANUTS, "I live in Paris."]
    assert [memory["weight"] for memory in memories(api)] == [1, 1]
    # A block that was cut off in the middle too.
    say(api, context.partition("peanuts")[0] + "peanuts and cashews", session="s3")
    assert contents(api) == [PEANUTS, "I live in Paris."]


def test_a_context_alone_says_nothing(api: Api, unheard: list) -> None:
    say(api, PEANUTS)
    context = api.recall("alice", "What must she not eat?")["context"]
    assert learned(say(api, context, session="s2")) == []
    assert contents(api) == [PEANUTS]


def test_the_whole_conversation_sent_again_stores_its_new_end_only(api: Api, unheard: list) -> None:
    """Many agents send all of it each time; a repetition within the conversation stays one."""
    reply = {"role": "assistant", "content": "I see."}
    first = [PEANUTS, reply, PEANUTS, reply]
    assert send(api, *first).json()["stored"] == 4
    again = send(api, *first, BEES).json()
    assert (again["stored"], again["known"]) == (1, 4)
    same = send(api, *first, BEES).json()
    assert (same["stored"], same["known"], same["job"]) == (0, 5, None)
    assert spoken(api) == [PEANUTS, "I see.", PEANUTS, "I see.", BEES]


def test_a_window_of_the_conversation_is_known_too(api: Api, unheard: list) -> None:
    send(api, "One of my dogs is old.", "My cat is young.")
    sent = send(api, "My cat is young.", BEES).json()
    assert (sent["stored"], sent["known"]) == (1, 1)


def test_a_turn_with_an_id_is_the_same_turn_wherever_it_comes_again(
    api: Api, unheard: list
) -> None:
    one = {"content": PEANUTS, "id": "m-1"}
    two = {"content": PEANUTS, "id": "m-2"}
    assert send(api, one, two).json()["stored"] == 2
    mixed = send(api, {"content": BEES, "id": "m-3"}, one, two, one).json()
    assert (mixed["stored"], mixed["known"]) == (1, 3)
    assert spoken(api) == [PEANUTS, PEANUTS, BEES]


def test_the_clients_own_id_of_a_turn_is_where_a_memory_says_it_comes_from(
    api: Api, unheard: list
) -> None:
    say(api, {"content": PEANUTS, "id": "m-1"})
    assert memories(api)[0]["provenance"]["turns"] == ["m-1"]


def test_a_turn_with_its_time_is_the_same_turn_whatever_its_offset(api: Api, unheard: list) -> None:
    at = {"content": PEANUTS, "at": "2024-05-01T09:30:00Z"}
    later = {"content": PEANUTS, "at": "2024-05-02T09:30:00Z"}
    assert send(api, at).json()["stored"] == 1
    sent = send(api, at | {"at": "2024-05-01T17:30:00+08:00"}, later).json()
    assert (sent["stored"], sent["known"]) == (1, 1)


def test_a_retry_with_its_key_answers_like_the_first_try(api: Api, unheard: list) -> None:
    """C12: a turn without an id, sent twice on purpose, needs another key."""
    body = {"subject": "alice", "turns": [{"role": "user", "content": PEANUTS}]}
    answers = [
        api.client.post(
            "/api/v1/sessions/s1/turns",
            body,
            content_type="application/json",
            headers=api._headers() | {"Idempotency-Key": "k-1"},
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    other = api.client.post(
        "/api/v1/sessions/s1/turns",
        body | {"agent": "x"},
        content_type="application/json",
        headers=api._headers() | {"Idempotency-Key": "k-1"},
    )
    assert other.json()["error"]["code"] == "idempotency_key_reused"
    assert spoken(api) == [PEANUTS]


def test_turns_appended_at_once_are_all_kept(api: Api, tenant: Actor, unheard: list) -> None:
    """C10."""
    send(api, {"role": "assistant", "content": "one"})

    def append(number: int) -> Any:
        mine = Api(tenant.api_key)
        return send(mine, {"role": "assistant", "content": f"more {number}"}).status_code

    assert in_threads(append, 3) == [202] * 3
    assert sorted(spoken(api)) == ["more 0", "more 1", "more 2", "one"]
    assert [turn["number"] for turn in turns_of(api)] == [1, 2, 3, 4]


def test_two_people_with_one_session_id_never_mix(api: Api, unheard: list) -> None:
    """I20."""
    say(api, PEANUTS)
    say(api, BEES, subject="bob")
    assert spoken(api) == [PEANUTS]
    assert spoken(api, subject="bob") == [BEES]
    assert (contents(api), contents(api, "bob")) == ([PEANUTS], [BEES])
    erased = api.post("/api/v1/subjects/alice/erase", {"session": "s1"}).json()
    assert erased["found"]["turns"] == 1
    assert spoken(api, subject="bob") == [BEES]
    assert contents(api, "bob") == [BEES]


def test_a_key_pinned_to_an_agent_sees_what_that_agent_sent(
    api: Api, tenant: Actor, unheard: list
) -> None:
    shop = key_with(tenant, *AGENT_SCOPES, agent="shop")
    say(shop, PEANUTS)
    say(api, BEES, agent="clinic")
    assert spoken(shop) == [PEANUTS]
    assert contents(shop) == [PEANUTS]
    assert memories(shop)[0]["provenance"]["agent"] == "shop"
    refused = send(shop, BEES, agent="clinic")
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "pinned")
    job = send(api, "My dog is old.", agent="clinic").json()["job"]["id"]
    assert shop.get(f"/api/v1/jobs/{job}").status_code == 404
    assert api.get(f"/api/v1/jobs/{job}").status_code == 200


def test_a_turn_is_learned_once_though_two_workers_are_at_it(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = learning.believe, []

    def believe(*args: Any, **options: Any) -> Any:
        calls.append(options["statement"].content)
        return real(*args, **options)

    monkeypatch.setattr(learning, "believe", believe)
    send(api, PEANUTS, BEES)
    ids = counted(tenant, lambda: list(Turn.objects.values_list("id", flat=True)))
    principal = tenant.principal
    barrier = threading.Barrier(2)

    def work(_: int) -> None:
        barrier.wait(30)
        for turn in sorted(ids):
            learning.learn_turn(principal, turn)

    in_threads(work, 2)
    assert sorted(calls) == sorted([PEANUTS, BEES])
    assert contents(api) == [PEANUTS, BEES]
    assert [memory["weight"] for memory in memories(api)] == [1, 1]
    assert counted(tenant, Entry.objects.count) == 2


def test_an_erasure_beside_learning_takes_what_was_learned_with_it(
    api: Api, tenant: Actor, unheard: list, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D7: learning holds the lock, the erasure waits for it; neither fails."""
    real, answers = learning.believe, []

    def erase() -> None:
        answers.append(
            api.client.delete("/api/v1/subjects/alice", headers=api._headers()).status_code
        )
        connection.close()

    thread = threading.Thread(target=erase)

    def believe(*args: Any, **options: Any) -> Any:
        if not thread.ident:
            thread.start()
            thread.join(0.7)
            assert thread.is_alive(), "the erasure does not wait"
        return real(*args, **options)

    monkeypatch.setattr(learning, "believe", believe)
    response = send(api, PEANUTS, wait=True)
    thread.join(60)
    assert answers == [200]
    assert response.status_code in (200, 202, 404)
    assert counted(tenant, Turn.objects.count) == 0
    assert api.get("/api/v1/memories", subject="alice", status="any").json()["results"] == []


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("known_by", [{}, {"id": "m1"}, {"at": "2024-05-01T10:00:00Z"}])
def test_two_agents_that_send_the_same_text_in_one_session_both_learn_it(
    api: Api, tenant: Actor, unheard: list, pinned: bool, known_by: dict[str, str]
) -> None:
    """Neither is told that the other sent it before."""
    turn = {"content": PEANUTS} | known_by
    for agent in ("cook", "banker"):
        own = key_with(tenant, *AGENT_SCOPES, agent=agent)
        key, named = (own, {}) if pinned else (api, {"agent": agent})
        response = send(key, turn, wait=True, **named)
        assert response.status_code == 200, response.content
        answer = response.json()
        assert (answer["stored"], answer["known"]) == (1, 0)
        assert learned(answer["turns"]) == [(PEANUTS, "stored")]
        assert contents(own) == [PEANUTS]
        again = send(key, turn, **named).json()
        assert (again["stored"], again["known"]) == (0, 1)
    assert contents(api) == [PEANUTS, PEANUTS]


def test_more_characters_than_one_request_may_hold_are_refused(
    api: Api, tenant: Actor, unheard: list
) -> None:
    whole, rest = divmod(TURNS_LENGTH, CONTENT_LENGTH)
    fitting = [as_turn("a" * CONTENT_LENGTH)] * whole + [as_turn("a" * rest)] * bool(rest)
    assert TurnsIn(data={"subject": "alice", "turns": fitting}).is_valid()
    response = send(api, *fitting, "a")
    error = response.json()["error"]
    assert (response.status_code, error["field"]) == (400, "turns")
    assert counted(tenant, Turn.objects.count) == 0


@pytest.mark.parametrize(
    "context",
    [
        "<memories>I live in Paris.</memories>",
        '  <MEMORIES source="recall">\nI live in Paris.\n</ Memories >\n',
        "&lt;memories&gt;I live in Paris.&lt;/memories&gt;",
    ],
)
@pytest.mark.parametrize("verbatim", [True, False])
def test_a_written_memory_that_is_nothing_but_a_context_is_refused(
    api: Api, tenant: Actor, context: str, verbatim: bool
) -> None:
    body = {"subject": "alice", "content": context, "verbatim": verbatim}
    response = api.post("/api/v1/memories", body)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "not_admitted")
    assert (error["field"], error["rule"]) == ("content", "echo")
    assert counted(tenant, Entry.objects.count) == 0
