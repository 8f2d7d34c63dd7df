"""What was said is forgotten with what was learned from it, in every store."""

from datetime import timedelta
from typing import Any

import pytest
from django_redis import get_redis_connection

from ledger import tail
from ledger.models import Job, MaskedValue, Session, Turn
from ledger.policy.storage import Retention
from ledger.services.forget_turns import forget_old_turns
from tenants import clock, keys
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.talking import (
    contents,
    counted,
    masked_values,
    memories,
    say,
    sealed_words,
    send,
    set_policy,
    turns_of,
)

PHONE, OTHER = "13812345678", "13987654321"


def streams(tenant: Actor) -> dict[bytes, int]:
    """The streams of a tenant's recent turns, and how many each holds."""
    client = get_redis_connection("default")
    found = client.keys(f"memoryhub:tail:{tenant.tenant_id}:*")
    return {key: client.xlen(key) for key in found}


def said_of(tenant: Actor) -> dict[str, int]:
    with tenant_context(tenant.tenant_id):
        return {
            model.__name__: model.objects.count() for model in (Turn, Session, Job, MaskedValue)
        }


def test_erasing_a_memory_erases_the_turn_in_which_it_was_said(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """D16: and the private values that only it used; those still in use stay."""
    say(api, f"My phone number is {PHONE}.", "I keep bees in my garden.")
    say(api, f"The garage calls {OTHER} when the car is ready.", session="s2")
    say(api, f"My brother shares {OTHER} with his wife.", session="s3")
    gone = next(m for m in memories(api) if PHONE in m["content"])
    receipt = api.post(f"/api/v1/memories/{gone['id']}/erase", {}).json()
    assert receipt["found"]["turns"] == 1
    assert receipt["found"]["masked_values"] == 1
    assert set(receipt["left"].values()) == {0}
    assert [turn["content"] for turn in turns_of(api)] == ["I keep bees in my garden."]
    assert set(masked_values(tenant).values()) == {OTHER}
    assert "My phone number" not in sealed_words(tenant)
    still = next(m for m in memories(api) if "garage" in m["content"])
    receipt = api.post(f"/api/v1/memories/{still['id']}/erase", {}).json()
    assert receipt["found"]["masked_values"] == 0
    assert set(masked_values(tenant).values()) == {OTHER}
    assert next(m for m in memories(api) if "brother" in m["content"])["content"].count(OTHER) == 1


def test_erasing_a_memory_erases_the_turn_that_said_it_again(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """D16: a paraphrase that merged is a source too."""
    say(api, "I am allergic to peanuts.", session="s1")
    say(api, "I'm allergic to peanuts.", session="s2")
    memory = memories(api)[0]["id"]
    receipt = api.post(f"/api/v1/memories/{memory}/erase", {}).json()
    assert receipt["found"]["turns"] == 2
    assert "peanuts" not in sealed_words(tenant)


def test_erasing_a_session_erases_all_that_was_said_in_it(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """Whether anything was learned from it or not."""
    answer = {"role": "assistant", "content": "You live in Lisbon, I guess."}
    say(api, "I keep bees in my garden.", "hello", answer)
    say(api, "I live in Paris.", session="s2")
    receipt = api.post("/api/v1/subjects/alice/erase", {"session": "s1"}).json()
    assert (receipt["found"]["turns"], receipt["found"]["memories"]) == (3, 1)
    assert receipt["found"]["recent_turns"] == 4
    assert set(receipt["left"].values()) == {0}
    assert turns_of(api) == []
    assert len(turns_of(api, "s2")) == 1
    assert contents(api) == ["I live in Paris."]
    assert "Lisbon" not in sealed_words(tenant)
    assert streams(tenant) == {}


def test_a_session_goes_on_after_an_erasure(api: Api, unheard: list) -> None:
    say(api, "I keep bees in my garden.")
    api.post("/api/v1/subjects/alice/erase", {"session": "s1"})
    say(api, "I live in Paris.")
    assert contents(api) == ["I live in Paris."]
    assert [turn["content"] for turn in turns_of(api)] == ["I live in Paris."]


def test_an_erased_subject_leaves_nothing_of_what_was_said(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """D12, D13: turns, sessions, jobs, originals, the streams in Valkey."""
    say(api, f"My phone number is {PHONE}.", "hello")
    send(api, "I live in Paris.", session="s2")
    assert sum(streams(tenant).values()) == 3
    receipt = api.client.delete("/api/v1/subjects/alice", headers=api._headers()).json()
    found = receipt["found"]
    assert (found["turns"], found["sessions"], found["masked_values"]) == (3, 2, 1)
    assert (found["jobs"], found["recent_turns"]) == (2, 3)
    assert set(receipt["left"].values()) == {0}
    assert set(said_of(tenant).values()) == {0}
    assert streams(tenant) == {}


def test_a_dry_run_counts_turns_and_leaves_them(api: Api, tenant: Actor, unheard: list) -> None:
    say(api, f"My phone number is {PHONE}.")
    before = (said_of(tenant), streams(tenant))
    memory = memories(api)[0]["id"]
    receipt = api.post(f"/api/v1/memories/{memory}/erase?dry_run=true", {}).json()
    assert (receipt["found"]["turns"], receipt["found"]["masked_values"]) == (1, 1)
    assert (said_of(tenant), streams(tenant)) == before


def test_turns_go_after_the_policys_time_and_what_was_learned_stays(
    api: Api, tenant: Actor, unheard: list
) -> None:
    say(api, "I keep bees in my garden.")
    send(api, "I live in Paris.", session="waits")
    rules = Retention(turn_days=30)
    with tenant_context(tenant.tenant_id), clock.frozen(clock.now() + timedelta(days=29)):
        forget_old_turns(rules)
    assert said_of(tenant) == {"Turn": 2, "Session": 2, "Job": 2, "MaskedValue": 0}
    with tenant_context(tenant.tenant_id), clock.frozen(clock.now() + timedelta(days=31)):
        forget_old_turns(rules)
    # What nobody has learned from yet stays until its job is done or given up.
    assert said_of(tenant) == {"Turn": 1, "Session": 1, "Job": 1, "MaskedValue": 0}
    assert contents(api) == ["I keep bees in my garden."]


def test_the_recent_turns_hold_no_more_than_the_policy_says(
    api: Api, tenant: Actor, unheard: list
) -> None:
    set_policy(api, sessions={"tail_turns": 2})
    note: dict[str, Any] = {"role": "assistant"}
    send(api, *(note | {"content": f"note {number}"} for number in range(5)))
    assert list(streams(tenant).values()) == [2]
    assert len(turns_of(api)) == 5


@pytest.mark.parametrize("state", ["there", "gone", "with a gap"])
def test_recent_turns_are_the_same_from_the_stream_and_from_the_database(
    api: Api, tenant: Actor, unheard: list, state: str
) -> None:
    note: dict[str, Any] = {"role": "assistant"}
    send(api, *(note | {"content": f"note {number}"} for number in range(5)))
    client = get_redis_connection("default")
    (key,) = streams(tenant)
    if state == "gone":
        client.delete(key)
    elif state == "with a gap":
        client.xdel(key, client.xrevrange(key, count=1)[0][0])
    with tenant_context(tenant.tenant_id):
        session = Session.objects.get()
        cipher = keys.cipher_for(Subject.objects.get())
        found = tail.recent(session, cipher, 3)
    assert [turn["content"] for turn in found] == ["note 2", "note 3", "note 4"]
    assert [turn["number"] for turn in found] == [3, 4, 5]


def test_a_stream_shows_no_word(api: Api, tenant: Actor, unheard: list) -> None:
    send(api, "I keep bees in my garden.")
    client = get_redis_connection("default")
    (key,) = streams(tenant)
    assert b"bees" not in b"".join(
        value for _, fields in client.xrange(key) for value in fields.values()
    )
    assert client.ttl(key) > 0


def test_no_turn_is_counted_of_somebody_else(api: Api, tenant: Actor, unheard: list) -> None:
    """D1."""
    say(api, f"My phone number is {PHONE}.")
    say(api, f"My phone number is {PHONE}.", subject="bob")
    api.client.delete("/api/v1/subjects/alice", headers=api._headers())
    assert counted(tenant, Turn.objects.count) == 1
    assert masked_values(tenant, "bob") == {"[PHONE_1]": PHONE}
    assert contents(api, "bob") == [f"My phone number is {PHONE}."]


def test_an_erasure_passes_kept_answers_that_show_no_memory(api: Api, unheard: list) -> None:
    """Answers to turns and to a session's end are kept for retries too."""
    turns = {"subject": "alice", "turns": [{"role": "user", "content": "I live in Paris."}]}
    for path, body in (("turns", turns | {"wait": True}), ("end", {"subject": "alice"})):
        answer = api.client.post(
            f"/api/v1/sessions/s1/{path}",
            body,
            content_type="application/json",
            headers=api._headers() | {"Idempotency-Key": path},
        )
        assert answer.status_code in (200, 202)
    memory = memories(api)[0]["id"]
    receipt = api.post(f"/api/v1/memories/{memory}/erase", {})
    assert receipt.status_code == 200, receipt.content
    assert receipt.json()["found"]["kept_answers"] == 0
    gone = api.client.delete("/api/v1/subjects/alice", headers=api._headers()).json()
    assert gone["found"]["kept_answers"] == 2
    assert gone["left"]["kept_answers"] == 0


def test_a_value_that_only_an_old_turn_used_goes_with_it_and_one_in_use_stays(
    api: Api, tenant: Actor, unheard: list
) -> None:
    note = {"role": "assistant", "content": f"The shop answers at {PHONE}."}
    say(api, note, f"My phone number is {OTHER}.")
    assert masked_values(tenant) == {"[PHONE_1]": PHONE, "[PHONE_2]": OTHER}
    rules = Retention(turn_days=30)
    for days, left in ((29, {PHONE, OTHER}), (31, {OTHER})):
        with tenant_context(tenant.tenant_id), clock.frozen(clock.now() + timedelta(days=days)):
            forget_old_turns(rules)
        assert set(masked_values(tenant).values()) == left
    assert counted(tenant, MaskedValue.objects.count) == 1
    assert contents(api) == [f"My phone number is {OTHER}."]
    written = api.write("alice", "Remember to call [PHONE_1] and [PHONE_2]", verbatim=True)
    assert written["memory"]["content"] == f"Remember to call [PHONE_1] and {OTHER}"


def test_a_value_that_a_younger_turn_uses_too_stays(api: Api, tenant: Actor, unheard: list) -> None:
    note = {"role": "assistant", "content": f"The shop answers at {PHONE}."}
    send(api, note)
    with clock.frozen(clock.now() + timedelta(days=20)):
        send(api, note, session="s2")
    with tenant_context(tenant.tenant_id), clock.frozen(clock.now() + timedelta(days=31)):
        forget_old_turns(Retention(turn_days=30))
    assert counted(tenant, Turn.objects.count) == 1
    assert set(masked_values(tenant).values()) == {PHONE}
    assert turns_of(api, "s2")[0]["content"] == note["content"]
