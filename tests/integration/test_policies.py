"""Policies: versions that are only ever added, checked rule by rule, tried before they rule."""

from typing import Any

import pytest

from ledger.models import Entry, PolicyVersion
from ledger.policy.presets import PRESETS
from tenants.context import tenant_context
from tenants.models import Subject
from tenants.principals import ALL_SCOPES, Scope
from tests.cast import Actor, Api
from tests.integration.talking import (
    contents,
    counted,
    key_with,
    memories,
    say,
    sealed_words,
    set_policy,
)
from tests.integration.tools import in_threads

PATH = "/api/v1/policies"


def entries(tenant: Actor) -> list[tuple[str, dict[str, Any]]]:
    with tenant_context(tenant.tenant_id):
        return [(e.verb, e.header["facts"]) for e in Entry.objects.order_by("seq")]


def test_before_any_was_written_the_built_in_one_rules(api: Api) -> None:
    listed = api.get(PATH).json()
    assert listed["current"]["version"] == 0
    assert listed["current"]["rules"]["privacy"]["actions"]["PHONE"] == "mask"
    assert listed["presets"] == PRESETS
    assert listed["results"] == []


def test_each_write_is_the_next_version_and_the_newest_rules(api: Api, tenant: Actor) -> None:
    assert set_policy(api, "strict") == 1
    assert set_policy(api, merging={"weight_step": 0.5}) == 2
    listed = api.get(PATH).json()
    assert listed["current"]["version"] == 2
    assert [row["version"] for row in listed["results"]] == [2, 1]
    assert listed["current"]["rules"]["merging"]["weight_step"] == 0.5
    assert listed["current"]["rules"]["privacy"]["actions"]["ID_CARD"] == "mask"
    assert listed["current"]["actor"].startswith("key:mh_")
    assert counted(tenant, PolicyVersion.objects.count) == 2


def test_rules_are_laid_over_their_preset_one_by_one(api: Api) -> None:
    set_policy(api, "strict", privacy={"actions": {"PHONE": "drop"}}, retention={"turn_days": 3})
    rules = api.get(PATH).json()["current"]["rules"]
    actions = rules["privacy"]["actions"]
    assert (actions["PHONE"], actions["ID_CARD"], actions["EMAIL"]) == ("drop", "refuse", "mask")
    assert rules["admission"]["threshold"] == 0.7
    assert (rules["retention"]["turn_days"], rules["retention"]["trace_days"]) == (3, 14)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_a_policy(api: Api, preset: str) -> None:
    assert set_policy(api, preset) == 1


def test_who_did_not_see_the_newest_version_does_not_write_the_next(
    api: Api, tenant: Actor
) -> None:
    first = api.post(PATH, {"after": 0})
    assert (first.status_code, first.json()["version"]) == (201, 1)
    late = api.post(PATH, {"after": 0, "preset": "open"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "policy_moved_on")
    assert late.json()["error"]["field"] == "after"

    def write(_: int) -> int:
        return int(Api(tenant.api_key).post(PATH, {"after": 1}).status_code)

    assert sorted(in_threads(write, 2)) == [201, 409]
    assert counted(tenant, PolicyVersion.objects.count) == 2


def test_only_who_answers_for_the_whole_tenant_may_rule_it(api: Api, tenant: Actor) -> None:
    api.write("alice", "I like tea")
    with tenant_context(tenant.tenant_id):
        person = Subject.objects.get()
    for other, code in (
        (key_with(tenant, Scope.READ, Scope.WRITE, Scope.REVEAL), "scope_missing"),
        (key_with(tenant, *ALL_SCOPES, subject=person), "pinned"),
        (key_with(tenant, *ALL_SCOPES, agent="shop"), "pinned"),
    ):
        for path in (PATH, f"{PATH}/dry-run"):
            response = other.post(path, {"preset": "open"})
            assert (response.status_code, response.json()["error"]["code"]) == (403, code)
    assert counted(tenant, PolicyVersion.objects.count) == 0
    assert key_with(tenant, Scope.READ, Scope.ADMIN).post(PATH, {}).status_code == 201


def test_an_entry_says_which_version_ruled_it(api: Api, tenant: Actor, unheard: list) -> None:
    api.write("alice", "I like tea")
    set_policy(api)
    memory = api.write("alice", "I live in Paris")["memory"]
    set_policy(api)
    api.post(f"/api/v1/memories/{memory['id']}/change", {"content": "I live in Rome"})
    say(api, "I keep bees in my garden.")
    said = [facts["policy"] for _, facts in entries(tenant)]
    assert said == [0, 1, 2, 2]


def test_a_policy_rules_from_the_next_request_on(api: Api, tenant: Actor) -> None:
    body = {"subject": "alice", "content": "My number is 13812345678"}
    set_policy(api, "open")
    api.post("/api/v1/memories", body)
    assert "13812345678" in sealed_words(tenant)
    set_policy(api, privacy={"actions": {"PHONE": "refuse"}})
    assert api.post("/api/v1/memories", body).json()["error"]["code"] == "private_refused"


@pytest.mark.parametrize(
    ("rules", "blamed"),
    [
        ({"retention": {"memory_days": {"opinion": 3}}}, "retention.memory_days.opinion"),
        ({"merging": {"same_from": "0.5"}}, "merging.same_from"),
        ({"admission": {"threshold": True}}, "admission.threshold"),
        ({"sessions": {"tail_turns": 5.5}}, "sessions.tail_turns"),
        ({"attributes": {"single_valued": "home_city"}}, "attributes.single_valued"),
    ],
)
def test_a_misspelt_rule_is_an_error_and_no_rule_that_is_off(
    api: Api, rules: dict[str, Any], blamed: str
) -> None:
    response = api.post(PATH, {"rules": rules})
    assert response.status_code == 400
    assert response.json()["error"]["code"] == "bad_policy"
    assert response.json()["error"]["field"].startswith(blamed)


def test_a_dry_run_counts_what_would_change_and_changes_nothing(api: Api, tenant: Actor) -> None:
    set_policy(api, "open", attributes={"single_valued": []})
    number = api.write("alice", "My number is 13812345678")["memory"]["id"]
    api.write("alice", "I live in Paris", attribute="home_city", value="Paris")
    api.write("alice", "I live in Rome", attribute="home_city", value="Rome")
    old = api.write("alice", "I went to the fair", kind="event", valid_from="2020-01-01T00:00:00Z")[
        "memory"
    ]["id"]
    odd = api.write("alice", "asdfghjkl", verbatim=True)["memory"]["id"]
    before = (memories(api, status="any"), sealed_words(tenant))
    asked = {"retention": {"memory_days": {"event": 30}}}
    trial = api.post(f"{PATH}/dry-run", {"rules": asked}).json()
    assert (trial["examined"], trial["stored"]) == (5, 5)
    changes = trial["changes"]
    assert changes["masked"] == {"count": 1, "examples": [number]}
    assert changes["expired"] == {"count": 1, "examples": [old]}
    assert changes["single_valued_conflicts"]["count"] == 1
    assert changes["refused"]["count"] == changes["dropped"]["count"] == 0
    assert changes["not_admitted"]["count"] == 0
    refusing = {"privacy": {"actions": {"PHONE": "refuse"}}}
    changes = api.post(f"{PATH}/dry-run", {"rules": refusing}).json()["changes"]
    assert (changes["refused"]["count"], changes["masked"]["count"]) == (1, 0)
    strict = {"admission": {"min_letters": 20}}
    changes = api.post(f"{PATH}/dry-run", {"rules": strict}).json()["changes"]
    assert changes["not_admitted"]["count"] == 4
    # What was stored as it is, on purpose, stays admitted.
    assert odd not in changes["not_admitted"]["examples"]
    few = api.post(f"{PATH}/dry-run", {"limit": 2}).json()
    assert (few["examined"], few["stored"]) == (2, 5)
    assert (memories(api, status="any"), sealed_words(tenant)) == before
    assert counted(tenant, PolicyVersion.objects.count) == 1


def test_what_is_under_the_threshold_is_not_admitted(api: Api, unheard: list) -> None:
    """The classifier's rule, and the one for what a client states by itself."""
    set_policy(api, admission={"threshold": 1.0, "stated_threshold": 1.0})
    turn = say(api, "Kiran is assigned to the Apollo project.")[0]
    sentence = turn["outcome"]["sentences"][0]
    assert (sentence["admitted"], sentence["rule"]) == (False, "classifier")
    assert 0 <= sentence["score"] < 1
    body = {"subject": "alice", "content": "Kiran is assigned to the Apollo project."}
    error = api.post("/api/v1/memories", body).json()["error"]
    assert (error["code"], error["rule"]) == ("not_admitted", "classifier")
    assert contents(api) == []
