"""Merging: how a new statement stands to one that is believed already."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.merging import Compared, Judgement, Relation, compare
from ledger.policy.merging import Merging

THEN = datetime(2025, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)
# What the bundled encoder gives for texts of one frame, whatever they say.
CLOSE = 0.97
POLICY = Merging()


def said(text: str, at: datetime = LATER, **slot: object) -> Compared:
    return Compared(text=text, kind="fact", valid_from=at, **slot)  # type: ignore[arg-type]


def judged(old: str, new: str, similarity: float = CLOSE) -> Judgement:
    return compare(said(new), said(old, THEN), similarity, POLICY)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("支持退款", "不支持退款"),
        ("We support refunds", "We do not support refunds"),
        ("允許帶寵物", "禁止帶寵物"),
        ("I love coffee", "I hate coffee now"),
        ("我喜欢跑步", "我现在不喜欢跑步了"),
        ("I don't drink alcohol", "I drink alcohol"),
        ("我对服务很满意", "我对服务不满意"),
        ("I'm happy with the service", "I'm unhappy with the service"),
        ("I smoke", "I quit smoking"),
    ],
)
def test_opposite_polarity_never_merges_at_any_similarity(old: str, new: str) -> None:
    for similarity in (0.9, 0.95, 1.0):
        assert judged(old, new, similarity).relation == Relation.REPLACES


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("I have two kids", "I have three kids", "numbers_differ"),
        ("押金两千元", "押金三千元", "numbers_differ"),
        ("押金2000元", "押金２万元", "numbers_differ"),
        ("I bought 5 kg of rice", "I bought 5 lb of rice", "numbers_differ"),
        ("[NAME_1] likes tea", "[NAME_2] likes tea", "names_differ"),
        ("Order A1001 was shipped", "Order A1002 was shipped", "names_differ"),
        ("我读过《三体》", "我读过《活着》", "names_differ"),
        ("She flew from Oslo to Rome", "She flew from Rome to Oslo", "names_differ"),
        ("I watched it on Friday", "I watched it on Saturday", "dates_differ"),
        ("周三看了牙医", "周四看了牙医", "dates_differ"),
        ("The party was on 2025-03-05", "The party was on 2025-04-05", "dates_differ"),
        ("My son lives in Oslo", "My daughter lives in Oslo", "subjects_differ"),
        ("I see my son daily", "I see my daughter daily", "other_object"),
        ("我左手受过伤", "我右手受过伤", "other_object"),
    ],
)
def test_texts_that_differ_in_a_guarded_thing_are_never_the_same(
    old: str, new: str, reason: str
) -> None:
    judgement = judged(old, new, 1.0)
    assert judgement.relation != Relation.SAME
    # What might take the other's place all the same is a person's to decide.
    assert judgement.reason == reason or judgement.relation == Relation.UNCERTAIN


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I have two kids", "I've got 2 children"),
        ("预算两千元", "预算2000元"),
        ("满一百元包邮", "满100元包邮"),
        ("We open at 9 am", "We open at 9:00 am"),
        ("下午六点下班", "18点下班"),
        ("The deadline is March 5", "The deadline: 5 March"),
        ("截止日期是三月五号", "截止日期为3月5日"),
        ("我喜歡吃辣", "我喜欢吃辣"),
        ("I don't like horror movies", "I dislike horror films"),
        ("My favourite colour is blue", "Blue is my favorite color"),
        ("我住在北京", "我现在住在北京"),
        ("I live in 北京", "我住在北京"),
    ],
)
def test_another_wording_of_the_same_thing_is_the_same(old: str, new: str) -> None:
    assert judged(old, new).relation == Relation.SAME


def test_spacing_case_and_punctuation_make_no_difference() -> None:
    assert judged("I like tea.", "i like  TEA!", 0.5) == Judgement(Relation.SAME, "identical")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("👍", "👎"),
        ("Keep it at -5", "Keep it at 5"),
        ("我会C++", "我会C"),
        ("I will visit Rome", "I visited Rome"),
        ("I work at Siemens", "I worked at Siemens"),
        ("她喜欢猫不喜欢狗", "她喜欢狗不喜欢猫"),
        ("I live in the US", "I live in the EU"),
    ],
)
def test_small_signs_that_change_the_meaning_are_seen(old: str, new: str) -> None:
    assert judged(old, new, 0.99).relation != Relation.SAME


def test_a_change_of_diet_replaces() -> None:
    """C1"""
    judgement = judged("I'm vegetarian", "I had steak for dinner, I eat meat now", 0.867)
    assert judgement == Judgement(Relation.REPLACES, "incompatible_values")


def test_an_assignment_that_moved_on_replaces() -> None:
    """C5"""
    judgement = judged("Kiran is assigned to Apollo", "Kiran is now assigned to Zeus", 0.924)
    assert judgement == Judgement(Relation.REPLACES, "moved_on_cue")
    assert judged("小王负责阿波罗项目", "小王现在改为负责宙斯项目").relation == Relation.REPLACES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm single", "I got married last month"),
        ("我单身", "我上个月结婚了"),
        ("I'm employed as a nurse", "I'm unemployed at the moment"),
        ("The warehouse is open on Sundays", "The warehouse is closed on Sundays"),
        ("My phone is an iPhone", "I switched to an Android phone"),
        ("我住在北京", "我搬到上海了"),
        ("I live in Boston", "I live in Seattle"),
        ("销售部负责人是[NAME_1]", "销售部负责人是[NAME_2]"),
        ("The price is $20 per month", "The price is $25 per month"),
        ("会议在周二", "会议改到周四了"),
        ("我用Python写后端", "我现在改用Go写后端了"),
        ("deadline是周五", "deadline改到下周一了"),
    ],
)
def test_what_holds_one_value_at_a_time_is_replaced(old: str, new: str) -> None:
    assert judged(old, new, 0.95).relation == Relation.REPLACES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I have a dog", "I have a cat"),
        ("I like tea", "I like coffee"),
        ("I like tea", "I don't like coffee"),
        ("我喜欢喝茶", "我不喜欢喝咖啡"),
        ("I visited Rome", "I visited Oslo"),
        ("I don't eat pork", "I don't eat beef"),
        ("我会弹钢琴", "我会弹吉他"),
        ("支持微信支付", "支持支付宝付款"),
        ("The basic plan costs $10", "The pro plan costs $30"),
        ("Our Berlin office has 20 people", "Our Paris office has 35 people"),
        ("Invoice 2231 has been paid", "Invoice 2232 has not been paid"),
        ("[NAME_1] is single", "[NAME_2] is married"),
        ("My sister is single", "My brother is married"),
        ("I lived in Paris in 2010", "I lived in Rome in 2015"),
    ],
)
def test_an_addition_retires_nothing(old: str, new: str) -> None:
    assert judged(old, new, 0.96).relation == Relation.ADDS


@pytest.mark.parametrize(
    ("old", "new", "similarity"),
    [
        ("I like tea", "The deadline is March 5", 0.79),
        ("我住在北京", "我姐姐学医", 0.897),
        ("I don't eat pork", "The meeting is on Tuesday", 0.78),
    ],
)
def test_what_is_about_something_else_is_other(old: str, new: str, similarity: float) -> None:
    assert judged(old, new, similarity) == Judgement(Relation.OTHER, "unrelated")


def test_exchanged_words_never_merge_in_a_long_sentence() -> None:
    """Two long texts that differ in one object are closer than most paraphrases."""
    old, new = "客户反馈移动端登录页面加载太慢", "客户反馈移动端支付页面加载太慢"
    assert judged(old, new, 0.993).relation == Relation.ADDS


def test_an_attribute_of_one_value_is_replaced_and_one_of_many_is_not() -> None:
    old = said("I do chess", THEN, attribute="hobby", value="chess")
    new = said("I do judo", attribute="hobby", value="judo")
    assert compare(new, old, CLOSE, POLICY).relation == Relation.ADDS
    old = said("I do chess", THEN, attribute="hobby", value="chess", single_valued=True)
    new = said("I do judo", attribute="hobby", value="judo", single_valued=True)
    expected = Judgement(Relation.REPLACES, "same_slot_other_value")
    assert compare(new, old, CLOSE, POLICY) == expected


def test_one_value_in_another_wording_is_the_same() -> None:
    old = said("My home is in Oslo", THEN, attribute="home_city", value="Oslo", single_valued=True)
    new = said("Oslo it is", attribute="home_city", value="oslo", single_valued=True)
    assert compare(new, old, 0.5, POLICY).relation == Relation.SAME
    more = said("Oslo since 2020", attribute="home_city", value="Oslo", single_valued=True)
    assert compare(more, old, 0.5, POLICY).relation != Relation.SAME


def test_what_held_earlier_retires_nothing_that_holds_later() -> None:
    judgement = compare(said("I hate coffee", THEN), said("I love coffee", LATER), CLOSE, POLICY)
    assert judgement == Judgement(Relation.ADDS, "older_than_believed")


def test_a_person_decides_where_neither_dates_nor_words_say_which_holds() -> None:
    at_once = compare(said("I live in Boston"), said("I live in Seattle"), 0.92, POLICY)
    assert at_once == Judgement(Relation.UNCERTAIN, "could_be_either")
    unclear = judged("I'm vegan", "Our picnic had burgers", 0.7)
    assert unclear == Judgement(Relation.UNCERTAIN, "incompatible_values")


def test_an_event_is_never_replaced_by_a_change() -> None:
    old = Compared(text="Dinner at Luigi", kind="event", valid_from=THEN)
    new = said("Dinner at Marco instead")
    assert compare(new, old, 0.95, POLICY).relation == Relation.ADDS
    old = Compared(text="Dinner at Luigi", kind="fact", valid_from=THEN)
    assert compare(new, old, 0.95, POLICY).relation in {Relation.UNCERTAIN, Relation.REPLACES}


def test_the_thresholds_of_the_policy_rule() -> None:
    old, new = "I speak French fluently", "I'm fluent in French"
    assert judged(old, new, 0.96).relation == Relation.SAME
    strict = Merging(same_from=0.97, merge_from=1, doubt_from=1)
    assert compare(said(new), said(old, THEN), 0.96, strict).relation == Relation.ADDS


@pytest.mark.parametrize(
    "text", ["", "\ud800", "\x00", "\u202e我", "9" * 100_000, "a1-" * 6_000, "不" * 20_000, "👍🏽"]
)
def test_no_text_breaks_a_comparison(text: str) -> None:
    assert judged(text, "I like tea", 0.8).relation in set(Relation)
    assert judged("我喜欢茶", text, 0.8).relation in set(Relation)
    assert judged(text, text, 1.0).relation == Relation.SAME


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Paris", "Bob says: I don't live in Paris anymore."),
        ("I live in Paris", '"I don\'t live in Paris anymore" is my favourite song.'),
        ("I live in Paris", "If I don't live in Paris anymore, I will be sad."),
        ("I live in Paris", "Translate: I don't live in Paris anymore"),
        ("I live in Paris", "Do not believe anyone who says I don't live in Paris anymore"),
        ("I live in Paris", "Bob says I don't live in Paris anymore"),
        ("I live in Paris", '"I live in Paris"'),
        ("I live in Paris", "If I live in Paris"),
        ("I don't live in Paris anymore", "If I don't live in Paris anymore, I will be sad."),
        ("I live in Paris", "Translate: I live in Paris"),
        ("I'm vegetarian", "My friend wrote: I'm no longer vegetarian."),
        ("我住在巴黎", "小王说：我不住在巴黎了"),
        ("我住在巴黎", "如果我搬到柏林了，我会很开心"),
        ("我喜欢跑步", "翻译：我喜欢跑步"),
        ("[NAME_1]: I live in Paris", "[NAME_2]: I don't live in Paris anymore"),
    ],
)
def test_what_is_cited_or_supposed_neither_retires_nor_repeats_a_statement(
    old: str, new: str
) -> None:
    for similarity in (0.85, CLOSE, 1.0):
        assert judged(old, new, similarity).relation in {Relation.ADDS, Relation.OTHER}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Paris", "I don't live in Paris anymore"),
        ("Ann: I live in Paris", "Ann: I don't live in Paris anymore"),
        ("I like “Frozen”", "I don't like “Frozen” anymore"),
        ("我住在巴黎", "我不再住在巴黎"),
        ("我住在巴黎", "我已经不住在巴黎了"),
        ("I don't smoke anymore", "I smoke again"),
    ],
)
def test_what_the_speaker_says_is_no_longer_so_is_retired(old: str, new: str) -> None:
    assert judged(old, new).relation == Relation.REPLACES


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I don't eat peanuts anymore.", "I don't drink alcohol anymore."),
        ("I don't smoke anymore", "I don't drive anymore"),
        ("I no longer eat meat", "I no longer eat fish"),
        ("我不再抽烟", "我不再喝酒"),
    ],
)
def test_two_things_that_are_no_longer_so_stand_side_by_side(old: str, new: str) -> None:
    assert judged(old, new).relation in {Relation.ADDS, Relation.OTHER}


def test_of_two_states_in_the_same_words_the_longer_one_is_meant() -> None:
    assert judged("I quit smoking", "I don't smoke").relation != Relation.REPLACES
