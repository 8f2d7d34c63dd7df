"""Conversations in files: three formats are read in order, and each bad file is named as such."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from ledger.conversations import MAX_TURNS, UnknownFormat, read_conversation

LOCOMO = {
    "speaker_a": "Ann",
    "speaker_b": "Ben",
    "session_10_date_time": "9:05 am on 2 June, 2023",
    "session_10": [{"speaker": "Ann", "dia_id": "D10:1", "text": "Last."}],
    "session_2_date_time": "1:56 pm on 8 May, 2023",
    "session_2": [
        {"speaker": "Ben", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a red kite"},
        {"speaker": "Ann", "dia_id": "D2:2", "text": "Nice."},
    ],
    "session_3_date_time": "1:56 pm on 9 May, 2023",
}


@pytest.mark.parametrize("data", [LOCOMO, {"conversation": LOCOMO, "qa": []}])
def test_locomo_is_read_in_the_order_of_its_sessions(data: dict) -> None:
    turns = read_conversation(data, UTC)
    assert [(t.session, t.ref, t.text) for t in turns] == [
        ("session_2", "D2:1", "Ben: Look! [shares a red kite]"),
        ("session_2", "D2:2", "Ann: Nice."),
        ("session_10", "D10:1", "Ann: Last."),
    ]
    assert turns[0].at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert turns[2].at == datetime(2023, 6, 2, 9, 5, tzinfo=UTC)


def test_times_without_an_offset_are_read_in_the_given_zone() -> None:
    """T1: a day is a day of the place where it was said."""
    turns = read_conversation(LOCOMO, ZoneInfo("Asia/Shanghai"))
    assert turns[0].at == datetime(2023, 5, 8, 5, 56, tzinfo=UTC)


def test_a_session_without_a_time_has_none() -> None:
    """T11: nothing is made up here; the recording will be its date, and say so."""
    data = {"session_1": [{"speaker": "Ann", "text": "Hi"}]}
    assert [(t.at, t.ref) for t in read_conversation(data, UTC)] == [(None, "session_1:1")]


def test_sessions_are_read_with_their_ids_and_times() -> None:
    data = {
        "sessions": [
            {
                "id": "monday",
                "at": "2024-05-06T09:00:00+08:00",
                "turns": [
                    {"role": "user", "content": "我五月搬到了杭州", "id": "m1"},
                    {"role": "system", "content": "You are helpful."},
                    {"role": "tool", "content": "{}"},
                    {"name": "Lin", "text": "And I like tea.", "at": "2024-05-06T01:30:00Z"},
                ],
            },
            {"turns": [{"content": "Nobody said this."}]},
        ]
    }
    turns = read_conversation(data, UTC)
    assert [(t.session, t.ref, t.text) for t in turns] == [
        ("monday", "m1", "user: 我五月搬到了杭州"),
        ("monday", "monday:4", "Lin: And I like tea."),
        ("session_2", "session_2:1", "Nobody said this."),
    ]
    assert turns[0].at == datetime(2024, 5, 6, 1, tzinfo=UTC)
    assert turns[1].at == datetime(2024, 5, 6, 1, 30, tzinfo=UTC)
    assert turns[2].at is None


def test_a_list_of_turns_is_one_session() -> None:
    turns = read_conversation([{"speaker": "Ann", "content": "Hi"}, {"content": "Ho"}], UTC)
    assert [(t.session, t.text) for t in turns] == [("session_1", "Ann: Hi"), ("session_1", "Ho")]


def test_all_moments_are_in_utc_and_in_the_calendar() -> None:
    moment = datetime(2024, 1, 1, tzinfo=UTC)
    (turn,) = read_conversation([{"content": "Hi", "at": "2024-01-01T14:00:00+14:00"}], UTC)
    assert turn.at == moment
    assert turn.at.utcoffset() == timedelta(0)


def turn(**more: Any) -> list[dict]:
    return [{"content": "Hi"} | more]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("text", "no conversation in a known format"),
        (None, "no conversation in a known format"),
        (5, "no conversation in a known format"),
        ({}, "no conversation in a known format"),
        ({"session_x": []}, "no conversation in a known format"),
        ([], "no turn that a person said"),
        ({"sessions": []}, "no turn that a person said"),
        ([{"role": "system", "content": "x"}], "no turn that a person said"),
        ({"sessions": ["x"]}, r"sessions\[1\] is not an object"),
        ({"sessions": [{}]}, r"sessions\[1\] has no list of turns"),
        ({"sessions": [{"turns": {"a": 1}}]}, r"sessions\[1\] has no list of turns"),
        ({"session_1": "x"}, "session_1 has no list of turns"),
        ({"session_1": ["x"]}, r"session_1\[1\] has no text"),
        ({"session_1": [{"text": " "}]}, r"session_1\[1\] has no text"),
        ({"session_1": [{"content": "x"}]}, r"session_1\[1\] has no text"),
        ([{"content": "Hi"}, {"content": 5}], r"sessions\[1\].turns\[2\] has no text"),
        (["Hi"], r"sessions\[1\].turns\[1\] has no text"),
        ({"session_1": [{"text": "x"}], "session_1_date_time": "soon"}, "not a time: 'soon'"),
        ({"session_1": [{"text": "x"}], "session_1_date_time": 5}, "not a time: 5"),
        (turn(at="yesterday"), "not ISO 8601: 'yesterday'"),
        (turn(at=1_700_000_000), "not ISO 8601"),
        (turn(at="0001-01-01T00:00:00+14:00"), "no calendar holds"),
        (turn(at="9999-12-31T23:59:59-14:00"), "no calendar holds"),
        ({"sessions": [{"at": "x", "turns": turn()}]}, "not ISO 8601: 'x'"),
        ([{"content": "x"}] * (MAX_TURNS + 1), f"at most {MAX_TURNS} turns"),
    ],
)
def test_a_bad_file_is_refused_with_what_is_wrong(data: Any, says: str) -> None:
    """L11: nothing is made of an empty conversation."""
    with pytest.raises(UnknownFormat, match=says):
        read_conversation(data, UTC)


def test_a_locomo_time_outside_the_calendar_is_refused() -> None:
    data = {"session_1": [{"text": "x"}], "session_1_date_time": "1:00 am on 1 January, 0001"}
    with pytest.raises(UnknownFormat, match="no calendar holds"):
        read_conversation(data, ZoneInfo("Asia/Shanghai"))
