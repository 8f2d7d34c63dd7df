"""The time algebra: periods of the calendar in the speaker's zone.

Weeks begin on Monday. Seasons are those of the northern hemisphere. Arithmetic in days and longer
units is on the wall clock, so that a day has 23 or 25 hours where the clock changes; arithmetic in
hours and shorter units is in elapsed time. Everything raises ValueError or OverflowError outside
the years 1 to 9999.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from fractions import Fraction

from ledger.dates.dated import Direction, Grain
from ledger.dates.words import conventions

SHORT = frozenset({Grain.SECOND, Grain.MINUTE, Grain.HOUR})
_SECONDS = {"second": 1, "minute": 60, "quarter_hour": 900, "hour": 3600}
_DAYS = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS = {"month": 1, "quarter": 3, "year": 12, "decade": 120, "century": 1200}
_GRAINS = {"quarter_hour": "minute", "fortnight": "week", "decade": "year", "century": "year"}
_DAYS_OF_A_MONTH = 30
# How long the time on a clock is ("at 15:30"), and one counted from now ("in 2 hours").
_CLOCK_TIME = timedelta(hours=1)
_COUNTED_TIME = timedelta(minutes=1)


@dataclass(frozen=True)
class Period:
    """[begins, ends) in the speaker's zone; `ends` is None where it is open. `whole`: it is one
    unit of the calendar, in which smaller ones have their place."""

    begins: datetime
    ends: datetime | None
    grain: Grain
    approximate: bool = False
    direction: Direction | None = None
    whole: bool = True

    def in_utc(self) -> tuple[datetime, datetime | None]:
        begins = self.begins.astimezone(UTC)
        if self.ends is None:
            return begins, None
        if self.grain in SHORT and self.whole:
            # An hour that the clock skips or repeats is still an hour.
            return begins, begins + (self.ends - self.begins)
        return begins, self.ends.astimezone(UTC)


@dataclass(frozen=True)
class Calendar:
    """The calendar around the moment `now`, which is in the speaker's zone."""

    now: datetime
    zone: tzinfo

    @property
    def today(self) -> date:
        return self.now.date()

    def midnight(self, day: date) -> datetime:
        return datetime.combine(day, time.min, self.zone)

    def days(self, first: date, after: date, grain: Grain) -> Period:
        return Period(self.midnight(first), self.midnight(after), grain)

    def day(self, day: date) -> Period:
        return self.days(day, day + timedelta(1), Grain.DAY)

    def week(self, day: date) -> Period:
        monday = day - timedelta(day.weekday())
        return self.days(monday, monday + timedelta(7), Grain.WEEK)

    def weekend(self, day: date) -> Period:
        """The Saturday and Sunday of that day's week."""
        monday = day - timedelta(day.weekday())
        return self.days(monday + timedelta(5), monday + timedelta(7), Grain.WEEKEND)

    def months(self, year: int, month: int, count: int, grain: Grain) -> Period:
        """`count` months from that one on; `month` may lie outside 1 to 12."""
        first, after = _first_of(year, month), _first_of(year, month + count)
        return self.days(first, after, grain)

    def month(self, year: int, month: int) -> Period:
        return self.months(year, month, 1, Grain.MONTH)

    def season(self, year: int, name: str) -> Period:
        """A winter is named after the year in which it begins."""
        return self.months(year, conventions()["seasons"][name], 3, Grain.SEASON)

    def year(self, year: int) -> Period:
        return self.months(year, 1, 12, Grain.YEAR)

    def decade(self, year: int) -> Period:
        return self.months(year - year % 10, 1, 120, Grain.DECADE)

    def containing(self, grain: Grain | str, day: date) -> Period:
        match grain:
            case Grain.WEEKEND:
                return self.weekend(day)
            case Grain.WEEK:
                return self.week(day)
            case Grain.MONTH:
                return self.month(day.year, day.month)
            case Grain.QUARTER:
                return self.months(day.year, day.month - (day.month - 1) % 3, 3, Grain.QUARTER)
            case Grain.YEAR:
                return self.year(day.year)
            case Grain.DECADE:
                return self.decade(day.year)
        return self.day(day)

    def hours(self, day: date, first: int, after: int) -> Period:
        """A part of the day; `after` may be 24."""
        start, ends = self.midnight(day), self.midnight(day + timedelta(after // 24))
        return Period(start.replace(hour=first), ends.replace(hour=after % 24), Grain.PART_OF_DAY)

    def clock(self, day: date, hour: int, minute: int | None, second: int | None) -> Period:
        """The hour from a time on the clock. The grain is the finest that was said."""
        if hour == 24 and not minute and not second:
            day, hour = day + timedelta(1), 0
        begins = datetime.combine(day, time(hour, minute or 0, second or 0), self.zone)
        grain = Grain.HOUR if minute is None else Grain.MINUTE if second is None else Grain.SECOND
        return self.clock_time(begins, grain)

    def clock_time(self, begins: datetime, grain: Grain) -> Period:
        return Period(begins, begins + _CLOCK_TIME, grain)

    def moment(self, unit: str, count: Fraction) -> datetime:
        """`now` plus so many units. A part of a unit is counted in smaller ones."""
        unit, whole = _whole(unit, count)
        if unit in _SECONDS:
            elapsed = timedelta(seconds=_SECONDS[unit] * whole)
            return (self.now.astimezone(UTC) + elapsed).astimezone(self.zone)
        if unit in _DAYS:
            return self.now + timedelta(_DAYS[unit] * whole)
        first = _first_of(self.now.year, self.now.month + _MONTHS[unit] * whole)
        after = _first_of(first.year, first.month + 1)
        return self.now.replace(
            year=first.year, month=first.month, day=min(self.now.day, (after - first).days)
        )

    def away(self, unit: str, count: Fraction) -> Period:
        """The calendar unit in which `now` plus so many units falls: 两周前 is a week. Counted in
        hours or less it is the minute from that moment."""
        moment = self.moment(unit, count)
        unit, _ = _whole(unit, count)
        grain = Grain(_GRAINS.get(unit, unit))
        if grain in SHORT:
            return Period(moment, moment + _COUNTED_TIME, grain)
        return self.containing(grain, moment.date())

    def minute(self) -> Period:
        """The minute that begins now."""
        return Period(self.now, self.now + _COUNTED_TIME, Grain.MINUTE)

    def third(self, period: Period, which: int) -> Period:
        """The first, second or last third (0, 1, 2): in days for a week (Mon-Tue, Wed-Fri,
        Sat-Sun) and a month (1-10, 11-20, 21-end), in months or years for what is longer."""
        assert period.ends is not None
        begins, ends = period.begins.date(), period.ends.date()
        if period.grain in (Grain.WEEK, Grain.MONTH):
            cuts = (2, 5) if period.grain == Grain.WEEK else (10, 20)
            edges = [begins, *(begins + timedelta(cut) for cut in cuts), ends]
        else:
            months = (ends.year - begins.year) * 12 + ends.month - begins.month
            # A decade's middle is its longest part: 1990-92, 1993-96, 1997-99.
            steps = (36, 84) if period.grain == Grain.DECADE else (months // 3, months * 2 // 3)
            edges = [
                begins,
                *(_first_of(begins.year, begins.month + step) for step in steps),
                ends,
            ]
        return replace(self.days(edges[which], edges[which + 1], period.grain), whole=False)


def _first_of(year: int, month: int) -> date:
    years, month = divmod(month - 1, 12)
    return date(year + years, month + 1, 1)


def _whole(unit: str, count: Fraction) -> tuple[str, int]:
    """The same span in a unit of which there is a whole number: half a month is 15 days."""
    smaller = {
        "century": ("year", 100),
        "decade": ("year", 10),
        "year": ("month", 12),
        "quarter": ("month", 3),
        "month": ("day", _DAYS_OF_A_MONTH),
        "week": ("day", 7),
        "fortnight": ("day", 14),
        "day": ("hour", 24),
        "hour": ("minute", 60),
        "minute": ("second", 60),
    }
    while count.denominator != 1 and unit in smaller:
        unit, times = smaller[unit]
        count *= times
    return unit, round(count)
