"""Extraction: sentences, and what becomes of each as a draft of a memory."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.drafts import Draft, Said
from ledger.extraction import extract, sentences
from ledger.extraction.language import table
from ledger.models import Kind
from ledger.policy.extraction import Extraction

SHANGHAI = ZoneInfo("Asia/Shanghai")
# A Wednesday.
AT = datetime(2023, 5, 24, 15, 0, tzinfo=SHANGHAI)


def said(text: str, speaker: str = "") -> Said:
    return Said(text=text, at=AT, zone=SHANGHAI, speaker=speaker)


def drafts_of(text: str, speaker: str = "", policy: Extraction | None = None) -> list[Draft]:
    return extract(said(text, speaker), sentences(text), policy or Extraction(), None)


def only(text: str, speaker: str = "") -> Draft:
    (draft,) = drafts_of(text, speaker)
    return draft


def parts(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


class TestSentences:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("水开了。我泡了茶！你呢？", ["水开了。", "我泡了茶！", "你呢？"]),
            ("I ran. It rained; I ran on!", ["I ran.", "It rained;", "I ran on!"]),
            ("one\ntwo\n\nthree", ["one", "two", "three"]),
            ("Dr. Smith paid 3.50 dollars. Good.", ["Dr. Smith paid 3.50 dollars.", "Good."]),
            ("We met at 5 p.m. near St. Paul. Ok.", ["We met at 5 p.m. near St. Paul.", "Ok."]),
            (
                "See https://a.org/b?c=1.2!x for it. Yes",
                ["See https://a.org/b?c=1.2!x for it.", "Yes"],
            ),
            ("He said “Go. Now!” and left. I stayed", ["He said “Go. Now!” and left.", "I stayed"]),
            ("我去了（人很多。真的！）公园。好", ["我去了（人很多。真的！）公园。", "好"]),
            ("1. 买牛奶 2. 买鸡蛋 3. 交电费", ["1. 买牛奶", "2. 买鸡蛋", "3. 交电费"]),
            ("Todo: 1. buy milk. 2. rest", ["Todo:", "1. buy milk.", "2. rest"]),
            ("i like it... maybe not", ["i like it... maybe not"]),
            ("我叫小明，住在上海", ["我叫小明，住在上海"]),
            ("Good 😀😀! 🎉", ["Good 😀😀! 🎉"]),
            ("  ", []),
        ],
    )
    def test_a_text_is_cut_where_its_parts_stand_alone(
        self, text: str, expected: list[str]
    ) -> None:
        assert parts(text) == expected

    @pytest.mark.parametrize("unit", ["我修了车。", "word ", "字", "no end, ", "(", "1. "])
    def test_of_a_very_long_text_nothing_is_lost(self, unit: str) -> None:
        """L13: 20,000 characters give many spans, none too long, which together hold all."""
        text = (unit * 20_000)[:20_000]
        spans = sentences(text)
        assert len(spans) > 20
        assert max(end - start for start, end in spans) <= Extraction().longest_sentence
        assert "".join(parts(text)).replace(" ", "") == text.replace(" ", "")


class TestContent:
    def test_it_is_in_the_words_and_the_language_of_the_person(self) -> None:
        """L5: Chinese in, Chinese out."""
        assert only("我上周去了巴黎。").content == "我上周去了巴黎。"
        assert only("我對貓毛過敏").content == "我對貓毛過敏"

    def test_a_negation_stays_in_it(self) -> None:
        """L15: the whole fact, and not only its "never"."""
        draft = only("Never store the backups on the laptop disk, the audit forbids it.")
        assert draft.content == "Never store the backups on the laptop disk, the audit forbids it."

    def test_no_name_is_made_up(self) -> None:
        """Q9: who gave no name has none."""
        for text in ("I like tea", "我喜欢喝茶", "I am tired", "他叫小红，住在广州"):
            assert all(draft.attribute != "name" for draft in drafts_of(text))

    def test_a_named_speaker_stands_before_it(self) -> None:
        draft = only("I live in Oslo", speaker="[NAME_3]")
        assert draft.content == "[NAME_3]: I live in Oslo"
        assert (draft.span, draft.value) == ((0, 14), "Oslo")
        assert draft.details["about"] == "[NAME_3]"
        assert "about" not in only("I live in Oslo").details

    @pytest.mark.parametrize(
        ("text", "contents"),
        [
            ("我叫[NAME_1]，住在上海，对花生过敏", ["我叫[NAME_1]", "住在上海", "对花生过敏"]),
            (
                "My name is Tom and I live in Paris, and I'm allergic to nuts.",
                ["My name is Tom", "I live in Paris", "I'm allergic to nuts."],
            ),
            ("因为我对花生过敏，所以我不吃花生", ["我对花生过敏", "我不吃花生"]),
            ("I like hiking because I live in Denver", ["I like hiking because I live in Denver"]),
            ("早上我修了自行车，换了轮胎，很顺利。", ["早上我修了自行车，换了轮胎，很顺利。"]),
        ],
    )
    def test_separate_facts_become_drafts_of_their_own_and_nothing_is_stored_twice(
        self, text: str, contents: list[str]
    ) -> None:
        drafts = drafts_of(text)
        assert [draft.content for draft in drafts] == contents
        assert all(one.span[1] <= other.span[0] for one, other in pairwise(drafts))

    def test_greetings_and_questions_beside_a_fact_are_left_out(self) -> None:
        assert only("你好，我叫[NAME_1]，很高兴认识你。").content == "我叫[NAME_1]"
        assert only("我很喜欢喝茶，你有什么推荐吗？").content == "我很喜欢喝茶"
        assert only("How do I cook rice?").content == "How do I cook rice?"

    def test_what_is_admitted_gives_drafts_and_nothing_else_does(self) -> None:
        text = "I like tea. Ok. ,,,"
        spans = sentences(text)
        assert extract(said(text), [spans[0]], Extraction(), None)[0].content == "I like tea."
        assert extract(said(text), [], Extraction(), None) == []
        assert len(extract(said(", ,"), [(0, 3)], Extraction(), None)) == 1


class TestKinds:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("I live in Oslo", Kind.FACT),
            ("我有高血压", Kind.FACT),
            ("I love jazz", Kind.PREFERENCE),
            ("我不喜欢香菜", Kind.PREFERENCE),
            ("I went to Paris last week", Kind.EVENT),
            ("昨天我们去看了电影", Kind.EVENT),
            ("Tomorrow we're going to the zoo", Kind.EVENT),
            ("我打算明年去日本", Kind.EVENT),
            ("Remind me to call mum", Kind.COMMITMENT),
            ("I promised to call mum on Sunday", Kind.COMMITMENT),
            ("我答应周日去看妈妈", Kind.COMMITMENT),
            ("我周五之前必须交论文", Kind.COMMITMENT),
            ("Always answer in Chinese", Kind.INSTRUCTION),
            ("Please don't use emojis", Kind.INSTRUCTION),
            ("以后都用中文回答", Kind.INSTRUCTION),
            ("回答尽量简短一点", Kind.INSTRUCTION),
            # Told to remember a fact, the agent is not told how to behave.
            ("Remember that I'm allergic to nuts", Kind.FACT),
            ("记住，我对花生过敏", Kind.FACT),
            # Asked what happened or what is liked, and told neither.
            ("Did it rain yesterday?", Kind.FACT),
            ("昨天下雨了吗？", Kind.FACT),
        ],
    )
    def test_the_kind_is_told_by_the_words(self, text: str, kind: Kind) -> None:
        assert drafts_of(text)[-1].kind == kind

    def test_who_wants_another_name_gives_a_rule_and_a_slot(self) -> None:
        for text, name in (("以后叫我老王", "老王"), ("Call me Al from now on", "Al")):
            draft = only(text)
            assert (draft.kind, draft.attribute, draft.value) == (
                Kind.INSTRUCTION,
                "nickname",
                name,
            )
        assert only("别叫我先生").attribute == ""

    def test_a_fact_about_the_speaker_is_no_rule_for_the_agent(self) -> None:
        draft = only("Please don't suggest nuts because I'm allergic to nuts")
        assert (draft.kind, draft.attribute) == (Kind.FACT, "allergy")

    def test_what_has_to_be_done_now_is_no_commitment(self) -> None:
        assert only("I have to go now").kind == Kind.FACT
        assert "due_at" not in only("I have to go now").details

    def test_a_duty_that_is_denied_is_none(self) -> None:
        assert only("I don't have to submit by Friday").kind == Kind.FACT
        assert only("I have to submit by Friday").kind == Kind.COMMITMENT

    def test_the_rules_that_decided_are_named_in_order(self) -> None:
        decided = only("I moved to Berlin last week").decided_by
        assert decided[0] == "pattern:home_city"
        assert decided[1].startswith("date:")


class TestIntents:
    @pytest.mark.parametrize(
        ("text", "intent"),
        [
            ("Which of the two phones is cheaper?", "compare_price"),
            ("哪家的手机更便宜？", "compare_price"),
            ("I ordered a new bike", "purchase"),
            ("我买了一台新相机", "purchase"),
            ("How do I install pip?", "ask_help"),
            ("一运行就报错", "report_problem"),
            ("Thank you so much!", "thank"),
        ],
    )
    def test_without_an_encoder_keywords_tell_it(self, text: str, intent: str) -> None:
        assert only(text).details["intent"] == intent

    def test_with_one_the_nearest_prototypes_tell_it_and_the_kind(self) -> None:
        draft = self._told("Zorp the blue gadget", like="purchase")
        assert draft.details["intent"] == "purchase"
        assert (draft.kind, draft.decided_by) == (Kind.EVENT, ("prototype:purchase",))

    def test_what_is_far_from_all_has_none(self) -> None:
        draft = self._told("Zorp the blue gadget", like="")
        assert "intent" not in draft.details
        assert draft.decided_by == ("default:fact",)

    def test_patterns_outrank_prototypes(self) -> None:
        assert self._told("I live in Oslo", like="purchase").decided_by == ("pattern:home_city",)

    def test_prototypes_are_encoded_once_for_an_encoder(self) -> None:
        sizes: list[int] = []

        def counted(texts: Sequence[str]) -> np.ndarray:
            sizes.append(len(texts))
            return np.ones((len(texts), 3))

        for _ in range(2):
            encode = lambda texts: counted(texts)  # noqa: E731 - another callable each time
            extract(said("I am here"), [(0, 9)], Extraction(), encode, "counted")
        assert sorted(sizes)[:2] == [1, 1]
        assert len(sizes) == 3

    def _told(self, text: str, *, like: str) -> Draft:
        """An encoder that gives each intent a direction of its own, and the text that of one."""
        codes = list(table("intents"))
        known = {one: code for code in codes for one in table("intents")[code]["en"]}

        def encode(texts: Sequence[str]) -> np.ndarray:
            rows = np.zeros((len(texts), len(codes)))
            for row, one in zip(rows, texts, strict=True):
                code = known.get(one, like)
                row[:] = 0.07 if code == "" else 0.0
                if code:
                    row[codes.index(code)] = 1.0
            return rows

        (draft,) = extract(said(text), [(0, len(text))], Extraction(), encode)
        return draft


class TestTroublesAndSurroundings:
    @pytest.mark.parametrize(
        ("text", "count"),
        [
            ("第三次问怎么安装 pip 了", 3),
            ("第12次报错了", 12),
            ("this is the third time I ask how to install pip", 3),
            ("again the build fails with exit code 1", None),
            ("I keep getting error 500", None),
            ("又报错了", None),
        ],
    )
    def test_a_trouble_that_comes_back_is_marked(self, text: str, count: int | None) -> None:
        draft = only(text)
        assert draft.details["pattern"] == "recurring_problem"
        assert draft.details.get("count") == count
        assert draft.kind == Kind.FACT
        assert draft.importance > only("The build is done").importance

    def test_a_first_trouble_is_not(self) -> None:
        assert "pattern" not in only("The build fails").details

    @pytest.mark.parametrize(
        ("text", "key", "value"),
        [
            ("The app crashes on my iPhone", "device", "iPhone"),
            ("我用手机打不开", "device", "手机"),
            ("I talked to him via WhatsApp", "channel", "WhatsApp"),
            ("用微信跟客户聊了项目", "channel", "微信"),
            ("I'm at home", "place", "home"),
            ("在公司开了会", "place", "公司"),
        ],
    )
    def test_place_device_and_channel_are_in_the_words_of_the_text(
        self, text: str, key: str, value: str
    ) -> None:
        assert only(text).details[key] == value

    def test_a_text_that_names_none_has_none(self) -> None:
        assert not {"place", "device", "channel"} & set(only("I come from my home country").details)


class TestWeights:
    def test_health_weighs_more_than_a_like_and_a_like_more_than_a_small_event(self) -> None:
        texts = ("I'm allergic to nuts", "I like tea", "I watched a film yesterday")
        weights = [only(text).importance for text in texts]
        assert weights == sorted(weights, reverse=True)
        assert len(set(weights)) == 3

    def test_emphasis_adds_and_the_scale_is_kept(self) -> None:
        assert only("I like tea!!!").importance == only("I like tea").importance + 1
        loud = Extraction(emphasis_bonus=5)
        assert drafts_of("Remember that I'm allergic to nuts!!!", policy=loud)[0].importance == 10

    def test_small_talk_weighs_less_unless_it_tells_something(self) -> None:
        malus = Extraction().small_talk_malus
        assert only("Good morning!").importance == only("The door is red").importance - malus
        assert only("Hello, I like tea").importance == only("I like tea").importance

    def test_the_policy_tunes_it(self) -> None:
        policy = Extraction(importance={"likes": 2})
        assert drafts_of("I like tea", policy=policy)[0].importance == 5
        policy = Extraction(importance={"likes": 9})
        assert drafts_of("I like tea", policy=policy)[0].importance == 9
        assert policy.importance["allergy"] == Extraction().importance["allergy"]

    @pytest.mark.parametrize(
        ("text", "confidence"),
        [
            ("I live in Oslo", 1.0),
            ("Maybe I'm allergic to nuts", 0.6),
            ("我好像对花粉过敏", 0.6),
            ("My doctor said I have asthma", 0.7),
            ("听说他住在北京", 0.7),
        ],
    )
    def test_what_is_hedged_or_reported_is_less_sure(self, text: str, confidence: float) -> None:
        assert only(text).confidence == confidence

    @pytest.mark.parametrize(
        ("text", "polarity"),
        [
            ("I like tea", 1),
            ("I don't like tea", -1),
            ("我讨厌开会", -1),
            ("支持退款", 1),
            ("不支持退款", -1),
        ],
    )
    def test_polarity_is_that_of_the_words(self, text: str, polarity: int) -> None:
        assert only(text).polarity == polarity


def test_the_polarity_of_a_slot_is_not_that_of_other_clauses() -> None:
    assert only("I never win anything, I just like playing chess").polarity == 1


HARD = st.text(
    st.sampled_from(
        "我在住上海叫 IiamnotliveinOslo'1.。，,；？!“”\"()[]NAME_第次年月\n\x00\ud83d\u202e🎉"
    ),
    max_size=120,
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), HARD), st.sampled_from(["", "[NAME_2]"]))
def test_no_text_breaks_it(text: str, speaker: str) -> None:
    spans = sentences(text)
    kept = "".join("".join(text[start:end].split()) for start, end in spans)
    assert kept == "".join(text.split())
    for draft in extract(said(text, speaker), spans, Extraction(), None):
        start, end = draft.span
        assert 0 <= start < end <= len(text)
        assert draft.content == (f"{speaker}: " if speaker else "") + text[start:end]
        assert draft.value is None or draft.value in text
        assert 1 <= draft.importance <= 10
        assert 0 <= draft.confidence <= 1
        assert draft.valid_from is not None
        assert draft.valid_from.tzinfo is not None
