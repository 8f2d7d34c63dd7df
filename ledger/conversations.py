"""Conversations in files, pure: LoCoMo's format and two plain ones, as turns in order.

- LoCoMo (Maharana et al. 2024): {"session_1": [{"speaker", "dia_id", "text", "blip_caption"?}],
  "session_1_date_time": "1:56 pm on 8 May, 2023", …}, perhaps under "conversation".
- Sessions: {"sessions": [{"id"?, "at"?, "turns": [turn, …]}, …]}.
- Turns: [turn, …], one session.

A turn of the plain formats is {"content", "speaker"? or "role"?, "at"?, "id"?}. What systems and
tools say is not something that a person said, and is left out.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any

from tenants.errors import Invalid

LOCOMO_SESSION = re.compile(r"session_(\d+)")
LOCOMO_TIME = "%I:%M %p on %d %B, %Y"
UNHEARD_ROLES = frozenset({"system", "tool"})
MAX_TURNS = 100_000


class UnknownFormat(Invalid):
    """The file holds no conversation in a known format."""

    code = "unknown_format"


@dataclass(frozen=True)
class Turn:
    """One thing said: `ref` is its id within the conversation, `at` the time of its session."""

    session: str
    ref: str
    text: str
    at: datetime | None


def read_conversation(data: Any, zone: tzinfo) -> list[Turn]:
    """The turns of a conversation in order; times without an offset are read in `zone`.

    Raises UnknownFormat, naming what is wrong.
    """
    if isinstance(data, dict) and isinstance(data.get("conversation"), dict):
        data = data["conversation"]
    if isinstance(data, dict) and isinstance(data.get("sessions"), list):
        turns = _sessions(data["sessions"], zone)
    elif isinstance(data, dict) and any(LOCOMO_SESSION.fullmatch(key) for key in data):
        turns = _locomo(data, zone)
    elif isinstance(data, list):
        turns = _sessions([{"turns": data}], zone)
    else:
        raise UnknownFormat
    if not turns:
        raise UnknownFormat("The file holds no turn that a person said.")
    if len(turns) > MAX_TURNS:
        raise UnknownFormat(f"A conversation has at most {MAX_TURNS} turns.")
    return turns


def _locomo(data: dict[str, Any], zone: tzinfo) -> list[Turn]:
    turns = []
    numbers = sorted(int(m[1]) for key in data if (m := LOCOMO_SESSION.fullmatch(key)))
    for number in numbers:
        name = f"session_{number}"
        written = data.get(f"{name}_date_time")
        at = None
        if written is not None:
            try:
                written_at = datetime.strptime(written, LOCOMO_TIME).replace(tzinfo=zone)
            except (TypeError, ValueError) as error:
                raise UnknownFormat(f"{name}_date_time is not a time: {written!r}") from error
            at = _in_utc(written_at, name)
        for place, turn in enumerate(_list(data[name], name), start=1):
            text = _text(turn, ("text",), f"{name}[{place}]")
            if caption := turn.get("blip_caption"):
                text += f" [shares {caption}]"
            ref = str(turn.get("dia_id", f"{name}:{place}"))
            turns.append(Turn(name, ref, _said(turn.get("speaker"), text), at))
    return turns


def _sessions(sessions: list[Any], zone: tzinfo) -> list[Turn]:
    turns = []
    for number, session in enumerate(sessions, start=1):
        where = f"sessions[{number}]"
        if not isinstance(session, dict):
            raise UnknownFormat(f"{where} is not an object.")
        name = str(session.get("id", f"session_{number}"))
        session_at = _moment(session.get("at"), zone, where)
        for place, turn in enumerate(_list(session.get("turns"), where), start=1):
            text = _text(turn, ("content", "text"), f"{where}.turns[{place}]")
            if turn.get("role") in UNHEARD_ROLES:
                continue
            speaker = turn.get("speaker") or turn.get("name") or turn.get("role")
            at = _moment(turn.get("at"), zone, where) or session_at
            turns.append(
                Turn(name, str(turn.get("id", f"{name}:{place}")), _said(speaker, text), at)
            )
    return turns


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise UnknownFormat(f"{where} has no list of turns.")
    return value


def _text(turn: Any, names: tuple[str, ...], where: str) -> str:
    text = next((turn[n] for n in names if n in turn), None) if isinstance(turn, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise UnknownFormat(f"{where} has no text.")
    return text


def _said(speaker: Any, text: str) -> str:
    return f"{speaker}: {text}" if speaker else text


def _moment(written: Any, zone: tzinfo, where: str) -> datetime | None:
    if written is None:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except (TypeError, ValueError) as error:
        raise UnknownFormat(f"{where} has a time that is not ISO 8601: {written!r}") from error
    return _in_utc(moment if moment.tzinfo else moment.replace(tzinfo=zone), where)


def _in_utc(moment: datetime, where: str) -> datetime:
    """The moment in UTC, where it must still lie within the years 1 to 9999."""
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise UnknownFormat(f"{where} has a time that no calendar holds.") from error
