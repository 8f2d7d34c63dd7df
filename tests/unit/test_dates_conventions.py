"""Time expressions: the conventions of what a phrase means, one promise a test."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from ledger.dates import Dated, Direction, Grain, find_dates

SHANGHAI = ZoneInfo("Asia/Shanghai")
NEW_YORK = ZoneInfo("America/New_York")
# A Wednesday.
NOON = datetime(2023, 5, 24, 12, tzinfo=SHANGHAI)


def the_one(text: str, at: datetime = NOON, zone: ZoneInfo = SHANGHAI) -> Dated:
    dates = find_dates(text, at, zone)
    assert len(dates) == 1, dates
    return dates[0]


def local(dated: Dated) -> tuple[str, str | None]:
    ends = dated.ends and dated.ends.astimezone(SHANGHAI).isoformat()[:16]
    return dated.begins.astimezone(SHANGHAI).isoformat()[:16], ends


def days(text: str) -> tuple[str, str | None]:
    begins, ends = local(the_one(text))
    assert all(edge is None or edge.endswith("T00:00") for edge in (begins, ends))
    return begins[:10], ends and ends[:10]


@pytest.mark.parametrize("text", ["in 2 hours", "两小时后", "20分钟前", "ten minutes ago", "now"])
def test_hours_and_minutes_from_now_last_one_minute(text: str) -> None:
    dated = the_one(text)

    assert dated.ends == dated.begins + timedelta(minutes=1)


def test_a_counted_time_begins_at_the_second_that_is_counted() -> None:
    at = NOON.replace(second=37)

    assert the_one("20分钟前", at).begins == at - timedelta(minutes=20)


@pytest.mark.parametrize(
    "text", ["3pm", "15:30", "下午三点半", "half past three", "2024-07-13T15:30:20+02:00"]
)
def test_every_clock_time_lasts_one_hour(text: str) -> None:
    dated = the_one(text)

    assert dated.ends == dated.begins + timedelta(hours=1)


def test_a_moment_in_the_hour_that_the_clock_repeats_keeps_its_offset() -> None:
    dated = the_one("2024-11-03T01:30-05:00", zone=NEW_YORK)

    assert dated.begins == datetime(2024, 11, 3, 6, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "begins", "ends"),
    [
        ("the first week of June", "2023-06-01", "2023-06-08"),
        ("六月的最后一周", "2023-06-24", "2023-07-01"),
        ("the last Friday of the month", "2023-05-26", "2023-05-27"),
        ("七月的第二个周末", "2023-07-08", "2023-07-10"),
        ("6月头三天", "2023-06-01", "2023-06-04"),
        ("the second half of 2022", "2022-07-01", "2023-01-01"),
        ("the first week of June last year", "2022-06-01", "2022-06-08"),
    ],
)
def test_a_part_is_counted_inside_its_period(text: str, begins: str, ends: str) -> None:
    assert days(text) == (begins, ends)


def test_a_day_beyond_its_month_is_not_the_next_months() -> None:
    assert days("四月第30天") == ("2024-04-30", "2024-05-01")
    assert days("四月第31天") == ("2024-04-01", "2024-05-01")


def test_a_fifth_weekday_that_a_month_lacks_is_no_date() -> None:
    assert find_dates("六月的第五个周一", NOON, SHANGHAI) == []
    assert days("五月的第五个周一") == ("2023-05-29", "2023-05-30")


@pytest.mark.parametrize("text", ["earlier this year", "今年早些时候"])
def test_earlier_ends_at_the_moment_of_speaking(text: str) -> None:
    dated = the_one(text)

    assert local(dated) == ("2023-01-01T00:00", "2023-05-24T12:00")
    assert dated.direction == Direction.PAST


def test_later_begins_at_the_moment_of_speaking() -> None:
    assert local(the_one("later this month")) == ("2023-05-24T12:00", "2023-06-01T00:00")


def test_earlier_cuts_only_the_period_that_is_on() -> None:
    assert days("earlier in 2022") == ("2022-01-01", "2023-01-01")
    assert days("later in 2022") == ("2022-01-01", "2023-01-01")


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("从一月份开始学", "2023-01-01"),
        ("从九月开始学", "2023-09-01"),
        ("我打算从一月份开始学", "2024-01-01"),
        ("I learn starting in March", "2023-03-01"),
        ("I learn starting from the 20th of next month", "2023-06-20"),
    ],
)
def test_a_beginning_without_a_verbs_tense_is_the_nearest(text: str, begins: str) -> None:
    assert days(text) == (begins, None)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Today is Wednesday", "2023-05-24"),
        ("今天是星期三", "2023-05-24"),
        ("明天周四", "2023-05-25"),
        ("Thursday, June 1", "2023-06-01"),
        ("周五（5月26日）", "2023-05-26"),
        ("He moved it, Thursday, July 13", "2023-07-13"),
        ("I came on Saturday, January 1", "2022-01-01"),
    ],
)
def test_a_weekday_beside_its_day_is_that_day(text: str, day: str) -> None:
    dated = the_one(text)

    assert local(dated)[0] == f"{day}T00:00"
    assert dated.grain == Grain.DAY


def test_a_weekday_that_does_not_fit_stays_another_date() -> None:
    assert len(find_dates("今天是星期五", NOON, SHANGHAI)) == 2


@pytest.mark.parametrize(
    ("none", "one"),
    [
        ("in march formation", "in march we left"),
        ("7/13 of the pie", "on 7/13"),
        ("on 1/2 inch plywood", "on 1/2 and then"),
        ("评分7/10", "在7/10"),
        ("I just left", "I left just now"),
        ("我刚毕业", "我刚才毕业"),
        ("from 9 to 5", "from 9 to 5 on Monday"),
        ("第一天上班", "六月第一天上班"),
    ],
)
def test_what_only_looks_like_a_date_needs_its_cue(none: str, one: str) -> None:
    assert find_dates(none, NOON, SHANGHAI) == []
    assert len(find_dates(one, NOON, SHANGHAI)) == 1


@pytest.mark.parametrize(
    ("past", "coming", "before", "after"),
    [
        ("I came on 4/13", "I will come on 4/13", "2023-04-13", "2024-04-13"),
        ("7月13日去了", "7月13日", "2022-07-13", "2023-07-13"),
        ("三月买的", "三月要买的", "2023-03-01", "2024-03-01"),
        ("周五开了会", "会议改到周五了", "2023-05-19", "2023-05-26"),
        ("We met on Friday", "We moved it to Friday", "2023-05-19", "2023-05-26"),
        ("星期五到了", "星期五到了记得交表", "2023-05-19", "2023-05-26"),
    ],
)
def test_a_day_without_a_year_goes_by_its_clause(
    past: str, coming: str, before: str, after: str
) -> None:
    assert days(past)[0] == before
    assert days(coming)[0] == after


def test_so_many_days_before_a_holiday_are_counted_from_it() -> None:
    assert days("国庆前三天") == ("2023-09-28", "2023-09-29")
    assert days("去年国庆后两天") == ("2022-10-03", "2022-10-04")


def test_behind_a_comma_the_two_days_before_are_those_before_now() -> None:
    first, second = find_dates("周五到，前两天在家", NOON, SHANGHAI)

    assert (first.grain, first.approximate) == (Grain.DAY, False)
    assert second.approximate


def test_this_afternoon_is_not_swallowed_by_a_longer_word() -> None:
    assert local(the_one("今天下午")) == ("2023-05-24T12:00", "2023-05-24T18:00")


def test_any_number_of_joined_expressions_is_read() -> None:
    text = "two days before " * 1200 + "Christmas last year"

    assert find_dates(text, NOON, SHANGHAI) != []


@pytest.mark.parametrize("text", ["春节", "Thanksgiving", "Easter", "中秋节"])
def test_a_feast_that_moves_is_not_guessed(text: str) -> None:
    assert find_dates(text, NOON, SHANGHAI) == []
