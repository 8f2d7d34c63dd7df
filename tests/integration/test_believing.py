"""What is said meets what is believed: the same, in its place, besides, or for a person to say."""

from datetime import UTC, datetime
from typing import Any

import pytest

from ledger.meaning import Near
from ledger.models import Entry, MemoryVersion
from ledger.policy import Policy
from ledger.policy.merging import Merging
from ledger.services.believe import believe
from ledger.statements import Statement
from ledger.writing import Written
from tenants.context import tenant_context
from tests.cast import Actor, Api
from tests.integration.talking import contents, learned, memories, say, sealed_words

EARLIER = "2024-03-01T10:00:00Z"


def history(api: Api, memory_id: str) -> Any:
    return api.get(f"/api/v1/memories/{memory_id}/history").json()


def compared(turn: dict[str, Any]) -> dict[str, Any]:
    """How the first statement of a turn stood to the nearest of what was believed."""
    found: dict[str, Any] = turn["outcome"]["statements"][0]["compared"][0]
    return found


def beside(
    tenant: Actor, old: str, new: Statement, similarity: float = 0.9, policy: Policy | None = None
) -> Written:
    """Believe a statement beside one version that lies near it."""
    with tenant_context(tenant.tenant_id):
        version = MemoryVersion.objects.get(memory_id=old, recorded_to=None)
        written, _ = believe(
            tenant.principal,
            subject="alice",
            statement=new,
            policy=policy or Policy(),
            near=[Near(version.id, similarity)],
        )
    return written


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I'm vegetarian.", "I had steak for dinner, I eat meat now."),  # C1
        ("Kiran is assigned to the Apollo project.", "Kiran is now assigned to the Zeus project."),
        ("I love coffee.", "I hate coffee."),
        ("我支持退款。", "我不支持退款。"),
        ("I live in Paris.", "I moved to Berlin last week."),
    ],
)
def test_what_replaces_is_current_and_before_it_the_other_was(
    api: Api, unheard: list, first: str, then: str
) -> None:
    """C1, C5: by conversation, dated by its turns."""
    say(api, {"content": first, "at": "2024-03-01T10:00:00Z"})
    turn = say(api, {"content": then, "at": "2024-06-01T10:00:00Z"}, session="s2")[0]
    assert learned([turn]) == [(then, "superseded")]
    assert compared(turn)["relation"] == "replaces"
    assert contents(api) == [then]
    assert contents(api, valid_at="2024-03-02T00:00:00Z") == [first]
    assert contents(api, known_at="seq:1", valid_at="2024-06-02T00:00:00Z") == [first]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I love coffee", "I hate coffee"),
        ("我支持退款", "我不支持退款"),
        ("I live in Paris", "I live in Rome"),
        ("Kiran is assigned to the Apollo project", "Kiran is now assigned to the Zeus project"),
    ],
)
def test_a_written_memory_replaces_in_the_same_way(api: Api, first: str, then: str) -> None:
    """C5."""
    api.write("alice", first)
    assert api.write("alice", then)["disposition"] == "superseded"
    assert contents(api) == [then]


def test_a_written_memory_is_compared_with_one_that_shares_no_word_with_it(api: Api) -> None:
    api.write("alice", "My phone is a Pixel.")
    new = "I switched to an iPhone last week."
    assert api.write("alice", new)["disposition"] == "superseded"
    assert contents(api) == [new]


def test_what_expired_before_it_began_takes_nobodys_place(api: Api) -> None:
    api.write("alice", "I live in Paris")
    over = api.write("alice", "I live in Rome", expires_at="2024-01-01T00:00:00Z")
    assert over["disposition"] == "stored"
    assert contents(api) == ["I live in Paris"]


def test_news_of_a_move_is_news_though_the_old_city_was_named_the_same_day(
    api: Api, unheard: list
) -> None:
    """Nobody said since when the first holds: the second began before it and is the later one."""
    say(api, "I live in Paris.")
    say(api, "I moved to Berlin last week.")
    current = memories(api)
    assert [(m["attribute"], m["value"]) for m in current] == [("home_city", "Berlin")]


def test_an_older_statement_that_comes_later_does_not_become_current(
    api: Api, unheard: list
) -> None:
    say(api, {"content": "I live in Rome.", "at": "2024-05-01T10:00:00Z"})
    turn = say(api, {"content": "I live in Oslo.", "at": "2022-05-01T10:00:00Z"}, session="s2")[0]
    assert compared(turn)["reason"] == "older_than_believed"
    assert contents(api) == ["I live in Rome."]
    assert contents(api, valid_at="2023-01-01T00:00:00Z") == ["I live in Oslo."]


def test_the_same_said_otherwise_is_one_memory_that_counts_for_more(
    api: Api, tenant: Actor, unheard: list
) -> None:
    """C7: and the history keeps where it was heard."""
    say(api, "I am allergic to peanuts.", session="kitchen")
    turn = say(api, "I'm allergic to peanuts.", session="garden")[0]
    assert learned([turn]) == [("I'm allergic to peanuts.", "merged")]
    memory = memories(api)[0]
    assert memory["content"] == "I am allergic to peanuts."
    assert memory["weight"] == pytest.approx(1.2)
    told = history(api, memory["id"])
    assert [entry["verb"] for entry in told["entries"]] == ["assert", "link"]
    assert turn["outcome"]["statements"][0]["memory"] == memory["id"]
    with tenant_context(tenant.tenant_id):
        link = Entry.objects.get(verb="link")
        assert link.header["facts"]["session"] == "garden"
    assert "I'm allergic to peanuts." in sealed_words(tenant)
    found = api.recall("alice", "peanuts")["memories"]
    assert [m["content"] for m in found] == ["I am allergic to peanuts."]


def test_a_written_paraphrase_merges_too_and_the_same_words_write_nothing(api: Api) -> None:
    """C3, C7."""
    first = api.write("alice", "I am allergic to peanuts.")["memory"]
    again = api.write("alice", "I'm allergic to peanuts.")
    assert again["disposition"] == "merged"
    assert again["memory"]["id"] == first["id"]
    assert api.write("alice", "I am allergic to peanuts.")["disposition"] == "unchanged"
    assert len(memories(api)) == 1


def test_what_adds_retires_nothing(api: Api, unheard: list) -> None:
    say(api, "I like tea.", "I like coffee.")
    assert contents(api) == ["I like coffee.", "I like tea."]
    assert {memory["weight"] for memory in memories(api)} == {1.0}
    assert {memory["valid_to"] for memory in memories(api)} == {None}


def test_what_says_a_city_fills_its_slot_by_itself(api: Api) -> None:
    memory = api.write("alice", "I live in Paris")["memory"]
    assert (memory["attribute"], memory["value"]) == ("home_city", "Paris")
    own = api.write("bob", "I live in Paris", attribute="base", value="F")["memory"]
    assert (own["attribute"], own["value"]) == ("base", "F")


def test_the_same_again_never_lifts_the_weight_beyond_its_cap(
    api: Api, tenant: Actor, unheard: list
) -> None:
    old = api.write("alice", "I am allergic to peanuts.")["memory"]["id"]
    weights = []
    for number in range(30):
        same = Statement(
            content="I'm allergic to peanuts.", attribute="allergy", session=f"s{number}"
        )
        written = beside(tenant, old, same, 0.998)
        assert written.disposition == "merged"
        weights.append(written.version.weight)
    assert weights == sorted(weights)
    assert 1.9 < weights[-1] <= Merging().weight_cap
    assert len(memories(api)) == 1


def test_a_weight_that_a_person_set_is_not_taken_back_by_a_repetition(
    api: Api, tenant: Actor
) -> None:
    old = api.write("alice", "I am allergic to peanuts.")["memory"]["id"]
    floor = Merging().weight_floor
    for weight, least in ((8.0, 8.0), (0.1, floor)):
        api.post(f"/api/v1/memories/{old}/weigh", {"weight": weight})
        same = Statement(
            content="I'm allergic to peanuts.", attribute="allergy", session=f"s{weight}"
        )
        assert beside(tenant, old, same, 0.998).version.weight >= least


def test_what_could_be_either_waits_for_a_person(api: Api, tenant: Actor) -> None:
    """Two frames of one value, dated the same: nobody can say which of them holds."""
    moment = datetime(2024, 5, 1, tzinfo=UTC)
    at = moment.isoformat()
    old = api.write("alice", "The deadline is Monday", valid_from=at, kind="fact")["memory"]["id"]
    written = beside(
        tenant, old, Statement(content="The deadline is Tuesday", valid_from=moment), 0.95
    )
    assert written.disposition == "pending_review"
    assert contents(api) == ["The deadline is Monday"]
    waiting = memories(api, status="pending")
    assert [memory["content"] for memory in waiting] == ["The deadline is Tuesday"]
    assert api.recall("alice", "When is the deadline?")["withheld"]
    approved = api.post(f"/api/v1/memories/{waiting[0]['id']}/approve", {})
    assert approved.json()["disposition"] == "approved"
    assert "The deadline is Tuesday" in contents(api)


def test_what_was_ended_meanwhile_is_not_met(api: Api, tenant: Actor) -> None:
    """The candidates were found before the lock; under it they are looked at again."""
    old = api.write("alice", "I am allergic to peanuts.")["memory"]["id"]
    with tenant_context(tenant.tenant_id):
        version = MemoryVersion.objects.get(memory_id=old)
    api.post(f"/api/v1/memories/{old}/retract", {})
    with tenant_context(tenant.tenant_id):
        written, met = believe(
            tenant.principal,
            subject="alice",
            statement=Statement(content="I'm allergic to peanuts."),
            policy=Policy(),
            near=[Near(version.id, 0.99)],
        )
    assert (written.disposition, met) == ("stored", [])


def test_a_supersession_can_be_undone(api: Api) -> None:
    api.write("alice", "I love coffee", valid_from=EARLIER)
    written = api.write("alice", "I hate coffee")
    undone = api.post(
        f"/api/v1/memories/{written['memory']['id']}/undo", {"entry": written["entry"]["id"]}
    )
    assert undone.status_code == 200, undone.content
    assert contents(api) == ["I love coffee"]


@pytest.mark.parametrize(
    ("part", "more"),
    [
        ("I live in Paris.", "I live in Paris. I like tea. I keep bees in my garden."),
        ("I live in Paris.", "I live in Paris. I work as a nurse."),
        ("我住在巴黎。", "我住在巴黎。我喜欢喝茶。我养蜜蜂。"),
    ],
)
def test_a_written_text_that_says_more_is_not_merged_into_a_part_of_it(
    api: Api, part: str, more: str
) -> None:
    """What it says besides would be recalled by nobody."""
    api.write("alice", part, valid_from=EARLIER)
    written = api.write("alice", more)
    assert written["disposition"] in ("stored", "superseded")
    assert more in contents(api)
