"""Whether the text has words for a date that the model gives; what counts is what the words mean.

Pure. A model's date only chooses among the time expressions of the text and the moment of speaking.
"""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from ledger.dates import Dated
from ledger.drafts import Said

DAY = timedelta(days=1)
# What makes a first day of a year or a month that is given alone ("2024", "2024-05").
FIRST_DAY = {len("2024"): "-01-01", len("2024-05"): "-01"}


def begins(given: str, found: Sequence[Dated], said: Said) -> datetime | None:
    """Where the period begins that the given moment lies in; None if no words support it."""
    if (claim := _period(given, said)) is None:
        return None
    for dated in found:
        if _meet(claim, dated):
            return dated.begins
    return said.at if claim[0] <= said.at < claim[1] else None


def ends(given: str, found: Sequence[Dated], said: Said) -> datetime | None:
    """Where the period ends that the given moment lies in or closes."""
    if (claim := _period(given, said)) is None:
        return None
    for dated in found:
        if dated.ends is not None and (claim[0] == dated.ends or _meet(claim, dated)):
            return dated.ends
    return None


def due(given: str, found: Sequence[Dated], said: Said) -> datetime | None:
    """Where the period begins in which something is due; the moment of speaking is none."""
    claim = _period(given, said)
    met = (dated.begins for dated in found if claim is not None and _meet(claim, dated))
    return next(met, None)


def _meet(claim: tuple[datetime, datetime], dated: Dated) -> bool:
    """Whether they overlap. A period without end is known by its first day."""
    last = dated.ends or dated.begins + DAY
    return claim[0] < last and dated.begins < claim[1]


def _period(given: str, said: Said) -> tuple[datetime, datetime] | None:
    """What the model wrote, in ISO 8601: a day, or a moment (read in the speaker's zone)."""
    given += FIRST_DAY.get(len(given), "")
    try:
        if len(given) == len("2024-05-01"):
            day = datetime.combine(date.fromisoformat(given), time(), said.zone)
            return day, day + DAY
        moment = datetime.fromisoformat(given)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=said.zone)
        # Moments at the edge of the calendar have no place in another zone.
        moment.astimezone(said.zone)
        return moment, moment + timedelta(microseconds=1)
    except (ValueError, OverflowError):
        return None
