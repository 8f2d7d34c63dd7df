"""Extraction: how a sentence parts into drafts, what is left out, what goes together."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from ledger.drafts import Draft, Said
from ledger.extraction import clauses, extract, language, reading, sentences, slots, trimming
from ledger.models import Kind
from ledger.policy.extraction import Extraction

SHANGHAI = ZoneInfo("Asia/Shanghai")
# A Wednesday.
AT = datetime(2023, 5, 24, 15, 0, tzinfo=SHANGHAI)


def drafts_of(text: str, policy: Extraction | None = None) -> list[Draft]:
    said = Said(text=text, at=AT, zone=SHANGHAI)
    return extract(said, sentences(text), policy or Extraction(), None)


def only(text: str) -> Draft:
    (draft,) = drafts_of(text)
    return draft


def contents(text: str) -> list[str]:
    return [draft.content for draft in drafts_of(text)]


class TestParts:
    @pytest.mark.parametrize(
        ("text", "fact", "task"),
        [
            (
                "我的电话是[PHONE_1]，下周三提醒我交报告",
                "我的电话是[PHONE_1]",
                "下周三提醒我交报告",
            ),
            (
                "My phone number is [PHONE_1], and remind me next Wednesday to hand it in",
                "My phone number is [PHONE_1]",
                "remind me next Wednesday to hand it in",
            ),
        ],
    )
    def test_a_fact_and_a_task_of_one_sentence_are_two_drafts(
        self, text: str, fact: str, task: str
    ) -> None:
        first, second = drafts_of(text)
        assert (first.content, first.kind, first.attribute) == (fact, Kind.FACT, "phone")
        assert (second.content, second.kind, second.attribute) == (task, Kind.COMMITMENT, "")
        assert second.details["due_at"] == "2023-05-31T01:00:00+00:00"

    def test_so_they_are_the_other_way_round(self) -> None:
        kinds = [draft.kind for draft in drafts_of("下周三提醒我交报告，我的电话是[PHONE_1]")]
        assert kinds == [Kind.COMMITMENT, Kind.FACT]

    @pytest.mark.parametrize(
        "text", ["我叫小明，昨天去了公园", "I live in Oslo, and yesterday I went to the park"]
    )
    def test_what_happened_beside_a_slot_is_an_event_of_its_own(self, text: str) -> None:
        slot, event = drafts_of(text)
        assert slot.attribute
        assert (event.kind, event.attribute) == (Kind.EVENT, "")
        assert event.details["occurred_from"] == "2023-05-22T16:00:00+00:00"

    def test_but_not_if_it_tells_of_somebody_named_before(self) -> None:
        text = "My daughter Emma is five, and yesterday she lost a tooth"
        assert contents(text) == [text]

    @pytest.mark.parametrize(
        ("text", "slots"),
        [
            (
                "I'm a 30-year-old teacher from Chicago",
                {"age": "30", "job_title": "teacher", "hometown": "Chicago"},
            ),
            (
                "I'm 32, married and from Leeds.",
                {"age": "32", "marital_status": "married", "hometown": "Leeds"},
            ),
            (
                "I'm [NAME_1], a nurse from Oslo",
                {"name": "[NAME_1]", "job_title": "nurse", "hometown": "Oslo"},
            ),
            ("我是来自成都的[NAME_1]", {"hometown": "成都", "name": "[NAME_1]"}),
            (
                "我是一名来自北京的30岁程序员",
                {"hometown": "北京", "age": "30", "job_title": "程序员"},
            ),
        ],
    )
    def test_several_slots_of_the_same_words_are_one_draft(
        self, text: str, slots: dict[str, str]
    ) -> None:
        draft = only(text)
        assert {draft.attribute: draft.value} | draft.details["slots"] == slots
        assert draft.attribute not in draft.details["slots"]
        assert {f"pattern:{name}" for name in slots} <= set(draft.decided_by)

    def test_where_one_slot_stands_alone_there_are_no_further_ones(self) -> None:
        assert "slots" not in only("I'm a teacher").details
        assert "slots" not in only("I'm not a teacher from Chicago").details

    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ("我喜欢唱歌，健身，旅游", ["唱歌", "健身", "旅游"]),
            ("我喜欢苹果，香蕉和梨，不喜欢榴莲", ["苹果", "香蕉", "梨"]),
            ("I like tea, coffee and juice but I hate milk", ["tea", "coffee", "juice"]),
        ],
    )
    def test_commas_part_the_things_of_a_list(self, text: str, values: list[str]) -> None:
        assert drafts_of(text)[0].details["values"] == values

    def test_a_clause_after_a_comma_is_no_thing_of_the_list(self) -> None:
        for text in ("我喜欢猫，真的很可爱", "我喜欢跑步，每天都去", "我喜欢茶，你呢？"):
            assert "values" not in drafts_of(text)[0].details


class TestDates:
    @pytest.mark.parametrize(
        "text", ["去年我住在北京，在百度工作", "In 2022 I moved to Oslo and started at Equinor"]
    )
    def test_a_date_holds_for_the_clauses_after_it(self, text: str) -> None:
        begin = datetime(2022, 1, 1, tzinfo=SHANGHAI)
        drafts = drafts_of(text)
        assert [draft.attribute for draft in drafts] == ["home_city", "employer"]
        assert [draft.valid_from for draft in drafts] == [begin, begin]

    @pytest.mark.parametrize(
        "text",
        [
            "去年我结婚了，住在上海",
            "我的生日是1990年5月3日，住在上海",
            "去年我住在北京，现在住在上海",
            "In 2022 I got married and I live in Oslo",
        ],
    )
    def test_not_for_what_holds_still_nor_if_it_is_a_value(self, text: str) -> None:
        last = drafts_of(text)[-1]
        assert (last.attribute, last.valid_from, last.valid_to) == ("home_city", AT, None)


class TestLeftOut:
    @pytest.mark.parametrize(
        "text",
        [
            "那你有没有什么建议可以帮助我理清职业方向呢",
            "能不能帮我推荐几本书？",
            "你觉得学习新技能有什么好处吗？",
            "Can you recommend a good book?",
            "How have you been?",
            "Any tips for me?",
        ],
    )
    def test_a_question_to_the_agent_is_no_memory(self, text: str) -> None:
        assert drafts_of(text) == []

    @pytest.mark.parametrize(
        "text", ["你能提醒我明天三点开会吗？", "Could you remind me tomorrow at 3pm to call?"]
    )
    def test_a_task_that_is_asked_for_is_one(self, text: str) -> None:
        assert only(text).kind == Kind.COMMITMENT

    @pytest.mark.parametrize(
        ("text", "content"),
        [
            ("最近我在学习烹饪，有什么好的菜谱可以推荐吗？", "最近我在学习烹饪"),
            ("我男朋友跟我分手了，你说我该怎么办呢？", "我男朋友跟我分手了"),
            ("谢谢你AI伴侣，我打算明年去日本。", "我打算明年去日本。"),
            ("嗯，是的，我们搬家了。", "我们搬家了。"),
            ("你知道吗，我怀孕了", "我怀孕了"),
            ("Thanks, [NAME_2], I painted that lake last year!", "I painted that lake last year!"),
            ("Yeah, we met at school, [NAME_2].", "we met at school"),
            ("I sold the car, what do you think?", "I sold the car"),
        ],
    )
    def test_thanks_vocatives_and_questions_beside_a_fact_are_left_out(
        self, text: str, content: str
    ) -> None:
        assert only(text).content == content

    def test_who_does_not_know_what_to_do_tells_something(self) -> None:
        for text in ("今天我感到有些疲倦，不知道该怎么办。", "I don't know what to do, honestly."):
            assert contents(text) == [text]

    def test_what_is_nothing_but_thanks_stays_whole(self) -> None:
        for text in ("Thanks, [NAME_1]!", "Thanks, [NAME_1], for the ride.", "谢谢你！"):
            assert contents(text) == [text]

    def test_names_of_a_list_are_no_vocatives(self) -> None:
        text = "I met [NAME_1], [NAME_2], and [NAME_3]"
        assert only(text).content == text


class TestTogether:
    @pytest.mark.parametrize(
        "text",
        [
            "We went to the beach yesterday. It was so relaxing.",
            "I quit the choir. That's why I have more time.",
            "先把鱼洗净，再用盐腌一会儿。最后放蒸锅里蒸十分钟。",
            "这次旅行让我开阔了眼界。同时也让我更珍惜家人。",
            "I live in Oslo. It's lovely.",
        ],
    )
    def test_a_sentence_that_leans_on_the_one_before_goes_with_it(self, text: str) -> None:
        draft = only(text)
        assert (draft.content, draft.span) == (text, (0, len(text)))

    def test_the_first_sentence_tells_what_it_is(self) -> None:
        draft = only("I went to Rome last week. It's warm there and I don't like that.")
        assert (draft.kind, draft.polarity) == (Kind.EVENT, 1)

    @pytest.mark.parametrize(
        "text",
        [
            "I live in Oslo. So I love skiing.",
            "I bought a car. This week I drive north.",
            "我买了车。所以提醒我明天去加油。",
            "我买了车。我很喜欢它。",
        ],
    )
    def test_what_can_stand_alone_does(self, text: str) -> None:
        assert len(drafts_of(text)) == 2

    def test_nothing_goes_with_what_was_not_admitted(self) -> None:
        text = "I ran home. Nobody saw me. It was dark."
        first, _, last = sentences(text)
        said = Said(text=text, at=AT, zone=SHANGHAI)
        drafts = extract(said, [first, last], Extraction(), None)
        assert [draft.content for draft in drafts] == ["I ran home.", "It was dark."]

    def test_no_content_is_longer_than_the_policy_lets_a_sentence_be(self) -> None:
        text = "We went to the beach yesterday. " + "It was so very relaxing there. " * 30
        policy = Extraction(longest_sentence=120)
        drafts = drafts_of(text.strip(), policy)
        assert 1 < len(drafts) < 30
        assert max(len(draft.content) for draft in drafts) <= 120


class TestWeights:
    @pytest.mark.parametrize(
        "text",
        [
            "和你聊天总是让我收获很多。",
            "你的建议对我很有用处。",
            "Your kind words mean a lot.",
            "I'm so proud of you for that!",
        ],
    )
    def test_a_remark_to_the_agent_weighs_little_and_is_no_habit(self, text: str) -> None:
        draft = only(text)
        assert (draft.kind, draft.importance) == (Kind.FACT, Extraction().importance["remark"])
        assert draft.decided_by == ("pattern:remark",)

    @pytest.mark.parametrize(
        ("less", "more"),
        [
            ("The soup was nice.", "I watched a film yesterday."),
            ("那个汤还可以。", "我每天跑步。"),
            ("I went to the shop", "I went to the hospital"),
            ("我下周五要去逛街", "我下周五有考试"),
            ("I owe [NAME_1] a call", "I have to call [NAME_1] by Friday"),
        ],
    )
    def test_chatter_weighs_less_than_what_matters(self, less: str, more: str) -> None:
        assert drafts_of(less)[0].importance < drafts_of(more)[0].importance

    def test_a_plan_that_is_not_made_yet_is_less_sure(self) -> None:
        draft = only("我还没有计划，不过很快应该就会去的。")
        assert (draft.kind, draft.confidence) == (Kind.EVENT, Extraction().hedged_confidence)

    def test_what_goes_on_did_not_happen(self) -> None:
        assert only("我最近在准备一场演讲，说话太快了。").kind == Kind.FACT
        assert only("我昨天在家准备了演讲。").kind == Kind.EVENT

    @pytest.mark.parametrize(
        ("text", "polarity"),
        [
            ("It's important - even if it's not always easy.", 1),
            ("We share stories so that people know that they're not alone", 1),
            ("我还没有去过很多地方，但是我很想去。", 1),
            ("我最近压力很大，晚上睡不着", 1),
            ("I can't swim.", -1),
            ("说实话，我不会游泳", -1),
        ],
    )
    def test_of_a_text_without_a_slot_the_main_predicate_tells_the_polarity(
        self, text: str, polarity: int
    ) -> None:
        assert only(text).polarity == polarity


@pytest.mark.parametrize("text", ["I live " + " " * 20_000 + "in Paris", "," * 20_000])
def test_a_long_text_that_nobody_cut_is_read_in_parts(text: str) -> None:
    """L13: no part is longer than a sentence, for the work grows with its square."""
    read: list[int] = []
    search = language.heard

    def counted(name: str, words: str) -> object:
        read.append(len(words))
        return search(name, words)

    with pytest.MonkeyPatch.context() as patched:
        for module in (clauses, trimming, slots, reading):
            patched.setattr(module, "heard", counted)
        extract(Said(text=text, at=AT, zone=SHANGHAI), [(0, len(text))], Extraction(), None)
    assert read
    assert max(read) <= Extraction().longest_sentence


@pytest.mark.parametrize(
    ("cue", "end"),
    [("joined", "and"), ("courtesy", "thanks"), ("courtesy", "很高兴认识你,")],
)
def test_a_cue_at_the_end_is_looked_for_once_in_a_run_of_spaces(cue: str, end: str) -> None:
    text = " " * 600 + end
    begun = {at for pattern in language.cues(cue) for at in range(600) if pattern.match(text, at)}
    assert begun == {0}
