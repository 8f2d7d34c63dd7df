"""People stand above reflection and beside the subject: whose word counts, and against what."""

from typing import Any

import pytest

from ledger.rebuild import rebuild_subject
from ledger.services import reflect as reflecting
from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.talking import contents, end, memories, say
from tests.integration.test_derived import PRICES, derived, drawn, sources

PARIS, NO_LONGER = "I live in Paris.", "I don't live in Paris anymore."
FACTS = [PARIS, "I am allergic to peanuts.", "I work as a nurse.", "I like tea."]


@pytest.fixture
def insight(api: Api, tenant: Actor, unheard: list) -> dict[str, Any]:
    """An insight drawn from three comparisons of prices."""
    return drawn(api, tenant)


def reflect(tenant: Actor) -> None:
    """Draw what is to be drawn from all that is believed of alice."""
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get(external_id="alice")
    reflecting.reflect(tenant.principal, subject.id, None)


def verb(api: Api, memory: dict[str, Any], name: str, **body: Any) -> Any:
    """Revise a memory; gives the answer, which must be a success."""
    response = api.post(f"/api/v1/memories/{memory['id']}/{name}", body)
    assert response.status_code == 200, response.content
    return response.json()


def city(api: Api) -> list[tuple[str, str | None]]:
    """What fills the slot of the city now."""
    return [(m["content"], m["value"]) for m in memories(api) if m["attribute"] == "home_city"]


@pytest.mark.parametrize(
    "said",
    [NO_LONGER, "I live in Rome.", "I moved to Berlin last week.", "I no longer live in Paris."],
)
def test_a_named_speaker_neither_sets_nor_ends_a_slot_of_the_subject(
    api: Api, unheard: list, said: str
) -> None:
    say(api, PARIS)
    say(api, {"content": said, "name": "Bob"})
    assert city(api) == [(PARIS, "Paris")]
    assert PARIS in contents(api)


@pytest.mark.parametrize("name", ["alice", "Alice", "ALICE"])
def test_a_speaker_who_is_called_like_the_subject_is_the_subject(
    api: Api, unheard: list, name: str
) -> None:
    say(api, PARIS)
    (turn,) = say(api, {"content": NO_LONGER, "name": name})
    assert turn["name"] is None
    assert city(api) == []
    say(api, {"content": "I live in Rome.", "name": name})
    assert city(api) == [("I live in Rome.", "Rome")]


@pytest.mark.parametrize("way", ["write", "turn"])
@pytest.mark.parametrize("loss", ["the insight is withdrawn", "a source is erased"])
def test_what_the_person_says_is_not_merged_into_an_insight_and_outlives_it(
    api: Api, insight: dict[str, Any], way: str, loss: str
) -> None:
    said = insight["content"]
    if way == "write":
        written = api.write("alice", said)
        own = {written["memory"]["id"]: written["disposition"]}
    else:
        (turn,) = say(api, said)
        own = {one["memory"]: one["disposition"] for one in turn["outcome"]["statements"]}
    assert set(own.values()) == {"stored"}
    assert insight["id"] not in own
    if loss == "a source is erased":
        source = memories(api, kind="event")[0]
        verb(api, source, "erase")
    else:
        verb(api, insight, "retract")
    assert derived(api, "insight") == []
    assert own.keys() <= {memory["id"] for memory in memories(api)}


def test_what_the_person_says_is_not_merged_into_a_summary_and_outlives_it(
    api: Api, tenant: Actor, unheard: list
) -> None:
    say(api, *FACTS)
    end(api, tenant)
    (summary,) = derived(api, "summary")
    written = api.write("alice", summary["content"])
    assert written["disposition"] == "stored"
    source = next(m for m in memories(api) if m["id"] in sources(tenant, summary["id"]))
    verb(api, source, "erase")
    assert derived(api, "summary") == []
    assert written["memory"]["id"] in [memory["id"] for memory in memories(api)]


@pytest.mark.parametrize("decision", ["correct", "end", "retract"])
def test_an_insight_that_a_person_decided_about_is_not_drawn_again(
    api: Api, tenant: Actor, insight: dict[str, Any], decision: str
) -> None:
    body = {"version": insight["version"], "content": "I only ever compare prices of laptops."}
    verb(api, insight, decision, **(body if decision == "correct" else {}))
    decided = contents(api, kind="insight")
    assert decided == ([body["content"]] if decision == "correct" else [])
    reflect(tenant)
    assert contents(api, kind="insight") == decided
    api.write("alice", PRICES["en"][3], kind="event")
    reflect(tenant)
    assert contents(api, kind="insight") == decided


def test_an_insight_that_was_only_weighed_is_still_drawn_from(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    """A weight says nothing against the words."""
    verb(api, insight, "weigh", weight=3)
    api.write("alice", PRICES["en"][3], kind="event")
    reflect(tenant)
    (surer,) = derived(api, "insight")
    assert surer["id"] == insight["id"]
    assert surer["confidence"] > insight["confidence"]


def test_an_insight_that_went_with_its_source_is_drawn_again_when_that_is_back(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    source = memories(api, kind="event")[0]
    retracted = verb(api, source, "retract")
    assert derived(api, "insight") == []
    verb(api, source, "undo", entry=retracted["entry"]["id"])
    reflect(tenant)
    assert contents(api, kind="insight") == [insight["content"]]
    with tenant_context(tenant.tenant_id):
        assert not rebuild_subject(Subject.objects.get(external_id="alice")).differed


def test_a_withdrawal_because_of_a_source_is_not_undone_by_itself(
    api: Api, tenant: Actor, insight: dict[str, Any]
) -> None:
    """It would stand there without what it was drawn from."""
    verb(api, memories(api, kind="event")[0], "retract")
    told = api.get(f"/api/v1/memories/{insight['id']}/history").json()
    withdrawal = told["entries"][-1]
    assert withdrawal["verb"] == "retract"
    path = f"/api/v1/memories/{insight['id']}/undo"
    refused = api.post(path, {"entry": withdrawal["id"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "cannot_undo")
    assert derived(api, "insight") == []


@pytest.mark.parametrize("decision", ["correct", "end", "retract"])
def test_an_insight_that_stays_as_a_person_left_it_does_not_cost_the_summary(
    api: Api, tenant: Actor, insight: dict[str, Any], decision: str
) -> None:
    """With an end in the past there was nothing left to change, and the job failed with that."""
    body = {"version": insight["version"], "content": "I only ever compare prices of laptops."}
    verb(api, insight, decision, **(body if decision == "correct" else {}))
    say(api, *FACTS, PRICES["en"][3])
    end(api, tenant)
    assert len(derived(api, "summary")) == 1
