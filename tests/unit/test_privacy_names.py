"""Names of people are found in both languages, and ordinary words are not taken for names."""

import re

import pytest

from ledger.policy.privacy import Privacy
from ledger.privacy import find_private

MARK = re.compile(r"\{(.*?)\}")


def names(text: str) -> list[str]:
    return [text[f.start : f.end] for f in find_private(text, Privacy()) if f.kind == "NAME"]


@pytest.mark.parametrize(
    "marked",
    [
        "{Caroline}: Hey {Mel}! Good to see you!",
        "My name is {Priya Raman}.",
        "my name is {kevin} and i like chess",
        "I'm {Fatou Diallo} from the billing team.",
        "Remind me to send {Jake O'Connell} the contract.",
        "Dr. {Patel} said it is fine.",
        "{Maria}: Woohoo, that is great news!",
        "Ms. {Ortiz} and Mr {Tanaka} called.",
        "my wife {priya} is out, call {sam}",
        "my manager is {zhao ming}",
        "请{张}医生和{欧阳}教授看一下",
        "{Rose} is coming to dinner.",
        "{Amelia}'s birthday is in May.",
        "我叫{张晓雯}，今年二十八岁。",
        "{王}先生和{欧阳靖}一起吃饭",
        "听說{陳大文}搬到臺北了",
        "我和{Tom}去爬山",
        "你可以叫我{小林}。",
        "我儿子的班主任姓{黄}。",
    ],
)
def test_names_are_found(marked: str):
    assert names(MARK.sub(r"\1", marked)) == MARK.findall(marked)


@pytest.mark.parametrize(
    "text",
    [
        "I bought a rose in April and it cost 5 dollars.",
        "My favourite drink is Earl Grey, in Paris or Vienna.",
        "Alexa, order Starbucks on Amazon.",
        "Hey there! Thanks! See you on Monday.",
        "I'm Canadian and I live in Austin.",
        "Dr Pepper, Alfredo sauce and the Alexander technique",
        "Bill me later. Frank discussions help.",
        "My dog Oliver is asleep.",
        "狗狗旺财今天打针",
        "Budget: 500 dollars",
        "今天很高兴，终于平安到家了。",
        "语文老师和产品经理都来了。",
        "我叫车去机场，方便的话一起去。",
        "李宁的鞋和华为手机，黄山的日出",
        "鲁菜和川菜我都喜欢。",
    ],
)
def test_ordinary_words_are_no_names(text: str):
    assert names(text) == []
