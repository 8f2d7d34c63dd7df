"""Extraction: attributes and their values, and when what is said holds, happened or is due."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ledger.drafts import Draft, Said
from ledger.extraction import extract, sentences
from ledger.models import Kind
from ledger.policy.extraction import Extraction

SHANGHAI = ZoneInfo("Asia/Shanghai")
# A Wednesday.
AT = datetime(2023, 5, 24, 15, 0, tzinfo=SHANGHAI)


def drafts_of(text: str) -> list[Draft]:
    said = Said(text=text, at=AT, zone=SHANGHAI)
    return extract(said, sentences(text), Extraction(), None)


def only(text: str) -> Draft:
    (draft,) = drafts_of(text)
    return draft


def day(year: int, month: int, day: int, hour: int = 0) -> datetime:
    return datetime(year, month, day, hour, tzinfo=SHANGHAI)


def moment(draft: Draft, key: str) -> datetime:
    return datetime.fromisoformat(draft.details[key])


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("My name is Sofia", "name", "Sofia"),
        ("I'm [NAME_1]", "name", "[NAME_1]"),
        ("我叫[NAME_1]", "name", "[NAME_1]"),
        ("我的名字是小明", "name", "小明"),
        ("我的英文名是Leo", "nickname", "Leo"),
        ("I'm 32 years old", "age", "32"),
        ("我今年三十二岁", "age", "三十二"),
        ("My birthday is April 3", "birthday", "April 3"),
        ("我的生日是1990年5月3日", "birthday", "1990年5月3日"),
        ("I am a woman", "gender", "woman"),
        ("我是女生", "gender", "女生"),
        ("I live in Amsterdam", "home_city", "Amsterdam"),
        ("I live in St. Louis", "home_city", "St. Louis"),
        ("I'm based in New York now", "home_city", "New York"),
        ("我住在上海", "home_city", "上海"),
        ("我目前住杭州", "home_city", "杭州"),
        ("我住在[ADDRESS_1]", "home_address", "[ADDRESS_1]"),
        ("I grew up in Boston", "hometown", "Boston"),
        ("我是四川人", "hometown", "四川"),
        ("我来自英国", "hometown", "英国"),
        ("I work at Google", "employer", "Google"),
        ("我在腾讯上班", "employer", "腾讯"),
        ("我在北京工作", "work_city", "北京"),
        ("I'm a software engineer", "job_title", "software engineer"),
        ("我是一名程序员", "job_title", "程序员"),
        ("I study physics at Oxford", "school", "Oxford"),
        ("我毕业于浙江大学", "school", "浙江大学"),
        ("My native language is French", "language", "French"),
        ("我的母语是粤语", "language", "粤语"),
        ("I'm vegetarian", "diet", "vegetarian"),
        ("我吃素", "diet", "素"),
        ("I don't eat pork", "diet_restriction", "pork"),
        ("我不吃辣", "diet_restriction", "辣"),
        ("I'm allergic to peanuts", "allergy", "peanuts"),
        ("我對海鮮過敏", "allergy", "海鮮"),
        ("My email is [EMAIL_1]", "email", "[EMAIL_1]"),
        ("我的邮箱是[EMAIL_1]", "email", "[EMAIL_1]"),
        ("My phone number is [PHONE_1]", "phone", "[PHONE_1]"),
        ("我的手机号是[PHONE_1]", "phone", "[PHONE_1]"),
        ("I'm married", "marital_status", "married"),
        ("我单身", "marital_status", "单身"),
        ("My wife is called Anna", "partner", "Anna"),
        ("我老婆叫[NAME_2]", "partner", "[NAME_2]"),
        ("My daughter Emma is five", "child", "Emma"),
        ("我女儿叫小美", "child", "小美"),
        ("I have two dogs", "pet", "two dogs"),
        ("我家猫叫汤圆", "pet", "汤圆"),
        ("My hobbies are chess and hiking", "hobby", "chess and hiking"),
        ("我的爱好是摄影", "hobby", "摄影"),
        ("I really love jazz", "likes", "jazz"),
        ("我最喜欢的颜色是蓝色", "likes", "蓝色"),
        ("I prefer tea over coffee", "likes", "tea"),
        ("I hate mushrooms", "dislikes", "mushrooms"),
        ("我不喜欢香菜", "dislikes", "香菜"),
        ("My time zone is PST", "time_zone", "PST"),
        ("I'm 180 cm tall", "height", "180 cm"),
        ("我身高１８０ｃｍ", "height", "１８０ｃｍ"),
        ("I weigh 70 kg", "weight", "70 kg"),
        ("我体重70公斤", "weight", "70公斤"),
        ("My goal is to run a marathon", "goal", "run a marathon"),
        ("我的目标是考上北大", "goal", "考上北大"),
        ("I work as a nurse at the city hospital", "job_title", "nurse"),
        ("我在深圳做后端开发", "job_title", "后端开发"),
        ("I take 5 mg of ramipril every day", "medication", "5 mg of ramipril"),
        ("我每天要吃降压药", "medication", "降压药"),
        ("I have diabetes", "health_condition", "diabetes"),
        ("我有高血压", "health_condition", "高血压"),
    ],
)
def test_a_slot_takes_its_value_out_of_the_text(text: str, attribute: str, value: str) -> None:
    draft = only(text)
    assert (draft.attribute, draft.value) == (attribute, value)
    assert f"pattern:{attribute}" in draft.decided_by


@pytest.mark.parametrize(
    "text",
    [
        "My sister lives in Oslo",
        "我妹妹住在奥斯陆",
        "她叫小红，住在广州",
        "My brother is a teacher",
        "He said “I live in Rome”",
        "If I lived in Paris I would paint",
        "如果我住在北京就好了",
        "Am I allergic to penicillin?",
        "你觉得我应该住在上海吗？",
        "I live in a small flat",
        "I love it",
        "Tomorrow I'm going to the dentist",
        "我在琢磨工作上的麻烦",
        "I would like to know more",
    ],
)
def test_what_is_not_said_of_the_speaker_as_being_so_fills_no_slot(text: str) -> None:
    assert not any(draft.attribute for draft in drafts_of(text))


def test_the_things_that_a_value_lists_are_told_apart() -> None:
    draft = only("I'm allergic to peanuts, shrimp and soy")
    assert draft.value == "peanuts, shrimp and soy"
    assert draft.details["values"] == ["peanuts", "shrimp", "soy"]
    assert only("我喜欢下棋、种花和书法").details["values"] == ["下棋", "种花", "书法"]
    assert "values" not in only("I like tea").details


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I don't live in Paris anymore", "home_city", "Paris"),
        ("我不住北京了", "home_city", "北京"),
        ("I used to live in Paris", "home_city", "Paris"),
        ("小时候我住在成都", "home_city", "成都"),
        ("I no longer work at IBM", "employer", "IBM"),
        ("I'm not vegetarian anymore", "diet", "vegetarian"),
        ("I quit smoking", "habit", "smoking"),
        ("我戒烟了", "habit", "戒烟"),
        ("我不再喜欢足球了", "likes", "足球"),
    ],
)
def test_what_is_over_ends_its_slot_and_never_sets_it(
    text: str, attribute: str, value: str
) -> None:
    draft = only(text)
    assert (draft.attribute, draft.value, draft.polarity) == ("", None, -1)
    assert (draft.details["ends"], draft.details["ended_value"]) == (attribute, value)


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I'm not allergic to nuts", "allergy", "nuts"),
        ("我对花生不过敏", "allergy", "花生"),
        ("I don't live in Paris", "home_city", "Paris"),
        ("我不抽烟", "habit", "抽烟"),
    ],
)
def test_what_is_denied_sets_no_slot(text: str, attribute: str, value: str) -> None:
    draft = only(text)
    assert (draft.attribute, draft.value, draft.polarity) == ("", None, -1)
    assert (draft.details["denies"], draft.details["denied_value"]) == (attribute, value)
    assert "ends" not in draft.details


class TestValidTime:
    @pytest.mark.parametrize(
        ("text", "valid_from", "valid_to"),
        [
            ("I live in Oslo", AT, None),
            ("I moved to Berlin last month", day(2023, 4, 1), None),
            ("我上个月搬到了柏林", day(2023, 4, 1), None),
            ("I now work at Google", AT, None),
            ("I quit smoking last month", day(2023, 4, 1), None),
            ("Since 2019 I live in Berlin", day(2019, 1, 1), None),
            ("我从2020年起住在东京", day(2020, 1, 1), None),
            ("From next month I live in Berlin", day(2023, 6, 1), None),
            ("下个月起我住在广州", day(2023, 6, 1), None),
            ("I'm moving to Rome next month", day(2023, 6, 1), None),
            ("I lived in Paris from 2019 to 2021", day(2019, 1, 1), day(2022, 1, 1)),
            ("从2019年到2021年我住在北京", day(2019, 1, 1), day(2022, 1, 1)),
            ("我去年住在北京", day(2022, 1, 1), day(2023, 1, 1)),
            # These dates are values or asides, and no periods of the slot.
            ("我的生日是1990年5月3日", AT, None),
            ("My name is Tom, I came yesterday", AT, None),
        ],
    )
    def test_a_state_holds_when_the_words_say_so(
        self, text: str, valid_from: datetime, valid_to: datetime | None
    ) -> None:
        draft = drafts_of(text)[0]
        assert (draft.valid_from, draft.valid_to) == (valid_from, valid_to)
        assert draft.attribute or "ends" in draft.details

    @pytest.mark.parametrize("text", ["I went to Paris last week", "我上周去了巴黎"])
    def test_that_something_happened_stays_true(self, text: str) -> None:
        """T3: "last week" is that before the message, and not before today."""
        draft = only(text)
        assert draft.kind == Kind.EVENT
        assert (draft.valid_from, draft.valid_to) == (day(2023, 5, 15), None)
        assert moment(draft, "occurred_from") == day(2023, 5, 15)
        assert moment(draft, "occurred_to") == day(2023, 5, 22)
        assert draft.decided_by[-1].startswith("date:")

    def test_of_two_dates_the_one_that_says_more_is_taken(self) -> None:
        draft = only("最近我在练书法，昨天我参加了比赛")
        assert moment(draft, "occurred_from") == day(2023, 5, 23)
        draft = only("Today I'm happy because we won yesterday")
        assert moment(draft, "occurred_from") == day(2023, 5, 23)

    @pytest.mark.parametrize("text", ["Tomorrow we're going to the zoo", "明天我要去看牙医"])
    def test_a_plan_is_known_from_now_on_and_has_its_own_time(self, text: str) -> None:
        draft = only(text)
        assert draft.kind == Kind.EVENT
        assert draft.valid_from == AT
        assert moment(draft, "occurs_from") == day(2023, 5, 25)
        assert moment(draft, "occurs_to") == day(2023, 5, 26)
        assert "occurred_from" not in draft.details

    @pytest.mark.parametrize(
        ("text", "due"),
        [
            ("Remind me next Wednesday to hand in the report", day(2023, 5, 31, 9)),
            ("下周三提醒我交报告", day(2023, 5, 31, 9)),
            ("I promised to call mum on Sunday", day(2023, 5, 28, 9)),
            ("I have to submit by Friday", day(2023, 5, 27)),
            ("我周五之前必须交论文", day(2023, 5, 27)),
            ("Before Friday I have to pay the rent", day(2023, 5, 26)),
            ("Remind me tomorrow at 3pm to call", day(2023, 5, 25, 15)),
            ("明天下午三点提醒我开会", day(2023, 5, 25, 15)),
            # Nine o'clock is over by now.
            ("Remind me today to water the plants", day(2023, 5, 25)),
        ],
    )
    def test_a_commitment_is_due(self, text: str, due: datetime) -> None:
        draft = only(text)
        assert draft.kind == Kind.COMMITMENT
        assert moment(draft, "due_at") == due
        assert draft.details["due_at"].endswith("+00:00")
        assert draft.valid_from == AT

    def test_the_hour_of_a_whole_day_is_the_policys(self) -> None:
        said = Said(text="Remind me tomorrow to call", at=AT, zone=SHANGHAI)
        (draft,) = extract(said, [(0, 26)], Extraction(due_hour=7), None)
        assert moment(draft, "due_at") == day(2023, 5, 25, 7)

    def test_a_commitment_without_a_date_is_not_due(self) -> None:
        assert "due_at" not in only("I owe Tom 50 dollars").details

    @pytest.mark.parametrize(
        "text", ["十万年前我去了北京", "remind me in 30000 months", "我2560年前住在北京"]
    )
    def test_far_times_break_nothing(self, text: str) -> None:
        """T6: far offsets."""
        assert only(text).content == text
