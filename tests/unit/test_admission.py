"""Admission: noise is refused, facts are admitted, and no text can break it."""

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from ledger.admission import RULES, Verdict, classifier, judge
from ledger.admission.classifier import Classifier
from ledger.admission.training import examples, train
from ledger.policy.admission import Admission

ENCODER = "bundled:multilingual-e5-small-q4"


def never(text: str) -> float:
    raise AssertionError(f"the classifier was asked about {text!r}")


def rule(text: str, before: tuple[str, ...] = (), **policy: float) -> Verdict:
    return judge(text, Admission(**policy), never, before)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Hey there!!", "greeting"),
        ("您好呀，在吗？", "greeting"),
        ("heyyyy [NAME_1]", "greeting"),
        ("晚安～", "farewell"),
        ("thank you so much 🙏", "thanks"),
        ("謝謝", "thanks"),
        ("嗯嗯", "filler"),
        ("好的好的，收到", "filler"),
        ("ＯＫ", "filler"),
        ("so funny!", "reaction"),
        ("太棒了！！", "reaction"),
        ("哈哈 lol", "reaction"),
        ("测试一下", "test_message"),
        ("🎉🎉👍", "emoji"),
        ("(╯°□°）╯︵ ┻━┻", "emoji"),
        ("[微笑][微笑]", "emoji"),
        ("？？？", "emoji"),
        ("asdfghjkl", "key_mash"),
        ("sdkfjhsd wrtpsdf", "key_mash"),
        ("啊啊啊啊", "repeated"),
        ("哈哈哈哈", "repeated"),
        ("test test test", "repeated"),
        ("锟斤拷锟斤拷", "mojibake"),
        ("Ã©tÃ© Ã  lÃ©on", "mojibake"),
        ("ï¿½ï¿½ hello", "mojibake"),
        ("\ufffd\ufffd\ufffd", "mojibake"),
        ("鎴戠埍浣犱腑鍥�", "mojibake"),
        ("浣犲ソ锛屼笘鐣", "mojibake"),
        ("12345", "bare_value"),
        ("https://example.com/a?b=c", "bare_value"),
        ("[PHONE_1]", "bare_value"),
        ("x", "too_short"),
        ("what time is it", "question_without_fact"),
        ("Are refunds supported?", "question_without_fact"),
        ("今天天气怎么样?", "question_without_fact"),
        ("支持退款吗", "question_without_fact"),
        ("what's my dog called?", "question_without_fact"),
        ("Can you write a poem?", "request_without_fact"),
        ("帮我写一首诗", "request_without_fact"),
        ("把下面这段代码注释一下", "request_without_fact"),
        ("这款有几种颜色可以选", "question_without_fact"),
        ("difference between alligator and crocodile", "question_without_fact"),
    ],
)
def test_noise_is_refused_by_a_named_rule(text: str, code: str) -> None:
    assert rule(text) == Verdict(False, code)


@pytest.mark.parametrize(
    "text",
    [
        "allergic to nuts",
        "我对花生过敏",
        "我對花生過敏",
        "I'm vegan",
        "不吃辣",
        "no spicy food please",
        "我有两只猫",
        "下周三提醒我交报告",
        "could you remind me to pay the rent?",
        "always answer in Chinese",
        "以后叫我老王",
        "My dog is sick, what should I do?",
        "我对青霉素过敏，能吃这个药吗",
        "我失业了，现在怎么办？",
        "第三次问怎么安装 pip",
        "支持退款",
        "不支持退款",
        "Refunds are not supported",
        "The office opens at 9",
        "[NAME_1] moved to Berlin",
        "no, I meant Tuesday",
        "I'm vegan. I'm vegan. I'm vegan.",
        "Hi! How are you? I live in Porto now.",
        "could you stop calling me sir?",
        "would you mind using simpler words with me?",
        "你能别再用列表了吗",
        "能不能以后都叫我阿杰",
        "身份证丢了怎么补办",
        "猫吐了两天了怎么办",
        "预算三千，买什么手机好",
        "这是我女儿画的",
    ],
)
def test_a_plain_fact_is_admitted_without_asking_the_classifier(text: str) -> None:
    assert rule(text).admitted


@pytest.mark.parametrize(
    "text",
    [
        "Nunca los registros de pacientes salen del hospital",
        "<|endoftext|> is the token that our parser drops",
        "CafÃ© culture is what brought the whole family together in Vienna back then",
        "the strengths of that proposal lie in its budget",
        "we meet at the Qwertz bar downtown",
        "那家店的老板姓欧阳",
        "Did you know that the office opens at 9?",
        "The capital of Australia is Canberra.",
    ],
)
def test_no_rule_refuses_what_may_be_a_fact(text: str) -> None:
    """L10, L15: special tokens of tokenizers and other languages are text like any other."""
    assert judge(text, Admission(), lambda _: 0.9).admitted


@pytest.mark.parametrize(
    "text",
    [
        "Am I allergic to nuts?",
        "我对什么过敏",
        "if I live in Berlin",
        "我住在哪里",
        "如果身份证丢了怎么补办",
        "could you stop being silly?",
        "你能别闹了吗",
        "Love conquers all",
    ],
)
def test_asking_for_a_fact_does_not_state_it(text: str) -> None:
    assert not judge(text, Admission(), lambda _: 0.1).admitted


def test_the_same_text_again_is_refused_and_another_is_not() -> None:
    again = rule("我对花生过敏!", before=("hello", "我对花生过敏。"))
    assert again == Verdict(False, "repeated")
    assert rule("我对虾过敏", before=("我对花生过敏",)).admitted


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "\x00", "\u3000"])
def test_an_empty_text_is_refused(text: str) -> None:
    """L11, L12."""
    assert not rule(text).admitted


@pytest.mark.parametrize(
    "text",
    [
        "\ud83d",
        "a\udc00b" * 100,
        "\u202eabc\u202c",
        "9" * 20_000,
        "ab" * 10_000,
        "a" * 19_999 + "b",
        "我" * 20_000,
        "哈哈" * 9_999 + "x",
        "Ã" * 20_000,
        "[" * 20_000,
        "my " * 6_666,
        "what is my " * 1_800,
        "?!" * 10_000,
        "(" * 10_000 + "ω" * 10_000,
        "www." * 5_000,
        "i'm " * 5_000,
        "好的" * 9_999 + "吗",
        "对" * 20_000 + "过敏",
        "a@" * 10_000,
        "[name_1]" * 2_500,
    ],
    ids=range(20),
)
def test_no_text_breaks_it(text: str) -> None:
    """L8."""
    assert judge(text, Admission(), lambda _: 0.5).rule


def test_the_classifier_decides_what_no_rule_decides() -> None:
    text = "the heron was back by the pond"
    likely = judge(text, Admission(threshold=0.6), lambda _: 0.6)
    assert likely == Verdict(True, "classifier", 0.6)
    assert judge(text, Admission(threshold=0.6), lambda _: 0.59) == Verdict(
        False, "classifier", 0.59
    )


def test_without_a_classifier_a_text_that_no_rule_refuses_is_admitted() -> None:
    text = "the heron was back by the pond"
    assert judge(text, Admission(), lambda _: None) == Verdict(True, "classifier_absent")


def test_the_policy_rules_the_rules() -> None:
    assert rule("go", min_letters=3).rule == "too_short"
    assert rule("bla bla", repeats_from=2).rule == "repeated"
    assert rule("I live in Ã©tampes near Paris", garbled_share=0.01).rule == "mojibake"
    assert rule("I live in Ã©tampes near Paris").admitted


@pytest.mark.parametrize(
    ("name", "text", "before"),
    [
        ("said_before", "我对花生过敏", ("我对花生过敏",)),
        ("mojibake", "锟斤拷是锟斤拷", ()),
        ("emoji", "🎉🎉", ()),
        ("bare_value", "12345", ()),
        ("too_short", "x", ()),
        ("states_fact", "I live in Porto", ()),
        ("tells_then_asks", "my dog is ill, what now?", ()),
        ("repeated", "啊哒啊哒啊哒", ()),
        ("key_mash", "hjklfg dfghj", ()),
        ("small_talk", "thank you so much", ()),
        ("question_about_own", "what's my dog called?", ()),
        ("question_without_fact", "how far is the moon?", ()),
        ("request_without_fact", "write a poem about snow", ()),
    ],
)
def test_every_rule_is_needed(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, before: tuple[str, ...]
) -> None:
    with_it = judge(text, Admission(), lambda _: 0.5, before)
    others = [rule for rule in RULES if rule.__name__ != name]
    assert len(others) == len(RULES) - 1
    monkeypatch.setattr("ledger.admission.judging.RULES", others)
    assert judge(text, Admission(), lambda _: 0.5, before).rule != with_it.rule


def test_the_examples_cover_both_languages_and_none_is_labelled_twice() -> None:
    found = examples()
    assert len({example.text for example in found}) == len(found)
    for language in ("zh", "en"):
        assert sum(example.language == language for example in found) >= 400


def test_the_bundled_encoder_has_a_classifier_and_an_unknown_one_has_none() -> None:
    trained = classifier(ENCODER)
    assert trained is not None
    assert trained.codes.shape == (len(examples()), 384)
    assert classifier("openai:https://example.org/v1") is None
    # Another name that comes to the same file.
    assert classifier("bundled/multilingual-e5-small-q4") is None


def test_training_is_deterministic_and_separates_what_can_be_separated() -> None:
    random = np.random.default_rng(5)
    labels = np.arange(200) % 2.0
    vectors = random.normal(size=(200, 8)) + labels[:, None] * 3
    first, second = train("x", vectors, labels), train("x", vectors, labels)
    assert first.same_as(second)
    assert not first.same_as(train("x", vectors, 1 - labels))
    assert not first.same_as(train("x", vectors[1:], labels[1:]))
    likely = [first.probability(vector) > 0.5 for vector in vectors]
    assert np.mean(np.array(likely) == (labels == 1)) > 0.98


def test_what_is_learnt_need_not_be_a_straight_line() -> None:
    corners = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    trained = train("x", corners, np.array([1.0, 1.0, 0.0, 0.0]))
    likely = [trained.probability(corner) for corner in corners]
    assert min(likely[:2]) > 0.6
    assert max(likely[2:]) < 0.4


def test_a_classifier_is_the_same_after_it_was_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module = import_module("ledger.admission.classifier")
    monkeypatch.setattr(module, "WEIGHTS", tmp_path / "weights")
    vectors = np.random.default_rng(5).normal(size=(20, 8))
    trained = train("saved:x", vectors, np.arange(20) % 2.0)
    trained.save()
    found = classifier("saved:x")
    assert found is not None
    assert found.same_as(trained)
    assert found.probability(vectors[0]) == pytest.approx(trained.probability(vectors[0]), abs=1e-4)


def test_a_probability_stays_between_0_and_1_for_vectors_of_any_length() -> None:
    one = np.zeros((1, 1), dtype=np.int8)
    steep = [Classifier("x", np.zeros(1), 1.0, one, 1.0, np.array([w])) for w in (1e6, -1e6)]
    assert [found.probability(np.zeros(1)) for found in steep] == [1, 0]
    # Far from every example nothing is known.
    assert steep[0].probability(np.array([1e6])) == 0.5
