"""Admission: what says nothing becomes no memory, and whoever sent it learns which rule said so."""

import pytest

from ledger.metrics import ADMISSION
from ledger.models import Entry
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.talking import contents, counted, learned, say

JUNK = {
    "hello": "greeting",
    "ok thanks": "filler",
    "asdfghjkl": "key_mash",
    "哈哈哈哈哈": "repeated",
    "谢谢": "thanks",
    "x": "too_short",
    "What time is it?": "question_without_fact",
}


def test_junk_in_a_conversation_gives_no_memory_and_the_outcome_names_the_rule(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """L11: nothing is made up where nothing was said."""
    turns = say(api, *JUNK)
    assert learned(turns) == []
    rules = {turn["content"]: turn["outcome"]["sentences"][0]["rule"] for turn in turns}
    assert rules == JUNK
    assert {turn["outcome"]["extracted_by"] for turn in turns} == {"nobody"}
    assert counted(tenant, Entry.objects.count) == 0


@pytest.mark.parametrize(("content", "rule"), JUNK.items())
def test_junk_that_is_written_is_refused_with_the_rule(
    api: Api, tenant: Actor, content: str, rule: str
) -> None:
    """L11."""
    response = api.post("/api/v1/memories", {"subject": "alice", "content": content})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (422, "not_admitted")
    assert (error["field"], error["rule"]) == ("content", rule)
    assert "verbatim" in error["message"]
    assert counted(tenant, Subject.objects.count) == 0


def test_what_is_short_and_matters_stays(api: Api, unheard: list) -> None:
    assert learned(say(api, "我对花生过敏")) == [("我对花生过敏", "stored")]
    assert api.write("bob", "我对花生过敏")["disposition"] == "stored"


def test_of_a_message_the_sentences_that_say_something_are_kept(api: Api, unheard: list) -> None:
    turn = say(api, "Hello! I am allergic to peanuts. Ok thanks.")[0]
    admitted = [sentence["admitted"] for sentence in turn["outcome"]["sentences"]]
    assert admitted == [False, True, False]
    assert contents(api) == ["I am allergic to peanuts."]


def test_verbatim_stores_what_is_not_admitted(api: Api) -> None:
    assert api.write("alice", "hello", verbatim=True)["memory"]["content"] == "hello"


def test_verdicts_are_counted_by_rule(api: Api) -> None:
    counter = ADMISSION.labels("refused", "key_mash")
    before = counter._value.get()
    api.post("/api/v1/memories", {"subject": "alice", "content": "asdfghjkl"})
    assert counter._value.get() == before + 1
