"""Extraction: whose slots they are, with names and addresses behind placeholders."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.drafts import Draft, Said
from ledger.extraction import extract, sentences
from ledger.policy.extraction import Extraction

UTC = ZoneInfo("UTC")
AT = datetime(2023, 5, 24, 15, 0, tzinfo=UTC)


def drafts_of(text: str, speaker: str = "") -> list[Draft]:
    said = Said(text=text, at=AT, zone=UTC, speaker=speaker)
    return extract(said, sentences(text), Extraction(), None)


def slots_of(text: str, speaker: str = "") -> list[tuple[str, str | None]]:
    return [(one.attribute, one.value) for one in drafts_of(text, speaker) if one.attribute]


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("User lives in Berlin", [("home_city", "Berlin")]),
        ("The user is allergic to nuts", [("allergy", "nuts")]),
        ("The user prefers tea and works at Siemens", [("likes", "tea"), ("employer", "Siemens")]),
        ("Customer's birthday is May 3", [("birthday", "May 3")]),
        ("The user's wife is [NAME_3]", [("partner", "[NAME_3]")]),
        ("User has a dog named [NAME_5]", [("pet", "[NAME_5]")]),
        ("用户住在上海", [("home_city", "上海")]),
        ("用户喜欢咖啡，对花生过敏", [("likes", "咖啡"), ("allergy", "花生")]),
        ("用户的妻子叫[NAME_2]", [("partner", "[NAME_2]")]),
        ("客户的邮箱是[EMAIL_1]", [("email", "[EMAIL_1]")]),
        (
            "The user is a nurse. They live in Oslo.",
            [("job_title", "nurse"), ("home_city", "Oslo")],
        ),
    ],
)
def test_what_is_told_of_the_user_fills_the_subjects_slots(
    text: str, slots: list[tuple[str, str]]
) -> None:
    assert slots_of(text) == slots


def test_what_the_user_does_not_do_is_denied() -> None:
    (draft,) = drafts_of("The user doesn't live in Paris")
    assert (draft.attribute, draft.details["denies"]) == ("", "home_city")


@pytest.mark.parametrize(
    "text",
    [
        "[NAME_1] lives in Berlin",
        "They prefer tea",
        "The user's wife lives in Berlin",
        "My user lives in Berlin",
        "I think the user lives in Berlin",
        "用户名是小明",
        "用户的妻子住在上海",
        "The user interface is in Berlin",
    ],
)
def test_what_is_told_of_somebody_else_fills_none(text: str) -> None:
    assert slots_of(text) == []


def test_a_speaker_who_is_named_in_the_text_is_the_speaker() -> None:
    assert slots_of("[NAME_1] lives in Berlin", "[NAME_1]") == [("home_city", "Berlin")]
    assert slots_of("[NAME_2] lives in Berlin", "[NAME_1]") == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("Hi, I'm [NAME_1].", "name", "[NAME_1]"),
        ("This is [NAME_1] speaking", "name", "[NAME_1]"),
        ("我是[NAME_1]", "name", "[NAME_1]"),
        ("我叫[NAME_1]", "name", "[NAME_1]"),
        ("call me [NAME_2]", "nickname", "[NAME_2]"),
        ("大家都叫我[NAME_2]", "nickname", "[NAME_2]"),
        ("my wife [NAME_3] works a lot", "partner", "[NAME_3]"),
        ("[NAME_3] is my husband", "partner", "[NAME_3]"),
        ("我老婆[NAME_3]喜欢跳舞", "partner", "[NAME_3]"),
        ("我女儿[NAME_4]今年五岁", "child", "[NAME_4]"),
        ("I have a daughter named [NAME_4]", "child", "[NAME_4]"),
        ("My dog [NAME_5] is old", "pet", "[NAME_5]"),
        ("我家的猫叫[NAME_6]", "pet", "[NAME_6]"),
        ("I live in [ADDRESS_1]", "home_address", "[ADDRESS_1]"),
        ("I moved to [ADDRESS_2] last week", "home_address", "[ADDRESS_2]"),
        ("我家住[ADDRESS_1]", "home_address", "[ADDRESS_1]"),
        ("我搬到[ADDRESS_2]了", "home_address", "[ADDRESS_2]"),
        ("You can reach me at [EMAIL_1]", "email", "[EMAIL_1]"),
        ("我的新手机号是[PHONE_2]", "phone", "[PHONE_2]"),
        ("Call me at [PHONE_1]", "phone", "[PHONE_1]"),
    ],
)
def test_placeholders_fill_slots_as_words_do(text: str, attribute: str, value: str) -> None:
    assert slots_of(text) == [(attribute, value)]


def test_ways_to_reach_somebody_are_listed_one_by_one() -> None:
    expected = [("email", "[EMAIL_1]"), ("phone", "[PHONE_1]"), ("home_address", "[ADDRESS_1]")]
    assert slots_of("My email is [EMAIL_1], phone [PHONE_1], address [ADDRESS_1]") == expected
    assert slots_of("我的邮箱是[EMAIL_1]，电话[PHONE_1]，住址[ADDRESS_1]") == expected


def test_another_persons_name_or_number_is_not_the_speakers() -> None:
    for text in ("I'm [NAME_1]'s mother", "My wife's phone is [PHONE_2]", "他叫[NAME_1]"):
        assert slots_of(text) == []


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("I left Google to join a startup", "employer", "Google"),
        ("I left Berlin last year", "home_city", "Berlin"),
        ("I quit my job at IBM", "employer", "IBM"),
        ("I quit my job", "employer", None),
        ("I left my husband", "partner", None),
        ("我离开了腾讯", "employer", "腾讯"),
        ("我离开了北京", "home_city", "北京"),
        ("我从百度离职了", "employer", "百度"),
    ],
)
def test_who_leaves_ends_a_slot(text: str, attribute: str, value: str | None) -> None:
    (draft,) = drafts_of(text)
    assert (draft.attribute, draft.details["ends"]) == ("", attribute)
    assert draft.details.get("ended_value") == value


@pytest.mark.parametrize(
    "text", ["I left early", "I left home at 8", "我离开了家", "我妈离开了北京"]
)
def test_who_goes_away_for_a_while_ends_none(text: str) -> None:
    assert all("ends" not in draft.details for draft in drafts_of(text))


WORDS = ["the user ", "User's ", "they ", "lives ", "is ", "用户", "用户的", "住在", "Oslo", ", "]
WORDS += ["and ", "我", "I ", "[NAME_1]", "[NAME_1]'s ", "喜欢", "茶", ". ", "。", "doesn't "]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.sampled_from(["", "[NAME_1]"]),
)
def test_every_span_and_value_is_in_the_words_of_the_text(words: list[str], speaker: str) -> None:
    text = "".join(words)
    for draft in drafts_of(text, speaker):
        start, end = draft.span
        assert draft.content == (f"{speaker}: " if speaker else "") + text[start:end]
        assert draft.value is None or draft.value in text[start:end]


# What others say, cite or suppose, each with what would be the speaker's if they said it.
NOT_SAID = [
    "Bob says: I don't live in Paris anymore.",
    '"I don\'t live in Paris anymore" is my favourite song.',
    "If I don't live in Paris anymore, I will be sad.",
    "Translate: I don't live in Paris anymore",
    "My friend wrote: I'm no longer vegetarian.",
    "Do not believe anyone who says I don't live in Paris anymore.",
    'Example sentence: "I moved to Berlin last week."',
    "In the novel I read, the hero says: I moved to Berlin.",
    "Bob: I moved to Berlin",
    "Bob says I moved to Berlin",
    "How do you say I moved to Berlin in French?",
    "小王说：我不住在巴黎了",
    "小王说我不住在巴黎了",
    "“我不住北京了”是一句歌词",
    "如果我搬到柏林了，我会很开心",
    "翻译：我喜欢跑步",
    "把“我不住北京了”翻译成英文",
]


@pytest.mark.parametrize("text", NOT_SAID)
def test_words_of_others_and_what_is_supposed_set_end_and_deny_nothing(text: str) -> None:
    for draft in drafts_of(text):
        assert (draft.attribute, draft.polarity) == ("", 1)
        assert not {"ends", "denies", "slots"} & set(draft.details)


def test_words_of_others_are_plain_facts_of_little_weight() -> None:
    for text in ("Bob says: I moved to Berlin", "Translate: remind me to call mum tomorrow"):
        (draft,) = drafts_of(text)
        assert (draft.kind, draft.importance) == ("fact", Extraction().importance["chatter"])


def test_what_others_say_of_the_speakers_health_is_less_sure() -> None:
    for text in ("Mum says I'm allergic to nuts", "妈妈说我对花生过敏"):
        (draft,) = drafts_of(text)
        assert (draft.attribute, draft.confidence) == ("allergy", Extraction().reported_confidence)


def test_own_words_beside_those_of_others_still_fill_slots() -> None:
    for text in (
        "If you ask, I live in Berlin",
        "Note: I live in Berlin",
        "Bob says hi.\nI live in Berlin",
        "When I moved to Berlin last year I got a dog",
    ):
        assert ("home_city", "Berlin") in slots_of(text)


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("我不再住在巴黎", "巴黎"),
        ("我已经不住在巴黎了", "巴黎"),
        ("我已不住巴黎", "巴黎"),
        ("我再也不住巴黎了", "巴黎"),
        ("我現在不再住在巴黎", "巴黎"),
        ("Ich wohne nicht mehr in Paris", "Paris"),
    ],
)
def test_who_says_that_they_live_there_no_more_ends_it(text: str, city: str) -> None:
    (draft,) = drafts_of(text)
    assert (draft.details["ends"], draft.details["ended_value"]) == ("home_city", city)
