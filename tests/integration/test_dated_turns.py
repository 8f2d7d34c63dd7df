"""When it was true: by its words, by its turn, by its recording, and each memory says which."""

from typing import Any

import pytest

from tenants.context import tenant_context
from tenants.models import Subject
from tests.cast import Actor, Api
from tests.integration.talking import memories, say


def dated(api: Api, subject: str = "alice") -> tuple[str, str]:
    """When the one memory of a subject begins, and what says so."""
    memory = memories(api, subject, status="any")[0]
    return memory["valid_from"], memory["provenance"]["dated_by"]


def in_zone(api: Api, tenant: Actor, zone: str) -> None:
    """Alice lives in a time zone."""
    api.write("alice", "hello", verbatim=True)
    with tenant_context(tenant.tenant_id):
        Subject.objects.filter(external_id="alice").update(time_zone=zone)


def test_words_of_time_are_meant_from_the_day_on_which_they_were_said(
    api: Api, unheard: list
) -> None:
    """T3."""
    say(api, {"content": "I went to Paris last week.", "at": "2023-05-24T10:00:00Z"})
    assert dated(api) == ("2023-05-15T00:00:00Z", "words")


def test_a_day_that_is_named_is_that_day(api: Api, unheard: list) -> None:
    """T10."""
    say(api, "I had a meeting with the bank on 13 July 2024.")
    assert dated(api) == ("2024-07-13T00:00:00Z", "words")


def test_without_any_time_the_recording_dates_it_and_it_says_so(api: Api, unheard: list) -> None:
    """T11."""
    turn = say(api, "I keep bees in my garden.")[0]
    assert turn["dated_by"] == "recording"
    assert dated(api) == (turn["at"], "recording")


def test_the_time_of_an_old_conversation_is_the_time_of_what_it_says(
    api: Api, unheard: list
) -> None:
    """T12."""
    turn = say(api, {"content": "I keep bees in my garden.", "at": "2019-03-04T05:06:07Z"})[0]
    assert (turn["at"], turn["dated_by"]) == ("2019-03-04T05:06:07Z", "client")
    assert dated(api) == ("2019-03-04T05:06:07Z", "turn")


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("America/Los_Angeles", "2025-07-23T07:00:00Z"),
        ("UTC", "2025-07-24T00:00:00Z"),
        ("Asia/Shanghai", "2025-07-23T16:00:00Z"),
    ],
)
def test_yesterday_is_meant_where_the_person_lives(
    api: Api, tenant: Actor, unheard: list, zone: str, day: str
) -> None:
    """T1: at 02:00 UTC it is still the day before on the Pacific coast."""
    in_zone(api, tenant, zone)
    say(api, {"content": "I saw the dentist yesterday.", "at": "2025-07-25T02:00:00Z"})
    memory = next(m for m in memories(api) if m["content"] != "hello")
    assert memory["valid_from"] == day
    assert memory["provenance"]["dated_by"] == "words"


def test_a_written_memory_is_dated_by_its_words_unless_the_client_dates_it(api: Api) -> None:
    given = "2024-02-03T00:00:00Z"
    api.write("alice", "I had a meeting with the bank on 13 July 2024.")
    api.write("bob", "I had a meeting with the bank on 13 July 2024.", valid_from=given)
    assert dated(api) == ("2024-07-13T00:00:00Z", "words")
    assert dated(api, "bob") == (given, "client")


@pytest.mark.parametrize(
    "said",
    [
        "十万年前的人类住在山洞里，我读过这本书。",
        "三万个月后我要退休。",
        "2560年前的事我都记得。",
        "过去九千年我们家都住在这里。",
        "I will be 200 in 99999999999999999999 days.",
        "I moved here 9999999 years ago.",
        "I was born on 31 February 0000.",
    ],
)
def test_a_time_beyond_the_calendar_crashes_nothing(api: Api, unheard: list, said: str) -> None:
    """T6, T7."""
    turn: dict[str, Any] = say(api, said)[0]
    assert turn["outcome"]["sentences"]
    assert api.post("/api/v1/memories", {"subject": "bob", "content": said}).status_code == 201
    assert api.recall("bob", said)["memories"]


def test_a_moment_of_any_offset_is_taken(api: Api, unheard: list) -> None:
    """PostgreSQL itself takes no more than 15:59."""
    turn = say(api, {"content": "I keep bees in my garden.", "at": "1980-08-23T06:51:08+17:20"})[0]
    assert turn["at"] == "1980-08-22T13:31:08Z"
    assert dated(api) == ("1980-08-22T13:31:08Z", "turn")
