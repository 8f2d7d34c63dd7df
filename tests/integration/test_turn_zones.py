"""Words like "yesterday" are meant where the speaker is: by the turn's offset, or their zone."""

from typing import Any

import pytest

from tests.cast import Api


def learned(api: Api, thing: str = "kitchen", **more: Any) -> dict[str, Any]:
    """Say that something happened yesterday; gives the memory of it."""
    turn = {"role": "user", "content": f"I painted the {thing} yesterday."}
    body = {"subject": "ana", "wait": True, "turns": [turn | more.pop("turn")], **more}
    answer = api.post("/api/v1/sessions/s/turns", body)
    assert answer.status_code == 200, answer.content
    (statement,) = answer.json()["turns"][0]["outcome"]["statements"]
    memory: dict[str, Any] = api.get(f"/api/v1/memories/{statement['memory']}").json()
    return memory


def test_the_offset_of_the_turn_tells(api: Api) -> None:
    """T1: at 22:00 in New York it is the next day in UTC."""
    memory = learned(api, turn={"at": "2025-07-24T22:00:00-04:00"})
    assert memory["valid_from"] == "2025-07-23T04:00:00Z"
    assert memory["provenance"]["dated_by"] == "words"


def test_without_an_offset_the_zone_of_the_person_tells_and_is_kept(api: Api) -> None:
    """T1: 02:00 in UTC is the evening before in Los Angeles."""
    first = learned(api, turn={"at": "2025-07-25T02:00:00Z"}, time_zone="America/Los_Angeles")
    assert first["valid_from"] == "2025-07-23T07:00:00Z"
    later = learned(api, "fence", turn={"at": "2025-08-25T02:00:00Z"})
    assert later["valid_from"] == "2025-08-23T07:00:00Z"


@pytest.mark.parametrize("zone", ["Mars/Olympus", "+08:00", "", "x" * 65])
def test_a_zone_that_is_none_is_refused(api: Api, zone: str) -> None:
    turns = [{"role": "user", "content": "I like tea"}]
    body = {"subject": "ana", "turns": turns, "time_zone": zone}
    refused = api.post("/api/v1/sessions/s/turns", body)
    assert refused.status_code == 400
    assert refused.json()["error"]["field"] == "time_zone"
