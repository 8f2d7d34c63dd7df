"""What keeps two texts apart, and what only looks as if it did; in Chinese and English."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.merging import Compared, Relation
from ledger.merging.amounts import accepts, offers
from ledger.merging.case import Case
from ledger.merging.judge import RELATIONS
from ledger.merging.judging import judged
from ledger.merging.reading import read
from ledger.policy.merging import Merging

THEN = datetime(2025, 1, 1, tzinfo=UTC)
LATER = THEN + timedelta(days=30)


def may_merge(old: str, new: str) -> bool:
    """Whether a judge that is sure that they are the same is allowed to say so."""

    def said(text: str, at: datetime) -> Compared:
        return Compared(text=text, kind="fact", valid_from=at)

    case = Case(said(new, LATER), said(old, THEN), 0.93, Merging())
    sure = {relation: float(relation == Relation.SAME) for relation in RELATIONS}
    return judged(case, lambda *_: sure).relation == Relation.SAME


# What denies, a word that says the same, and a text that says the opposite of the first.
DENIALS = [
    ("The heating doesn't work", "The heating is broken", "The heating works"),
    ("The shop isn't open on Mondays", "The shop is closed on Mondays", "It is open on Mondays"),
    ("My uncle doesn't have a job", "My uncle is unemployed", "My uncle has a job"),
    ("Entry doesn't cost anything", "Entry is free", "Entry costs money"),
    ("This exam wasn't hard", "This exam was easy", "This exam was hard"),
    ("There isn't any milk in the fridge", "We're out of milk", "There is milk in the fridge"),
    ("The kids aren't asleep yet", "The kids are still awake", "The kids are asleep"),
    ("He never fails to call", "He always calls", "He never calls"),
    ("It's not uncommon for me to skip lunch", "I often skip lunch", "I never skip lunch"),
    ("I don't smoke anymore", "I gave up smoking", "I smoke again"),
    ("这台洗衣机不能用", "这台洗衣机坏了", "这台洗衣机能用"),
    ("停车场没有车位了", "停车场满了", "停车场有车位"),
    ("商店周日不营业", "商店周日关门", "商店周日营业"),
    ("我叔叔没有工作", "我叔叔失业了", "我叔叔有工作"),
    ("他不是不想来", "他想来", "他不想来"),
    ("我不再抽烟了", "我戒烟了", "我抽烟"),
    ("房间不干净", "房间很脏", "房间很干净"),
]


@pytest.mark.parametrize(("denial", "word", "opposite"), DENIALS)
def test_a_denial_may_be_the_same_as_a_word_for_it_and_never_as_its_opposite(
    denial: str, word: str, opposite: str
) -> None:
    assert may_merge(denial, word)
    assert may_merge(word, denial)
    assert not may_merge(denial, opposite)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The shop is closed", "The shop isn't closed"),
        ("I'm single", "I'm not single"),
        ("I quit coffee", "I never quit coffee"),
        ("We have a free plan", "We no longer offer a free plan"),
        ("We support refunds", "We don't support refunds"),
        ("I like tea, not coffee", "I like tea and coffee"),
        ("You can smoke here", "You can't smoke here"),
        ("停车场满了", "停车场没满"),
        ("我戒烟了", "我没戒烟"),
        ("支持退款", "不支持退款"),
        ("工作很无聊", "上班不无聊了"),
        ("I'm afraid of dogs", "I got over my fear of dogs"),
    ],
)
def test_the_denial_of_the_same_word_never_merges(old: str, new: str) -> None:
    assert not may_merge(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("We stay open in August", "We're closed in August"),
        ("The room is a mess", "The room is spotless"),
        ("I prefer tea to coffee", "I prefer coffee to tea"),
        ("My left ear hurts", "My right ear hurts"),
        ("I rent my apartment", "I own the apartment I live in"),
        ("他很内向", "他很外向"),
        ("地铁比公交快", "公交比地铁快"),
        ("我的哥哥叫王强", "我的弟弟叫王强"),
    ],
)
def test_opposites_without_a_negation_never_merge(old: str, new: str) -> None:
    assert not may_merge(old, new)


@pytest.mark.parametrize(
    ("old", "new", "other"),
    [
        ("The call took half an hour", "The call took 30 minutes", "The call took an hour"),
        ("My commute takes an hour", "My commute takes 60 minutes", "It takes 5 hours"),
        ("It lasts two and a half hours", "It lasts 150 minutes", "It lasts 120 minutes"),
        ("I meet her every fortnight", "I meet her every two weeks", "I meet her every 3 weeks"),
        ("We open at seven in the morning", "We open at 7 am", "We open at 7 pm"),
        ("We start at half past nine", "We start at 9:30", "We start at 9:45"),
        ("I'm 1.80 m tall", "I'm 180 cm tall", "I'm 185 cm tall"),
        ("Payday is the 25th", "Payday is the twenty-fifth", "Payday is the 24th"),
        ("We meet every other week", "We meet every two weeks", "We meet every three weeks"),
        ("We report quarterly", "We report every three months", "We report every month"),
        ("It's minus ten outside", "It's ten below zero outside", "It's eleven below zero outside"),
        ("I left a decade ago", "I left ten years ago", "I left two years ago"),
        ("Due on the fifteenth", "Due on the 15th", "Due on the 16th"),
        ("会议半小时", "会议30分钟", "会议一小时"),
        ("会议一刻钟", "会议15分钟", "会议三刻钟"),
        ("我们三点一刻见", "我们3:15见", "我们三点三刻见"),
        ("进度有五成", "进度有一半", "进度有三成"),
        ("他持股百分之三十", "他持股三成", "他持股三分之一"),
        ("我欠小王五千块", "我欠小王5000元", "我欠小王一千块"),
        ("公司零八年成立", "公司2008年成立", "公司2009年成立"),
        ("房租每月三千五", "房租每月3500元", "房租每月三千"),
        ("我一米八", "我180厘米", "我一米七"),
        ("商品打九折", "商品优惠10%", "商品打八折"),
        ("晚八点关门", "晚上8点关门", "晚九点关门"),
        ("我体重70公斤", "我体重140斤", "我体重70斤"),
        ("面试在下星期五", "面试在下周五", "面试在下周四"),
        ("保修两年", "保修24个月", "保修12个月"),
    ],
)
def test_one_amount_may_be_written_in_many_ways_and_another_never_merges(
    old: str, new: str, other: str
) -> None:
    assert may_merge(old, new)
    assert not may_merge(old, other)


@pytest.mark.parametrize(
    "text", ["我和他是两口子，天天丢三落四", "I buy second-hand clothes", "我另一半爱零食"]
)
def test_a_numeral_in_a_fixed_phrase_is_no_number(text: str) -> None:
    assert not read(text).numbers


def test_may_is_a_month_only_where_a_month_is_meant() -> None:
    assert read("Employees may work from home").times == frozenset()
    for text in ("We move in May", "we move in may", "5月搬家"):
        assert read(text).times == {"m5"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I go to bed at 2 at night", "I go to bed at 2 pm"),
        ("The alarm rings at 12 am", "The alarm rings at 12 pm"),
        ("闹钟晚上12点响", "闹钟中午12点响"),
        ("We close at 8 pm", "We close at 56"),
        ("I met May in Rome", "I met them in Rome"),
        ("这件打8.5折", "这件优惠8.5%"),
        ("我上半年很忙", "我下半年很忙"),
        ("I don't have a car", "I lost my cards"),
        ("I don't like tea", "Unlike my brother, I drink tea"),
    ],
)
def test_what_is_written_alike_and_means_another_thing_never_merges(old: str, new: str) -> None:
    assert not may_merge(old, new)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12 am", "0"),
        ("12:30 am", "0:30"),
        ("12 pm", "12"),
        ("quarter to one pm", "12:45"),
        ("晚上12点", "0"),
        ("8点5分", "8:05"),
        ("晚上8点", "20"),
    ],
)
def test_a_time_of_day_is_on_a_clock_of_24_hours(written: str, value: str) -> None:
    assert read(written).numbers == {(value, "clock")}


def test_amounts_of_different_sorts_accept_nothing_from_each_other() -> None:
    assert offers(("1.5", "hour")) & accepts(("90", "minute"))
    assert not offers(("8", "clock")) & accepts(("20", "clock"))
    assert not offers(("2024", "year")) & accepts(("728640", "day"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I lost my keys", "My keys are missing"),
        ("My phone was stolen", "Somebody stole my phone"),
        ("We signed the lease", "The lease is signed"),
        ("I've lived in Lisbon for five years", "I have been living in Lisbon for 5 years"),
        ("I intend to learn Greek", "I want to learn Greek"),
        ("我想学吉他", "我打算学吉他"),
        ("租约签了", "我们签了租房合同"),
    ],
)
def test_another_verb_may_have_another_tense(old: str, new: str) -> None:
    assert may_merge(old, new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I work at Siemens", "I worked at Siemens"),
        ("I want to open a bakery", "I opened my bakery"),
        ("I have lived in Rome", "I live in Rome"),
        ("我想养一只猫", "我养了一只猫"),
        ("我打算辞职", "我辞职了"),
    ],
)
def test_one_verb_in_two_tenses_never_merges(old: str, new: str) -> None:
    assert not may_merge(old, new)


def test_a_relative_may_be_spoken_of_from_both_sides() -> None:
    assert may_merge("I get too much work from my boss", "My boss overloads me")
    assert may_merge("我外公是老兵", "我姥爷当过兵")
    assert not may_merge("I owe my brother money", "My brother owes me money")


def test_what_belongs_to_a_country_may_be_named_by_either_word() -> None:
    assert may_merge("Our data stays in Germany", "Our data stays on German soil")
    assert not may_merge("Our data stays in Germany", "Our data stays on French soil")


def test_the_passive_turns_the_names_and_nothing_else_does() -> None:
    assert may_merge("Peter hired Mary", "Mary was hired by Peter")
    assert not may_merge("Peter hired Mary", "Mary hired Peter")
