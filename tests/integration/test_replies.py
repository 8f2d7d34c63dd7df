"""What an agent said with an answer: linked to its recall, masked, shown, and gone with it."""

import io
import json
import uuid
import zipfile
from datetime import timedelta
from typing import Any

import pytest

from ledger.policies import BUILT_IN
from ledger.services.mask_words import mask_words
from recall import replies
from recall.models import Reply
from recall.tasks import sweep_traces
from tenants import clock
from tenants.context import tenant_context
from tenants.models import AccessEvent, Subject
from tenants.principals import AGENT_SCOPES, ALL_SCOPES, Scope
from tenants.services.api_keys import create_api_key
from tenants.services.ensure_subject import ensure_subject
from tests.cast import Actor, Api, new_tenant
from tests.integration.tools import in_threads

PHONE = "13812345678"
NOWHERE = str(uuid.uuid4())


@pytest.fixture(autouse=True)
def everything_answers(api: Api) -> None:
    """What is near enough to be returned is no matter of these tests."""
    rules = {"rules": {"ranking": {"answerable_from": 0}}}
    assert api.post("/api/v1/policies", rules).status_code == 201


def say(api: Api, trace: str, text: str = "You like tea.", **more: Any) -> Any:
    return api.post(f"/api/v1/recall/{trace}/answer", {"text": text} | more)


def said(api: Api, trace: str, text: str = "You like tea.", **more: Any) -> Any:
    response = say(api, trace, text, **more)
    assert response.status_code == 201, response.content
    return response.json()


def answers(api: Api, trace: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = api.get(f"/api/v1/recall/{trace}").json()["answers"]
    return found


def refusal(response: Any) -> tuple[int, str, str | None]:
    error = response.json()["error"]
    return response.status_code, error["code"], error.get("field")


def key_with(tenant: Actor, *scopes: Scope, **options: Any) -> Api:
    with tenant_context(tenant.tenant_id):
        return Api(create_api_key(name="test", scopes=frozenset(scopes), **options)[1])


def kept(tenant: Actor) -> int:
    with tenant_context(tenant.tenant_id):
        return Reply.objects.count()


def test_what_was_said_stands_in_the_trace_with_the_memories_it_used(api: Api) -> None:
    tea = api.write("alice", "I like green tea")["memory"]["id"]
    trace = api.recall("alice", "What does she drink?")["trace"]
    assert answers(api, trace) == []
    first = said(api, trace, "你喜欢绿茶。", used=[tea, tea])
    said(api, trace, "Anything else?")
    assert first["trace"] == trace
    told, later = answers(api, trace)
    assert told["id"] == first["id"]
    assert told["at"] == first["at"]
    assert told["actor"].startswith("key:mh_")
    assert (told["text"], told["used"]) == ("你喜欢绿茶。", [tea])
    assert (later["text"], later["used"]) == ("Anything else?", [])


def test_only_memories_that_the_recall_returned_can_have_been_used(api: Api, tenant: Actor) -> None:
    tea = api.write("alice", "I like green tea")["memory"]["id"]
    past = api.write(
        "alice",
        "I liked milk",
        valid_from="2020-01-01T00:00:00Z",
        valid_to="2021-01-01T00:00:00Z",
    )["memory"]["id"]
    other = api.write("bob", "I like coffee")["memory"]["id"]
    trace = api.recall("alice", "What does she drink?")["trace"]
    for wrong in (past, other, NOWHERE):
        refused = say(api, trace, used=[tea, wrong])
        assert refusal(refused) == (422, "not_recalled", "used")
    assert kept(tenant) == 0
    said(api, trace, used=[tea])


def test_an_answer_given_again_is_answered_apart_with_the_memories_of_the_first(
    api: Api,
) -> None:
    tea = api.write("alice", "I like green tea")["memory"]["id"]
    api.recall("alice", "Warm up")  # encodes what was written, so that the next one can be kept
    first = api.recall("alice", "What does she drink?")
    again = api.recall("alice", "What does she drink?")
    assert again["cached"]
    said(api, again["trace"], used=[tea])
    assert answers(api, first["trace"]) == []
    assert [a["used"] for a in answers(api, again["trace"])] == [[tea]]
    shown = api.get(f"/api/v1/recall/{again['trace']}").json()
    assert shown["repeats"] == first["trace"]
    assert shown["found_at"] == api.get(f"/api/v1/recall/{first['trace']}").json()["at"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": "\u200b"}, "text"),
        ({"text": "a\x00"}, "text"),
        ({"text": 7}, "text"),
        ({"text": "a" * (replies.TEXT_LENGTH + 1)}, "text"),
        ({"text": "a", "used": "tea"}, "used"),
        ({"text": "a", "used": ["tea"]}, "used"),
        ({"text": "a", "used": None}, "used"),
        ({"text": "a", "used": [NOWHERE] * (replies.MAX_USED + 1)}, "used"),
        ({"text": "a", "usd": []}, "usd"),
    ],
)
def test_a_reply_that_is_none_is_refused_by_the_field_that_is_wrong(
    api: Api, tenant: Actor, body: dict[str, Any], field: str
) -> None:
    trace = api.recall("alice", "What?")["trace"]
    response = api.post(f"/api/v1/recall/{trace}/answer", body)
    assert response.status_code == 400
    assert response.json()["error"]["field"].startswith(field)
    assert kept(tenant) == 0
    said(api, trace, "a" * replies.TEXT_LENGTH)


def test_somebody_elses_recall_answers_like_one_that_never_was(api: Api, tenant: Actor) -> None:
    with tenant_context(tenant.tenant_id):
        bob = ensure_subject("bob")
    trace = api.recall("alice", "What does she drink?")["trace"]
    for caller in (
        Api(new_tenant(uuid.uuid4().hex).api_key),
        key_with(tenant, *AGENT_SCOPES, subject=bob),
        key_with(tenant, *AGENT_SCOPES, agent="cook"),
    ):
        foreign, missing = say(caller, trace), say(caller, NOWHERE)
        assert foreign.status_code == missing.status_code == 404
        texts = [r.json()["error"] | {"request_id": ""} for r in (foreign, missing)]
        assert texts[0] == texts[1]
    assert kept(tenant) == 0


def test_saying_needs_the_scope_write_and_is_one_line_of_the_audit(api: Api, tenant: Actor) -> None:
    trace = api.recall("alice", "What does she drink?")["trace"]
    assert refusal(say(key_with(tenant, Scope.READ), trace))[:2] == (403, "scope_missing")
    said(key_with(tenant, *AGENT_SCOPES), trace, "Something about tea")
    with tenant_context(tenant.tenant_id):
        event = AccessEvent.objects.get(action="reply")
        assert (event.object_id, event.outcome) == ("alice", "allowed")
        assert "tea" not in str(vars(event))


def test_private_values_are_masked_and_shown_to_whoever_may_see_them(
    api: Api, tenant: Actor
) -> None:
    api.write("alice", f"My phone number is {PHONE}")
    trace = api.recall("alice", "Which number?")["trace"]
    weak = key_with(tenant, *AGENT_SCOPES)
    said(weak, trace, f"Her phone number is {PHONE}, or perhaps 13912345678.")
    assert answers(weak, trace)[0]["text"] == (
        "Her phone number is [PHONE_1], or perhaps [PHONE_2]."
    )
    assert PHONE in answers(api, trace)[0]["text"]
    assert "13912345678" in answers(api, trace)[0]["text"]


def test_an_agent_cannot_name_a_value_that_it_was_never_told(api: Api, tenant: Actor) -> None:
    api.write("alice", f"My phone number is {PHONE}")
    cook = key_with(tenant, *ALL_SCOPES, agent="cook")
    trace = cook.recall("alice", "Which number?")["trace"]
    said(cook, trace, "It is [PHONE_1].")
    assert PHONE not in json.dumps(answers(cook, trace))


def test_a_policy_that_takes_no_such_values_takes_them_in_no_answer_either(
    api: Api, tenant: Actor
) -> None:
    rules = {"rules": {"privacy": {"actions": {"PHONE": "refuse"}}}}
    assert api.post("/api/v1/policies", rules).status_code == 201
    trace = api.recall("alice", "Which number?")["trace"]
    refused = say(api, trace, f"Her phone number is {PHONE}.")
    assert refusal(refused) == (422, "private_refused", "text")
    assert kept(tenant) == 0


def test_twenty_answers_to_one_recall_are_kept_and_no_more_at_once_or_one_by_one(
    api: Api, tenant: Actor
) -> None:
    trace = api.recall("alice", "What?")["trace"]
    for number in range(replies.MAX_REPLIES - 1):
        said(api, trace, f"Answer {number}")
    statuses = in_threads(lambda number: say(Api(tenant.api_key), trace).status_code, 4)
    assert sorted(statuses) == [201, 409, 409, 409]
    assert refusal(say(api, trace))[:2] == (409, "too_many_replies")
    assert kept(tenant) == len(answers(api, trace)) == replies.MAX_REPLIES
    said(api, api.recall("alice", "What else?")["trace"])


def test_a_retry_with_the_same_key_says_it_once(api: Api, tenant: Actor) -> None:
    trace = api.recall("alice", "What?")["trace"]
    bodies = [
        api.client.post(
            f"/api/v1/recall/{trace}/answer",
            {"text": "Tea."},
            content_type="application/json",
            headers={"Authorization": f"Bearer {tenant.api_key}", "Idempotency-Key": "once"},
        ).json()
        for _ in range(2)
    ]
    assert bodies[0] == bodies[1]
    assert kept(tenant) == 1


def test_what_was_said_goes_with_the_memory_that_it_could_repeat(api: Api, tenant: Actor) -> None:
    tea = api.write("alice", "I like green tea")["memory"]["id"]
    trace = api.recall("alice", "What does she drink?")["trace"]
    again = api.recall("alice", "What does she drink?")["trace"]
    for named in (trace, again):
        said(api, named, "Green tea.", used=[tea])
    receipt = api.post(f"/api/v1/memories/{tea}/erase", {}).json()
    assert receipt["found"]["replies"] >= 1
    assert receipt["left"]["replies"] == 0
    assert kept(tenant) == 0
    for named in (trace, again):
        assert api.get(f"/api/v1/recall/{named}").status_code == 404
        assert say(api, named).status_code == 404


def test_what_was_said_goes_with_its_subject_and_with_its_time(api: Api, tenant: Actor) -> None:
    with clock.frozen(clock.now() - timedelta(days=BUILT_IN.retention.trace_days)):
        said(api, api.recall("alice", "Then?")["trace"])
    said(api, api.recall("alice", "Now?")["trace"])
    assert kept(tenant) == 2
    sweep_traces()
    assert kept(tenant) == 1
    gone = api.client.delete("/api/v1/subjects/alice", headers=api._headers())
    assert gone.json()["found"]["replies"] == 1
    assert kept(tenant) == 0


def test_an_erasure_while_models_read_what_was_said_leaves_nothing_behind(
    api: Api, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.write("alice", "I like green tea")
    trace = api.recall("alice", "What does she drink?")["trace"]

    def mask_then_erase(*given: Any, **more: Any) -> Any:
        masked = mask_words(*given, **more)
        api.client.delete("/api/v1/subjects/alice", headers=api._headers())
        return masked

    monkeypatch.setattr(replies, "mask_words", mask_then_erase)
    assert say(api, trace, f"Green tea, and {PHONE}").status_code == 404
    assert kept(tenant) == 0


def test_the_archive_of_a_subject_holds_what_was_said(api: Api) -> None:
    tea = api.write("alice", "I like green tea")["memory"]["id"]
    trace = api.recall("alice", "What does she drink?")["trace"]
    reply = said(api, trace, "绿茶。", used=[tea])
    api.recall("alice", "And else?")
    archive = zipfile.ZipFile(io.BytesIO(api.get("/api/v1/subjects/alice/export").content))
    rows = [json.loads(line) for line in archive.read("traces.jsonl").splitlines()]
    told = {row["id"]: row["answers"] for row in rows}
    assert [(a["id"], a["text"], a["used"]) for a in told.pop(trace)] == [
        (reply["id"], "绿茶。", [tea])
    ]
    assert list(told.values()) == [[]]


def test_what_was_said_lies_sealed(api: Api, tenant: Actor) -> None:
    said(api, api.recall("alice", "What?")["trace"], "Green tea in the morning")
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
        reply = Reply.objects.get(subject=subject)
        assert b"tea" not in bytes(reply.sealed)
