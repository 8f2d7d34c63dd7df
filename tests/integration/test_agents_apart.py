"""Two agents of one person: a key pinned to one neither learns nor touches what the other was told.

The person is alice, her agents the cook and the banker; an unpinned key acts for both.
"""

import json
from typing import Any
from uuid import UUID

import pytest

from ledger.models import Job
from ledger.rebuild import rebuild_subject
from ledger.services import learn as learning
from ledger.services.run_job import run_job
from tenants.context import tenant_context
from tenants.errors import NotFound
from tenants.models import Subject
from tenants.principals import AGENT_SCOPES, Scope
from tests.cast import Actor, Api
from tests.integration.talking import (
    contents,
    finish,
    key_with,
    masked_values,
    memories,
    say,
    sealed_words,
    send,
    turns_of,
)

PHONE = "13812345678"
PARIS, NO_LONGER = "I live in Paris.", "I don't live in Paris anymore."
PEANUTS, PARAPHRASE = "I am allergic to peanuts.", "I'm allergic to peanuts."
BEES, DOG = "I keep bees in my garden.", "My dog is called Rex."


@pytest.fixture
def cook(tenant: Actor) -> Api:
    """A key that is pinned to the cook and sees private values."""
    return key_with(tenant, *AGENT_SCOPES, Scope.REVEAL, Scope.ERASE, agent="cook")


@pytest.fixture
def banker(tenant: Actor) -> Api:
    """The same for the banker."""
    return key_with(tenant, *AGENT_SCOPES, Scope.REVEAL, Scope.ERASE, agent="banker")


@pytest.fixture
def secret(api: Api, tenant: Actor) -> None:
    """A number that only the banker was told."""
    api.write("alice", f"My phone number is {PHONE}", agent="banker")
    assert masked_values(tenant) == {"[PHONE_1]": PHONE}


def all_that_is_read(key: Api, session: str = "s1") -> str:
    """What a key reads of alice: lists, histories, the profile, the session, a recall's answer."""
    listed = memories(key, status="any")
    answers = [
        listed,
        [key.get(f"/api/v1/memories/{one['id']}/history").json() for one in listed],
        key.get("/api/v1/subjects/alice/profile").json(),
        key.get(f"/api/v1/sessions/{session}/turns", subject="alice").json(),
        key.recall("alice", "Where does she live? Whom does she call?"),
    ]
    return json.dumps(answers, ensure_ascii=False)


def told(answer: Any) -> Any:
    """An answer without what differs from one write to the next: ids, and moments."""
    if isinstance(answer, list):
        return [told(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    passing = {"id", "version", "subject", "entry", "seq", "recorded_at", "memory_id"}
    passing |= {"valid_from", "at", "session"}
    return {
        name: told(value)
        for name, value in answer.items()
        if name not in passing and not (name == "memory" and isinstance(value, str))
    }


def test_a_placeholder_that_a_pinned_key_writes_shows_no_value_of_another_agent(
    tenant: Actor, secret: None, cook: Api
) -> None:
    written = cook.write("alice", "Remember to call [PHONE_1] about the loan")
    cook.write("alice", "Call [PHONE_1] today", verbatim=True, attribute="note", value="[PHONE_1]")
    revised = cook.post(
        f"/api/v1/memories/{written['memory']['id']}/change", {"content": "Never call [PHONE_1]"}
    )
    assert revised.status_code == 200, revised.content
    say(cook, {"content": "My sister answers at [PHONE_1] too.", "name": "[PHONE_1]"})
    read = all_that_is_read(cook)
    assert "Never call" in read
    assert PHONE not in json.dumps(written) + read
    assert masked_values(tenant)["[PHONE_1]"] == PHONE


@pytest.mark.parametrize("place", ["metadata", "session", "the turn's id"])
def test_no_other_field_of_a_pinned_key_shows_such_a_value(
    secret: None, cook: Api, place: str
) -> None:
    session = "s1"
    if place == "metadata":
        cook.write("alice", "The loan is due in May", metadata={"whom": "[PHONE_1]"})
        say(cook, BEES)
    elif place == "session":
        session = "[PHONE_1]"
        say(cook, BEES, session=session)
    else:
        say(cook, {"content": BEES, "id": "[PHONE_1]"})
    assert PHONE not in all_that_is_read(cook, session)


def test_a_question_of_a_pinned_key_shows_no_such_value_in_its_trace(
    secret: None, cook: Api
) -> None:
    cook.write("alice", "I like leeks")
    answer = cook.recall("alice", "Who answers at [PHONE_1]?")
    trace = cook.get(f"/api/v1/recall/{answer['trace']}").json()
    assert PHONE not in json.dumps([answer, trace])


def test_a_placeholder_that_an_unpinned_key_writes_still_refers(
    api: Api, tenant: Actor, secret: None
) -> None:
    api.write("alice", "Remember to call [PHONE_1] about the loan")
    assert f"Remember to call {PHONE} about the loan" in contents(api)
    assert "Remember to call [PHONE_1] about the loan" in sealed_words(tenant)


@pytest.mark.parametrize("way", ["write", "turns"])
def test_an_end_told_to_one_agent_ends_nothing_of_another_and_tells_nothing(
    api: Api, cook: Api, unheard: list, way: str
) -> None:
    """The answer is the same whether the other agent has such a memory or not."""
    api.write("alice", PARIS, agent="banker")
    answers = {}
    for subject in ("alice", "somebody-else"):
        if way == "write":
            answers[subject] = told(cook.write(subject, NO_LONGER))
        else:
            answers[subject] = told(say(cook, NO_LONGER, subject=subject))
    assert answers["alice"] == answers["somebody-else"]
    assert PARIS in contents(api)
    assert PARIS in [m["content"] for m in memories(api, status="active")]


def test_an_end_told_to_one_agent_ends_its_own(api: Api, cook: Api, unheard: list) -> None:
    api.write("alice", PARIS, agent="banker")
    say(cook, PARIS)
    say(cook, NO_LONGER)
    agents = [m["provenance"]["agent"] for m in memories(api) if m["content"] == PARIS]
    assert agents == ["banker"]


def test_a_slot_that_one_agent_fills_leaves_another_agents_value_current(
    api: Api, tenant: Actor, cook: Api, banker: Api
) -> None:
    """And an unpinned write, which speaks for all agents, takes the place of both."""
    city = {"attribute": "home_city"}
    api.write("alice", "I live in Paris", value="Paris", agent="banker", **city)
    rome = cook.write("alice", "I live in Rome", value="Rome", **city)
    alone = cook.write("somebody-else", "I live in Rome", value="Rome", **city)
    assert told(rome) == told(alone)
    assert contents(banker) == ["I live in Paris"]
    assert contents(cook) == ["I live in Rome"]
    assert contents(api) == ["I live in Paris", "I live in Rome"]
    api.write("alice", "I live in Berlin", value="Berlin", **city)
    assert contents(api) == ["I live in Berlin"]
    with tenant_context(tenant.tenant_id):
        assert not rebuild_subject(Subject.objects.get(external_id="alice")).differed
    assert contents(api) == ["I live in Berlin"]
    assert api.get("/api/v1/ledger/verify", subject="alice").json()["ok"]


@pytest.mark.parametrize("failure", [NotFound, ValueError])
def test_a_turn_that_cannot_be_learned_does_not_keep_later_ones_from_it(
    api: Api,
    tenant: Actor,
    unheard: list,
    monkeypatch: pytest.MonkeyPatch,
    failure: type[Exception],
) -> None:
    job = send(api, PEANUTS, BEES, DOG).json()["job"]["id"]
    real = learning.believe

    def believe(*args: Any, **options: Any) -> Any:
        if options["statement"].content == PEANUTS:
            raise failure
        return real(*args, **options)

    monkeypatch.setattr(learning, "believe", believe)
    run_job(tenant.tenant_id, UUID(job))
    assert contents(api) == sorted([BEES, DOG])
    with tenant_context(tenant.tenant_id):
        row = Job.objects.get(id=job)
    assert (row.state, row.done, row.error != "") == ("waiting", 2, True)
    assert [turn["outcome"] is None for turn in turns_of(api)] == [True, False, False]
    monkeypatch.setattr(learning, "believe", real)
    with tenant_context(tenant.tenant_id):
        Job.objects.filter(id=job).update(due_at=row.created_at, error="")
    finish(tenant, UUID(job))
    assert contents(api) == sorted([PEANUTS, BEES, DOG])


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (PARIS, "I moved to Berlin last week."),
        ("I love coffee.", "I hate coffee."),
        (PEANUTS, PARAPHRASE),
        (PEANUTS, PEANUTS),
    ],
)
def test_what_one_agent_was_told_is_not_read_by_another_and_is_erased_with_it(
    api: Api, tenant: Actor, cook: Api, banker: Api, unheard: list, first: str, then: str
) -> None:
    """An unpinned key passes on what both were told; each pinned key reads its own alone."""
    say(api, first, agent="banker")
    say(api, then, agent="cook", session="s2")
    assert then in contents(cook)
    if then != first:
        assert then not in all_that_is_read(banker)
        assert first not in all_that_is_read(cook, "s2")
    receipt = api.post("/api/v1/subjects/alice/erase", {"agent": "cook"})
    assert receipt.status_code == 200, receipt.content
    assert set(receipt.json()["left"].values()) == {0}
    if then != first:
        assert then not in sealed_words(tenant)
    assert memories(cook, status="any") == []
    # What was replaced is the banker's history still: of it nothing was erased.
    assert first in sealed_words(tenant)
    assert first in json.dumps(turns_of(banker))


def test_a_paraphrase_told_to_another_agent_is_another_memory(api: Api, unheard: list) -> None:
    say(api, PEANUTS, agent="banker")
    (turn,) = say(api, PARAPHRASE, agent="cook", session="s2")
    (statement,) = turn["outcome"]["statements"]
    assert statement["disposition"] == "stored"
    assert [one["reason"] for one in statement["compared"]] == ["other_agent"]
    kept = {(m["provenance"]["agent"], m["content"]) for m in memories(api)}
    assert kept == {("banker", PEANUTS), ("cook", PARAPHRASE)}
