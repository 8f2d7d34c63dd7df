"""Rules about what a text says: plain statements, small talk, questions that state nothing."""

import json
import re
from functools import cache
from pathlib import Path

from ledger.admission.reading import PLACEHOLDER, Reading, Sentence
from ledger.admission.verdict import Verdict

_HERE = Path(__file__).parent
# Letters said long: "heyyyy", "hahaha".
_DRAWN_OUT = re.compile(r"([a-z]{1,3}?)\1{2,}")
_BETWEEN_WORDS = re.compile(r"[^\w']+|_+")
_PARTICLES = "[呀啊啦哦呢吧哈嘛喔哟噢呐咯嘞哒滴的了~]{0,3}"

# A clause that asks or supposes does not state.
_DOUBTS = re.compile(
    r"^(?:if|when|who|what|where|why|how|which|whose|do|does|did|am|is|are|was|were|has|have|had"
    r"|can|could|will|would|should|suppose|imagine)\b"
    r"|吗|嗎|什么|什麼|啥|怎么|怎麼|谁|誰|哪|几点|几号|几岁|几只|几年级|来着|多少|多大|是否|是不是"
    r"|能不能|有没有|如果|假如|要是|么$"
)
_ASKS_EN = re.compile(
    r"(?:(?:hey|so|and|but|ok|okay|um|please|well|then)\W{1,3})?(?:"
    r"(?:what|who|where|when|why|how|which)(?:'s|s| (?:is|are|do|does|did|to|much|many|long|tall"
    r"|far|old|fast|big|was|were|will|can|should|would|year|kind|time|planet|day))\b"
    r"|is it (?:ok|okay|safe|bad|good|better|normal|possible|legal|worth|true)\b"
    r"|(?:the )?(?:difference between|recipe for|meaning of|synonyms? (?:of|for)|capital of"
    r"|symptoms of|pros and cons of)\b(?!.{0,200}\b(?:is|are|was|were)\b)"
    r"|(?P<mark>is|are|was|were|do|does|did|will|should|has|what|who|where|when|why|how|which)\b)"
)
_ASKS_ZH = re.compile(
    r"(?:请问|請問|那么?|所以)?(?:怎么|怎麼|怎样|什么|什麼|为什么|為什麼|为啥|哪|谁|誰|几|幾|多少"
    r"|多久|多大|如何|是否|能不能|可不可以|有没有|有什么|你|您|今天|明天|现在|現在|附近|支持|可以)"
)
_ENDS_ASKING_ZH = re.compile(
    r"(?:(?:怎么|怎麼|如何)[^都也]{1,5}|多久|多高|多远|多大|多长|多少[钱人个克度]?|几(?:天|分钟|点|号|岁)|哪(?:天|里|年|儿|一天)"
    r"|哪[个個种種款家本部][^都也]{0,8}|有几[种个款][^都也]{0,8}"
    r"|什么(?:意思|用|区别|影响|关系)?|啥意思|吗|嗎)[啊呀呢的]?$"
)
_ASKING_ZH = re.compile(
    r"吗$|嗎$|呢$|么$|怎么|怎麼|怎样|如何|什么|什麼|为啥|哪|谁|誰|几|幾|多少|多久|多大|多高|多远|是否"
    r"|能不能|可不可以|有没有"
)
# Where one of these stands, a question may carry a fact, a wish or a trouble.
_CARRIES = re.compile(
    r"\b(?:i|i'?m|i'?ve|i'?d|i'?ll|im|ive|me|my|mine|myself|we|we'?re|we'?ve|us|our|ours|u know"
    r"|did you know|have you heard|guess|remind|always|never|stop|from now on|again|still|keeps?"
    r"|fail\w{0,4}|errors?|crash\w{0,4}|broken?|since|because|after|allerg\w{1,4})\b"
    r"|[我俺咱]|本人|知道|记|記|提醒|以后|以後|别|不要|不用|回答|语气|改成|报错|報錯|又|还是|老是|总是"
    r"|一直|[一二三四五六七八九十百\d]平|次|失败|闪退|不了|不上|过敏|過敏|孩子|儿子|女儿|老婆|老公|爸|妈|媽|宝宝|岁|歲|发烧|怀孕|病|不耐受|手术|失业|没有?什么|提示|什么都|怎么都|怎么弄"
)
# What a speaker says of himself or his own, before asking.
_TELLS = re.compile(
    r"(?:hi |hey |hello |so |as )?(?:i|i'?m|i'?ve|im|my|we|we'?re|we'?ve|our)\b(?:\W{1,3}[\w']+){2}"
    r"|(?:我|我们|我家|本人|家里|儿子|女儿|孩子|宝宝|老公|老婆|爸|妈).{2}"
)
_TELLS_NOTHING = re.compile(
    r"\b(?:question|wonder\w{0,4}|curious|help|advice|ask\w{0,3}|sorry|understand|know|get it|mean"
    r"|sure|confused|lost|good|great|fine|love (?:it|that|this)|see|agree|think|glad|happy for"
    r"|guess|bored)\b"
    r"|想问|问一下|问题|请教|好奇|想知道|不懂|不明白|没听|不知道|同意|觉得|也是|该|应该|能|可以|想死|爱你"
    r"|想你|记得|说到|说过|在吗|刚才"
)
_ABOUT_OWN = re.compile(
    r"(?:what|when|where|who|which|how old)(?:'s|s| is| are| was| were) (?:my|our)"
    r"(?: (?!as|for|with|if|since|given|when|after|best|option)[\w']{1,20}){1,4}"
    r"|(?:你?还?记得|你?知道)?(?:我|\[name_\d{1,6}\])(?!.{0,20}[了过].).{0,12}"
    r"(?:叫什么|叫什么名字|叫啥|是什么|是谁|谁|哪天|几号|几点|在哪|哪里|住哪|住哪里|放哪|哪个城市|多大"
    r"|什么时候|什么颜色|几年级|多少岁)(?:来着|了|呢|啊|呀|儿)?"
)
# A request for a piece of work that says nothing of the one who asks.
_ORDERS = re.compile(
    r"(?:please |can you |could you |will you |would you )?(?:please )?(?:help me )?(?:"
    r"(?:write|draft|compose|create|generate|design|make)(?: me| us)? (?:an?|some|the following) \w"
    r"|(?:give|show|send|tell|sing|read|recommend|suggest|find|list)(?: me| us)? (?:an?|some|about)"
    r" (?!call|minute|moment|ring|reminder|table for)\w"
    r"|(?:translate|summari[sz]e|proofread|rewrite|paraphrase|simplify|shorten|explain|fix|check)"
    r" (?:this|that|the|it|these|those|[\"'“])"
    r"|(?:calculate|convert|compute|solve) \S{0,10}\d|recommend (?:me )?\w+ \w+$|pretend |act as )"
    r"|(?:请|你|能|可以|请你|麻烦)?(?:帮我|给我|帮忙)?(?:写|画|编|讲|唱|起|出|生成|推荐|列|来)(?:我)?"
    r"(?:一|几|个|首|篇|封|段|只|张|份|部|本|点|[两三四五六七八九十]?道)"
    r"|(?:请|你|请你|麻烦|帮我)?[把将](?:下面|上面|以下|这[段句篇首])"
    r"|(?:请|你|请你|麻烦)?(?:帮我|给我|帮忙)(?:翻译|总结|润色|解释|讲解|算一?下|查一?下|查查|想几|分析|检查|介绍"
    r"|改(?:成|写|一下|下)|生成)"
    r"|(?:翻译|总结|润色|解释|介绍|分析|对比|概括|计算|算|讲解)(?:一下|下|成|这|上面|以下)"
)


def states_fact(reading: Reading) -> Verdict | None:
    """One clause says, in words that leave little doubt, something to keep."""
    if any(map(_states, reading.sentences)):
        return Verdict(True, "states_fact")
    return None


def tells_then_asks(reading: Reading) -> Verdict | None:
    """A question after a word about the speaker: "My dog is sick, what should I do?"."""
    if not reading.sentences:
        return None
    *told, asked = [
        (clause, sentence.asked) for sentence in reading.sentences for clause in sentence.clauses
    ] or [("", False)]
    if not (asked[1] or _DOUBTS.search(asked[0])):
        return None
    if any(_TELLS.match(clause) and not _idle(clause) for clause, _ in told):
        return Verdict(True, "question_with_fact")
    return None


def _idle(clause: str) -> bool:
    return bool(_DOUBTS.search(clause) or _TELLS_NOTHING.search(clause) or _talk(clause))


def _states(sentence: Sentence) -> bool:
    stating, anywhere = _fact_patterns()
    return any(
        anywhere.search(clause)
        or (not sentence.asked and stating.search(clause) and not _DOUBTS.search(clause))
        for clause in sentence.clauses
    )


@cache
def _fact_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The patterns that hold in statements, and those that hold in questions too."""
    lines = (_HERE / "facts.txt").read_text(encoding="utf-8").splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    stating = [pattern for pattern in patterns if not pattern.startswith("!")]
    anywhere = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    return re.compile("|".join(stating)), re.compile("|".join(anywhere))


def small_talk(reading: Reading) -> Verdict | None:
    """Nothing but greetings, thanks, fillers, reactions or tests; the first one names the rule."""
    kind = _talk(PLACEHOLDER.sub(" ", reading.plain))
    return Verdict(False, kind) if kind else None


def _talk(text: str) -> str | None:
    words = _BETWEEN_WORDS.sub(" ", text).strip()
    once, twice = _DRAWN_OUT.sub(r"\1", words), _DRAWN_OUT.sub(r"\1\1", words)
    return _phrases_only(words) or _phrases_only(once) or _phrases_only(twice)


def _phrases_only(words: str) -> str | None:
    pattern, kinds = _phrases()
    kind, at = None, 0
    while at < len(words):
        match = pattern.match(words, at)
        if match is None:
            return None
        kind, at = kind or kinds[match[1]], match.end()
    return kind


@cache
def _phrases() -> tuple[re.Pattern[str], dict[str, str]]:
    """A pattern of one phrase, longest first, and the kind of talk that each phrase is."""
    kinds: dict[str, list[str]] = json.loads((_HERE / "phrases.json").read_text(encoding="utf-8"))
    kind_of = {phrase: kind for kind, phrases in kinds.items() for phrase in phrases}
    phrases = "|".join(map(re.escape, sorted(kind_of, key=len, reverse=True)))
    return re.compile(
        rf"({phrases})(?:(?<=[a-z0-9])(?![a-z0-9'])|(?<![a-z0-9]){_PARTICLES}) ?"
    ), kind_of


def question_without_fact(reading: Reading) -> Verdict | None:
    """Every sentence asks or is small talk, and nothing in it tells of anybody."""
    if PLACEHOLDER.search(reading.folded) or _CARRIES.search(reading.folded):
        return None
    rest = [sentence for sentence in reading.sentences if not _talk(sentence.text)]
    if rest and all(map(_only_asks, rest)):
        return Verdict(False, "question_without_fact")
    return None


def question_about_own(reading: Reading) -> Verdict | None:
    """A question to the memory itself: "what's my dog called?", 我对什么过敏."""
    if len(reading.sentences) == 1 and _ABOUT_OWN.fullmatch(reading.sentences[0].text):
        return Verdict(False, "question_without_fact")
    return None


def request_without_fact(reading: Reading) -> Verdict | None:
    """An order for a piece of work, and nothing about the one who orders."""
    text = reading.folded.strip()
    order = _ORDERS.match(text)
    if order and not PLACEHOLDER.search(text) and not _CARRIES.search(text, order.end()):
        return Verdict(False, "request_without_fact")
    return None


def _only_asks(sentence: Sentence) -> bool:
    english = _ASKS_EN.match(sentence.text)
    if english:
        return sentence.asked or not english["mark"]
    if len(sentence.clauses) != 1:
        return False
    if not _ASKS_ZH.match(sentence.text):
        return bool(_ENDS_ASKING_ZH.search(sentence.text))
    return sentence.asked or bool(_ASKING_ZH.search(sentence.text))
