"""The policy's sections about what is kept and how: attributes, retention, jobs, sessions."""

from typing import Annotated

from pydantic import Field

from ledger.policy.section import Section


class Attributes(Section):
    """Which attributes hold one value at a time. All others may hold several."""

    single_valued: frozenset[str] = frozenset(
        {
            "age",
            "birthday",
            "diet",
            "email",
            "employer",
            "gender",
            "height",
            "home_address",
            "home_city",
            "job_title",
            "language",
            "marital_status",
            "name",
            "nickname",
            "phone",
            "time_zone",
            "weight",
        }
    )


class Retention(Section):
    """How long things are kept."""

    # Traces of recall.
    trace_days: int = Field(30, ge=1, le=3_650)
    # Raw turns, and the sessions and jobs that belong to them.
    turn_days: int = Field(90, ge=1, le=3_650)
    # Days that memories of a kind hold at most; a kind that is not named holds until it is ended.
    memory_days: dict[str, Annotated[int, Field(ge=1, le=36_500)]] = {}


class Jobs(Section):
    """How work outside requests is tried."""

    attempts: int = Field(5, ge=1, le=20)
    # The wait after a first failure; it doubles with each one, up to the longest.
    first_wait_seconds: int = Field(5, ge=1, le=3_600)
    longest_wait_seconds: int = Field(900, ge=1, le=86_400)
    # How long a run may be silent before it counts as lost.
    lease_seconds: int = Field(120, ge=10, le=3_600)


class Sessions(Section):
    """How conversations are kept."""

    # The most recent turns that are kept at hand besides the database, and for how long.
    tail_turns: int = Field(50, ge=1, le=500)
    tail_hours: int = Field(24, ge=1, le=720)
