"""When a piece holds, happened, will happen, or is due."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from ledger.dates import Dated
from ledger.extraction.language import heard, is_chinese, plain
from ledger.extraction.reading import Reading
from ledger.extraction.slots import SPELL, STATE, STOP, TIMELESS, TURN, WAS
from ledger.models import Kind
from ledger.policy.extraction import Extraction


@dataclass(frozen=True)
class When:
    """The valid time, details about time, and the rules ("date:…") that were used."""

    valid_from: datetime
    valid_to: datetime | None = None
    details: dict[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()

    @property
    def is_period(self) -> bool:
        """Whether the words say until when it held."""
        return self.valid_to is not None


def when(reading: Reading, kind: Kind, policy: Extraction) -> When:
    """The valid time of a piece; without a date it holds from when it was said."""
    if not reading.dates or (reading.found is not None and reading.found.time == TIMELESS):
        return When(reading.said.at)
    if kind == Kind.COMMITMENT:
        return _due(reading, policy)
    if kind == Kind.EVENT:
        return _event(reading)
    return _state(reading)


def _due(reading: Reading, policy: Extraction) -> When:
    date = next((one for one in reading.dates if reading.is_not_over(one)), None)
    if date is None:
        promised = reading.behind("commitment")
        return _due(promised, policy) if promised else When(reading.said.at)
    moment = _due_moment(reading, date, policy)
    if moment <= reading.said.at:
        return When(reading.said.at)
    return When(reading.said.at, None, {"due_at": stamp(moment)}, _rules(date))


def _due_moment(reading: Reading, date: Dated, policy: Extraction) -> datetime:
    """The end of the period after "by"; else its begin, for whole days at the policy's hour."""
    ends = date.ends or date.begins
    is_open = date.begins <= reading.said.at and not _is_whole_days(reading, date)
    if is_open or reading.before("by", date) or reading.after("by_after", date):
        return ends
    if not _is_whole_days(reading, date):
        return date.begins
    day = date.begins.astimezone(reading.said.zone).date()
    moment = datetime.combine(day, time(policy.due_hour), reading.said.zone)
    return moment if moment > reading.said.at else ends


def _is_whole_days(reading: Reading, date: Dated) -> bool:
    edges = (date.begins, date.ends or date.begins)
    return all(edge.astimezone(reading.said.zone).time() == time(0) for edge in edges)


def _event(reading: Reading) -> When:
    """That it happened stays true, so an event has no end; one to come is known from now on."""
    date = _main(reading)
    ahead = reading.is_ahead(date)
    if not ahead and reading.hears("planned") and not reading.hears("happened"):
        return When(reading.said.at)
    prefix = "occurs" if ahead else "occurred"
    details = {f"{prefix}_from": stamp(date.begins)}
    if date.ends is not None:
        details[f"{prefix}_to"] = stamp(date.ends)
    valid_from = reading.said.at if ahead else date.begins
    return When(valid_from, None, details, _rules(date))


def _main(reading: Reading) -> Dated:
    """The date that says most: rather a known one than "recently", rather another than today."""
    at = reading.said.at

    def says_little(date: Dated) -> tuple[bool, bool]:
        is_now = date.begins <= at and (date.ends is None or date.ends > at)
        return date.approximate, is_now

    return min(reading.dates, key=says_little)


def _state(reading: Reading) -> When:
    at, date = reading.said.at, _main(reading)
    if heard("range", plain(date.text)):
        return When(date.begins, date.ends, {}, _rules(date))
    if reading.before("until", date) and date.ends is not None:
        return When(min(date.begins, at), date.ends, {}, _rules(date))
    if _begins_with(reading, date):
        return When(date.begins, None, {}, _rules(date))
    is_over = date.ends is not None and date.ends < at
    if is_over and _is_spell(reading, date):
        return When(date.begins, date.ends, {}, _rules(date))
    return When(at)


def _begins_with(reading: Reading, date: Dated) -> bool:
    """Whether the state begins at the date: by its words, or because it is a change."""
    if date.ends is None or (reading.found and reading.found.how in (TURN, STOP)):
        return True
    return reading.before("begins", date) or reading.after("begins_after", date)


def _is_spell(reading: Reading, date: Dated) -> bool:
    """Whether the slot is said to have held then: "I lived in", or in Chinese any with the date."""
    found = reading.found
    if found is None or found.how == WAS:
        return found is not None
    return found.time == SPELL and found.how == STATE and is_chinese(date.text)


def _rules(date: Dated) -> tuple[str, ...]:
    return (f"date:{date.rule}",)


def stamp(moment: datetime) -> str:
    """RFC 3339 in UTC."""
    return moment.astimezone(UTC).isoformat()
