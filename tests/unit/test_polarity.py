"""Polarity: what a text denies, and what it is for or against, in Chinese and English."""

import pytest

from ledger.polarity import denied, folded, leaning, negated, stance


@pytest.mark.parametrize(
    "text",
    [
        "不支持退款",
        "不支援退貨",
        "我没有车",
        "我沒有車",
        "他未到场",
        "我无法登录",
        "我無法登入",
        "别给我打电话",
        "我不再抽烟",
        "他从不迟到",
        "我对服务不满意",
        "我不同意这个方案",
        "[NAME_1]对猫不过敏",
        "对不起，我不能去",
        "I don't like tea",
        "I don’t like tea",
        "I dont like tea",
        "I cannot swim",
        "I never smoke",
        "我never迟到",
        "She no longer lives here",
        "coffee without sugar",
        "There are no refunds",
        "Je ne mange jamais de viande",
        "Ich esse nicht gern Fisch",
    ],
)
def test_a_denial_is_negated(text: str) -> None:
    assert negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "支持退款",
        "这家店不错",
        "我不得不加班",
        "差不多好了",
        "他不但会英语还会法语",
        "我非常喜欢爬山",
        "不知不觉天黑了",
        "对不起",
        "我特别喜欢爬山",
        "她有没有猫",
        "你喜不喜欢咖啡",
        "我未来想去日本",
        "not only tea",
        "no wonder he left",
        "nothing but trouble",
        "No, I like tea",
        "Please read No. 5",
        "Payment is due no later than Friday",
        "It is good, isn't it?",
    ],
)
def test_what_only_looks_like_a_denial_is_not_negated(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize(
    "text", ["我不是不喜欢他", "没有不散的宴席", "I can't not go", "not without help"]
)
def test_two_negations_make_an_assertion(text: str) -> None:
    assert not negated(text)


@pytest.mark.parametrize(
    "text",
    [
        "He never fails to call",
        "It's not uncommon",
        "我离不开咖啡",
        "他无时无刻不在看手机",
        "密码不能少于8位",
        "这话不无道理",
    ],
)
def test_two_negations_in_one_phrase_deny_nothing(text: str) -> None:
    assert not negated(text)


def test_a_negation_stands_before_what_it_begins_like() -> None:
    assert negated("上班不无聊了")


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Opera is torture for me", -1),
        ("You can bring your dog", 1),
        ("You can't pay by card", -1),
        ("She won't get on a plane", -1),
        ("滑雪最带劲", 1),
        ("下雨天让我心烦", -1),
        ("I hate opera", -1),
        ("I ski every winter", None),
        ("退货只能邮寄", None),
    ],
)
def test_a_word_may_suggest_a_stance_without_taking_one(text: str, sign: int | None) -> None:
    assert leaning(text) == sign


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("the lift isn't working, sorry", " working"),
        ("这条路走不通", "路走通"),
        ("parking costs nothing", "costs "),
        ("我没有车", "车"),
    ],
)
def test_what_a_negation_bears_on_stands_behind_it_or_is_its_verb(text: str, scope: str) -> None:
    assert denied(text) == [scope]


@pytest.mark.parametrize("text", ["Nunca los registros se borran", "No me gusta el café"])
def test_spanish_negation_is_heard(text: str) -> None:
    """L15"""
    assert negated(text)


def test_spanish_says_no_and_never_for_one_negation() -> None:
    """L15"""
    assert negated("No fumo casi nunca")


@pytest.mark.parametrize(
    "text",
    [
        "I love coffee",
        "我喜欢跑步",
        "我愛貓",
        "支持退款",
        "可以带宠物",
        "Pets are allowed",
        "我不讨厌开会",
        "He doesn't hate it",
    ],
)
def test_what_is_liked_or_allowed_has_a_positive_stance(text: str) -> None:
    assert stance(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        "I hate coffee now",
        "I don't like tea",
        "I can't stand cilantro",
        "我讨厌开会",
        "我討厭開會",
        "我现在不喜欢跑步了",
        "禁止携带宠物",
        "不可以带宠物",
        "Nobody likes it",
        "I'm not a fan of jazz",
    ],
)
def test_what_is_disliked_or_forbidden_has_a_negative_stance(text: str) -> None:
    assert stance(text) == -1


@pytest.mark.parametrize(
    "text",
    [
        "I'm allergic to peanuts",
        "我对花生过敏",
        "It looks like rain",
        "I'd like a refund",
        "我在技术支持部门",
        "我的爱好是摄影",
        "I used to love coffee",
    ],
)
def test_what_is_neither_for_nor_against_has_no_stance(text: str) -> None:
    assert stance(text) is None


def test_a_stance_about_now_is_heard_before_an_earlier_one() -> None:
    assert stance("I loved the place at first, now I hate it") == -1
    assert stance("我以前喜欢咖啡，现在不喜欢了") == -1


def test_a_reason_that_follows_does_not_turn_the_stance() -> None:
    assert stance("I like the train because I don't drive") == 1


def test_spelling_is_folded_to_one() -> None:
    assert folded("我不喜歡ＡＰＩ’") == "我不喜欢api'"


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "\u202e不", "9" * 100_000, "ne x " * 4_000])
def test_no_text_breaks_it(text: str) -> None:
    assert negated(text) in {True, False}
    assert stance(text) in {1, -1, None}
