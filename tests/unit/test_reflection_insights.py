"""Insights: drawn from several memories, never more than they support, never sensitive."""

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.models import Kind
from ledger.policy.reflection import Reflection
from ledger.reflection import Insight, Remembered, insights
from ledger.reflection.lexicon import labels, lexicons, read_data
from ledger.reflection.words import tokens_of

START = datetime(2026, 4, 1, 9, tzinfo=UTC)
POLICY = Reflection()


def daily(*contents: str, days: int = 1, first: int = 0, **changes: Any) -> list[Remembered]:
    """One memory a day, or every `days` days."""
    return [
        Remembered(
            memory=UUID(int=first + at + 1),
            content=content,
            valid_from=START + timedelta(days=first + at * days),
            **{"kind": Kind.FACT, **changes},
        )
        for at, content in enumerate(contents)
    ]


def drawn(facts: Sequence[Remembered], policy: Reflection = POLICY) -> dict[str, Insight]:
    return {insight.key: insight for insight in insights(facts, policy)}


RUNS = daily("今天早上去跑步了", "今早跑步6公里", "早上在西湖边晨跑")

CASES = [
    (
        "price_sensitive:price",
        ["在京东和淘宝比价", "这个镜头哪家便宜", "等打折再买耳机"],
        "购买前经常比较价格，看来对价格比较敏感",
    ),
    (
        "price_sensitive:price",
        ["Compared prices of laptops", "Looking for the cheapest flight", "Waits for a discount"],
        "Compares prices before buying; seems to be price-sensitive",
    ),
    (
        "struggles_with:printer",
        ["打印机又卡纸了", "打印机连不上电脑", "公司的打印机没反应"],
        "多次遇到打印机的问题，可能需要帮助",
    ),
    (
        "struggles_with:network",
        ["The VPN dropped again", "Can't connect to the VPN", "VPN times out"],
        "Keeps having trouble with the network connection; may need help with it",
    ),
    (
        "struggles_with:报销系统",
        ["报销系统又报错了", "报销系统打不开", "今天报销系统失败"],
        "多次遇到报销系统的问题，可能需要帮助",
    ),
    ("habit:running morning", [fact.content for fact in RUNS], "有早上跑步的习惯"),
    (
        "habit:running morning",
        ["Went for a run this morning", "Ran 5k before work", "Morning run by the river"],
        "Habit: running in the morning",
    ),
    (
        "interest:coffee",
        ["喜欢手冲咖啡", "买了新的咖啡豆", "参加了拿铁拉花课程", "路过一家咖啡馆"],
        "经常提到咖啡，看来很感兴趣",
    ),
    (
        "interest:astronomy",
        ["Bought a telescope", "Watched the eclipse", "Loves astronomy", "Went to a planetarium "
         "talk on astronomy"],
        "Often brings up astronomy; seems to have a strong interest in it",
    ),
    ("avoids:seafood", ["我不喜欢吃虾", "螃蟹我不吃", "讨厌生蚝的味道"], "倾向于避开海鲜"),
    (
        "avoids:crowds",
        ["I don't like crowded bars", "Avoids rush hour trains", "Hates crowds"],
        "Tends to avoid crowded places",
    ),
    (
        "mood:stressed",
        ["压力好大", "今天压力很大", "感觉喘不过气", "又是压力大的一天"],
        "最近多次流露出有压力的情绪（仅为措辞给人的印象）",
    ),
    (
        "mood:happy",
        ["So happy today", "Excited about the trip", "Delighted with the gift", "Feels happy"],
        "Has sounded happy several times lately (only an impression from the wording)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("key", "contents", "text"), CASES)
def test_an_insight_is_drawn_from_enough_memories_only(
    key: str, contents: list[str], text: str
) -> None:
    """L5: in the language of its sources."""
    facts = daily(*contents)
    insight = drawn(facts)[key]
    assert insight.content == text
    assert insight.sources == tuple(fact.memory for fact in facts)
    for missing in range(len(facts)):
        assert key not in drawn(facts[:missing] + facts[missing + 1 :])


@pytest.mark.parametrize("contents", [["每周二组会", "周二例会改到三点", "星期二开会"]])
def test_a_recurring_weekday_is_a_routine(contents: list[str]) -> None:
    facts = daily(*contents, days=7, kind=Kind.COMMITMENT)
    assert drawn(facts)["routine:1 meetings"].content == "周二通常有会议"
    assert "routine:1 meetings" not in drawn(facts[:2])


def test_a_due_time_tells_the_weekday_in_its_own_offset_only() -> None:
    def due(offset: str) -> list[Remembered]:
        return [
            Remembered(
                memory=UUID(int=week + 1),
                content="Yoga class",
                kind=Kind.COMMITMENT,
                valid_from=START + timedelta(weeks=week),
                details={"due_at": f"2026-04-{2 + 7 * week:02}T18:00:00{offset}"},
            )
            for week in range(3)
        ]

    assert drawn(due("+02:00"))["routine:3 yoga"].content == "Thursday routine: yoga"
    assert "routine:3 yoga" not in drawn(due("+00:00"))


def test_an_intent_counts_like_the_words_for_it() -> None:
    facts = daily(
        "看了三个网站的相机", "又看了两家店", "再看一家", details={"intent": "compare_price"}
    )
    assert "price_sensitive:price" in drawn(facts)


def test_the_language_used_is_noticed_when_nearly_all_memories_show_it() -> None:
    chinese = daily(*(f"第{at}件事已经做完了" for at in range(10)))
    english = daily(*(f"This is the thing number {at}" for at in range(10)), first=20)
    assert drawn(chinese)["language:zh"].content == "主要使用中文交流"
    assert drawn(english)["language:en"].content == "Mostly uses English"
    assert not {"language:zh", "language:en"} & drawn([*chinese, *english]).keys()
    spanish = daily(*(f"Me gusta el café número {at}" for at in range(12)))
    assert "language:en" not in drawn(spanish)


def test_traditional_characters_are_read_like_simplified_ones() -> None:
    facts = daily("買相機前比價", "又在比價", "比較價格後再買")
    assert "price_sensitive:price" in drawn(facts)


SENSITIVE = {
    "health": ["头疼的问题又来了", "又头疼了，求助", "Headache problem again", "吃药后压力大",
               "Yoga in the morning for my diabetes"],
    "religion": ["Church on Sunday morning", "每周日早上去教堂", "Loves Bible class", "喜欢佛教"],
    "politics": ["I love the Democrats", "Watched the election", "喜欢参加政治讲座", "去投票了"],
    "sexuality": ["Loves the gay bar", "Bought tickets for a pride parade", "参加彩虹游行"],
    "ethnicity": ["Interested in ethnic roots", "喜欢研究民族血统", "学习藏族舞蹈"],
}  # fmt: skip


@pytest.mark.parametrize("kind", [Kind.FACT, Kind.EVENT, Kind.COMMITMENT, Kind.PREFERENCE])
@pytest.mark.parametrize("area", SENSITIVE)
def test_nothing_sensitive_is_ever_inferred(area: str, kind: str) -> None:
    facts = [
        fact
        for at, content in enumerate(SENSITIVE[area])
        for fact in daily(*[content] * 12, first=at * 20, kind=kind)
    ]
    assert insights(facts, POLICY) == []


def test_an_attribute_or_a_value_that_is_sensitive_is_no_evidence_either() -> None:
    for changes in ({"attribute": "health_condition"}, {"value": "糖尿病"}):
        assert insights(daily(*(fact.content for fact in RUNS), **changes), POLICY) == []
    assert insights(RUNS, POLICY)


def test_no_topic_that_an_insight_can_name_is_sensitive() -> None:
    named = [
        str(word)
        for name in ("topics.json", "problems.json")
        for entry in labels(name).values()
        for word in (entry["en"], entry["zh"])
    ]
    named += [
        word for entry in read_data("texts.json")["moods"].values() for word in entry.values()
    ]
    for word in named:
        assert list(lexicons()["sensitive"].hits(tokens_of(word))) == [], word


@pytest.mark.parametrize(
    "contents",
    [
        ["I never compare prices", "我从不比价", "I don't care about discounts", "不找优惠券"],
        ["有会议", "没有会议", "今天没有会议", "明天没有开会", "不用开会"],
        ["My cat died", "Buried the cat", "Misses the cat", "Gave the cat's things away"],
        ["ran out of milk", "running late", "running a company", "ran into [NAME_4]", "ran out"],
        ["喜欢吃虾", "不吃虾", "爱吃螃蟹", "讨厌生蚝", "喜欢龙虾", "不碰鱿鱼"],
        ["stressed", "happy", "so stressed", "very happy", "stressed again", "开心", "压力大"],
        ["printer error", "printer was fixed", "printer broke", "printer works again", "no toner"],
        ["东京は楽しい", "寿司を食べました", "寿司が好き", "寿司", "寿司屋に行った"],
    ],
)
def test_what_is_denied_or_contradicted_or_only_looks_alike_is_not_inferred(
    contents: list[str],
) -> None:
    assert insights(daily(*contents), POLICY) == []


def test_what_is_disliked_is_not_an_interest() -> None:
    keys = drawn(
        daily("I hate coffee", "Coffee is disgusting", "我讨厌咖啡", "不喜欢喝咖啡")
    ).keys()
    assert keys == {"avoids:coffee"}


def test_what_is_merely_absent_is_neither_liked_nor_avoided() -> None:
    absent = ["No coffee in the office", "今天没有咖啡", "没买咖啡", "There is no coffee today"]
    assert insights(daily(*absent, kind=Kind.EVENT), POLICY) == []
    assert insights(daily(*(f"Bought a book, {text}" for text in absent)), POLICY) == []


def test_each_thought_of_a_sentence_has_its_own_stance() -> None:
    both = daily(
        "I like tea but I hate coffee", "爱喝茶叶但讨厌咖啡", "Loves matcha but hates lattes"
    )
    assert drawn(both).keys() == {"avoids:coffee"}


def test_what_comes_after_a_preference_over_it_is_no_interest() -> None:
    contents = ["I prefer tea rather than coffee", "Likes tea over espresso", "爱喝茶叶而不是咖啡"]
    contents += ["Enjoys matcha more than coffee", "Likes oolong instead of coffee"]
    assert drawn(daily(*contents)).keys() == {"interest:tea"}


def test_a_word_does_not_reach_over_the_end_of_a_clause() -> None:
    facts = daily("打。印机 error", "打；印机坏了", "打。印机 problem")
    assert drawn(facts).keys() == {"struggles_with:印机"}


def test_a_denied_memory_is_no_habit() -> None:
    contents = [fact.content for fact in RUNS]
    assert insights(daily(*contents, details={"polarity": -1}), POLICY) == []


@pytest.mark.parametrize(
    "contents",
    [
        ["My wife compares prices", "她又在比价", "我老婆喜欢货比三家", "我朋友找打折"],
        ["My sister goes for a run in the morning", "我妈早上跑步", "He ran this morning"],
    ],
)
def test_what_others_do_is_not_inferred_of_the_subject(contents: list[str]) -> None:
    """Q9: nothing is made up about the subject."""
    assert insights(daily(*contents), POLICY) == []


def test_a_named_person_has_insights_of_their_own_unless_it_is_the_subject() -> None:
    jazz = daily(*(f"[NAME_3] {words} jazz" for words in ("loves", "bought", "likes", "plays")))
    (insight,) = insights(jazz, POLICY)
    assert insight.key == "interest:jazz:[NAME_3]"
    assert insight.content.startswith("[NAME_3]: ")
    name = daily("I am [NAME_3]", first=50, attribute="name", value="[NAME_3]")
    assert [insight.key for insight in insights([*jazz, *name], POLICY)] == ["interest:jazz"]


def test_what_was_inferred_is_no_evidence() -> None:
    for kind in (Kind.INSIGHT, Kind.SUMMARY):
        assert insights(daily(*(fact.content for fact in RUNS), kind=kind), POLICY) == []


def test_what_is_hardly_believed_is_no_evidence() -> None:
    assert insights(daily(*(fact.content for fact in RUNS), confidence=0.2), POLICY) == []


def test_memories_too_far_apart_say_nothing_together() -> None:
    contents = [fact.content for fact in RUNS]
    assert "habit:running morning" in drawn(daily(*contents, days=45))
    assert "habit:running morning" not in drawn(daily(*contents, days=46))


def test_what_speaks_against_it_since_outweighs_old_evidence() -> None:
    avoided = daily("不吃虾", "讨厌螃蟹", "不喜欢生蚝")
    assert "avoids:seafood" in drawn(avoided)
    liked = daily("爱吃虾", "喜欢螃蟹", first=200)
    assert "avoids:seafood" not in drawn([*avoided, *liked])


def test_the_same_words_on_one_day_count_once() -> None:
    one, other, third = daily("printer error", "printer error", "printer error", days=0)
    assert insights([one, other, third], POLICY) == []


def test_an_insight_grows_surer_but_never_sure_and_keeps_its_key() -> None:
    policy = Reflection(insight_window_days=400)
    found = [
        drawn(daily(*["今天早上去跑步了"] * times), policy)["habit:running morning"]
        for times in (3, 4, 10, 60)
    ]
    assert found[0].confidence == policy.insight_confidence
    assert [one.confidence for one in found] == sorted({one.confidence for one in found})
    assert found[-1].confidence <= policy.insight_ceiling
    assert {(one.key, one.content) for one in found} == {(found[0].key, found[0].content)}
    assert len(found[-1].sources) == policy.insight_sources


def test_a_mood_is_a_weak_and_unimportant_inference() -> None:
    mood = drawn(daily("压力大", "压力很大", "压力好大", "喘不过气"))["mood:stressed"]
    assert mood.confidence < POLICY.insight_confidence
    assert mood.importance < POLICY.insight_importance


def test_the_policys_counts_rule() -> None:
    two = RUNS[:2]
    assert not drawn(two)
    assert "habit:running morning" in drawn(two, Reflection(habit_days=2))


def test_the_language_of_most_sources_is_that_of_the_insight() -> None:
    mixed = daily("今天早上跑步", "Went for a morning run today", "早上又去跑步")
    assert drawn(mixed)["habit:running morning"].content == "有早上跑步的习惯"
    asked = insights(mixed, POLICY, lambda text: "en")
    assert "Habit: running in the morning" in {insight.content for insight in asked}


def test_the_order_of_the_input_does_not_matter() -> None:
    facts = [
        fact for at, case in enumerate(CASES) for fact in daily(*case[1], first=at * 2 + at * 100)
    ]
    facts = [
        Remembered(**{**fact.__dict__, "memory": UUID(int=at + 1)}) for at, fact in enumerate(facts)
    ]
    expected = insights(facts, POLICY)
    assert len(expected) > 5
    for seed in range(5):
        assert insights(random.Random(seed).sample(facts, len(facts)), POLICY) == expected


TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from([*"不我,", "早上", "跑步", "喜欢", "讨厌", "咖啡", "打印机", "坏了", "比价",
                         "[NAME_1]", "周二", "组会", "压力大", "but", "running", "morning", "don't",
                         "like", "coffee", "printer", "error", "cheaper", "\ud83d", "\x00"]),
        max_size=12,
    ).map(" ".join),
    st.sampled_from(["9" * 100_000, "[NAME_" + "9" * 1_000, "\u202e", "{x}", "不" * 20_000]),
)  # fmt: skip
DETAILS = st.dictionaries(
    st.sampled_from(["polarity", "due_at", "intent", "place", "device", "pattern", "count"]),
    st.one_of(st.none(), st.integers(-1, 1), st.text(max_size=10), st.lists(st.integers())),
)
FACTS = st.lists(
    st.builds(
        Remembered,
        memory=st.integers(0, 30).map(lambda number: UUID(int=number)),
        content=TEXTS,
        kind=st.sampled_from(Kind.values),
        valid_from=st.datetimes(timezones=st.just(UTC)),
        attribute=st.sampled_from(["", "likes", "dislikes", "name", "home_city", "X-y.z"]),
        value=st.one_of(st.none(), TEXTS),
        details=DETAILS,
    ),
    max_size=12,
    unique_by=lambda fact: fact.memory,
)
EAGER = Reflection(
    price_comparisons=2, repeated_problems=2, habit_days=2, topic_mentions=2, clear_mentions=0,
    refusals=2, routine_entries=2, mood_mentions=2, language_memories=2,
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(FACTS)
def test_any_memories_give_insights_with_their_own_sources(facts: list[Remembered]) -> None:
    found = insights(facts, EAGER)
    given_ids = {fact.memory for fact in facts}
    assert len({insight.key for insight in found}) == len(found)
    for insight in found:
        assert set(insight.sources) <= given_ids
        assert len(insight.sources) >= 2
        assert 0 <= insight.confidence < 1
