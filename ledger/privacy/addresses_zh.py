"""Chinese addresses: a street with its number, an estate with its building, a village."""

import re

from ledger.privacy.reading import HAN, alternatives, words
from ledger.privacy.rules import SHAPED, Rule

# Characters that stand before an address, but in these words belong to one.
_BEFORE = "在到是至去放從从給给寄住址搬我你您他她它了的将將把送让請请往叫过過有找拿"
_INSIDE = "解放|开放|開放|从化|从江|将军|將軍|将乐|至善|至诚|有为|过境|大有|到滘|有恒|寄畅|送仙"
_CHARACTER = rf"(?:{_INSIDE}|(?![{_BEFORE}])[{HAN}A-Za-z0-9])"
# A blank or a comma divides an address only behind a part of the country.
_PART = rf"(?:{_CHARACTER}|(?<=[省市区區县縣镇鎮乡鄉道州])[ ,](?=[{HAN}]))"

_NUMERAL = "(?:[0-9]{1,5}|[一二三四五六七八九十百]{1,5})"
_COUNT = rf"[甲乙丙丁]?{_NUMERAL}(?:[-之][0-9]{{1,4}})?"
_STREET = (
    "(?:(?<![马公铁馬鐵网])路|新[马馬]路|(?<![知味报频街])道|街|巷|胡同|弄|段|(?<![农山乡])村|坊|"
    "(?<![这那哪家城手心這裡])里|(?<=[一二三四五六七八九十])条|大院|街道)"
)
_HOUSE = (
    "(?:号楼|號樓|号院|号(?![线線店馆館公]|[门門](?![卫衛口牌外前]))|號(?![線店館門])|"
    "弄|巷|栋|棟|幢|座|单元|單元)"
)
_SENTENCE = "有上的那这這口边邊里裡是和与店鋪铺"  # what goes on after a street with no number
# Between a street and its number there may stand where along it: 中北路姚家岭231号.
_SPOT = f"(?![上口边的])[{HAN}]{{1,3}}(?<![这那哪])[岭嶺村坡桥橋湾灣里塘坝寨屯岗崗墩坊庄莊冲坪垭]"
_BLOCK = "(?:号楼|號樓|栋|棟|幢|座)"
_ENDS = words("estates_zh.txt")
_ESTATE = f"(?:{alternatives(_ENDS)})"
_LONG_ESTATE = f"(?:{alternatives(end for end in _ENDS if len(end) > 1)})"
_UNIT = (
    r"(?:号楼|號樓|号院|弄|号|號|栋|棟|幢|座|单元|單元|室|楼|樓|层|層|房|户|戶|门|門|期|组|組|"
    r"队|隊|社|[Ff](?![A-Za-z]))"
)
_ROOM = (
    r"[A-Za-z]?[0-9]{1,5}(?:-[0-9]{1,5})*[A-Za-z]?\s?室?"
    r"(?![0-9A-Za-z%.:-]|\s?[点點月年元块塊个個人次天米])"
)
_NAMED = rf"(?:(?![{_BEFORE}])[{HAN}A-Za-z]){{1,12}}?"
_NEXT = (
    rf"(?= ?(?:[A-Za-z]{{1,2}} ?[座栋棟]|[A-Za-z]?[0-9]{{1,5}} ?(?:{_BLOCK}|单元|單元|[楼樓层層室]|"
    r"[Ff](?![A-Za-z]))))"
)
_TAIL = (
    r"(?:[ ,]?(?:[附之][0-9]{1,4}(?:号|號)?|之[一二三四五六七八九十]{1,3}|"
    r"(?:(?<=[号號])|(?<=[号號] ))[甲乙丙丁]|"
    rf"[A-Za-z]{{0,2}}{_COUNT}[A-Za-z]? ?{_UNIT}|"
    rf"[A-Za-z]{{1,2}} ?[座栋楼区室棟樓區馆館]|[东西南北東] ?[座栋楼区塔棟樓區]|"
    rf"{_NAMED}(?:{_LONG_ESTATE}|{_ESTATE}(?![{HAN}])|{_NEXT})|"
    rf"[A-Za-z甲乙丙丁东西南北中東] ?(?:单元|單元)|{_ROOM})){{0,9}}"
)

_PARTS_OF_COUNTRY = re.compile("[省市区區县縣镇鎮乡鄉路街道弄村]")
_PLACE = re.compile(alternatives(words("places_zh.txt")))
_LEAD = re.compile(f"(?:{alternatives(words('before_addresses_zh.txt'))}|[成为為于於来來])[:是]?")


def _span(match: re.Match[str]) -> tuple[int, int]:
    """The match without what leads to the address: from a known place on, if it names one."""
    start, end = match.span()
    part = _PARTS_OF_COUNTRY.search(match.string, start, end)
    until = part.start() if part else end
    place = _PLACE.search(match.string, start, min(end, until + 1))
    if place:
        return place.start(), end
    leads = [lead.end() for lead in _LEAD.finditer(match.string, start, until)]
    return (leads[-1] if leads and leads[-1] < until else start), end


def _is_village(match: re.Match[str]) -> bool:
    """A village alone is an address where its group is told, or where in the country it lies."""
    return match["group"] is not None or _PLACE.search(match[0]) is not None or "县" in match[0]


RULES = (
    Rule(
        "chinese street",
        re.compile(
            rf"{_PART}{{1,40}}?{_STREET}[东西南北中東]?[一二三四五六七八九十]?[段区]?"
            rf"(?:{_SPOT})? ?{_COUNT}"
            rf" ?{_HOUSE}{_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
    Rule(
        "chinese estate in a street",
        re.compile(
            rf"{_PART}{{2,30}}?[市区區县縣镇鎮]{_PART}{{1,12}}?(?:路|街|大道|巷)"
            rf"(?:(?![{_BEFORE}{_SENTENCE}])[{HAN}]){{2,8}}? ?{_COUNT} ?{_HOUSE}{_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
    Rule(
        "chinese estate",
        re.compile(
            rf"{_PART}{{2,40}}?{_LONG_ESTATE}[ ,]?"
            rf"(?:[A-Za-z]?{_COUNT} ?(?:{_BLOCK}|单元|單元|号院|期)|[A-Za-z] ?座|"
            rf"[东西南北東] ?[座塔](?= ?[0-9])|"
            rf"[0-9]{{1,5}}(?:-[0-9]{{1,5}})*室|[0-9]{{1,3}}-[0-9]{{1,3}}-[0-9]{{2,5}}(?![0-9-])){_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
    Rule(
        "chinese flat",
        re.compile(
            rf"{_PART}{{2,30}}?[ ,]?(?:(?:[A-Za-z]{{0,2}}[0-9]{{1,5}}[A-Za-z]?|[A-Za-z]) ?{_BLOCK}"
            rf"[ ,]?(?:{_COUNT} ?(?:单元|單元|[楼樓层層]|门|門)|"
            rf"[0-9]{{3,5}}(?![0-9A-Za-z]|\s?[元块年])[室房户戶]?)|"
            rf"[0-9]{{1,4}}[楼樓][0-9]{{1,2}}[门門][0-9]{{3,4}}(?![0-9A-Za-z])){_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
    Rule(
        "chinese flat of three numbers",
        re.compile(
            rf"{_PART}{{2,30}}?[苑园園里城府庭湾灣区區村院寓厦廈邨坊阁閣轩軒]"
            rf" ?[0-9]{{1,3}}-[0-9]{{1,2}}-[0-9]{{3,4}}(?![0-9A-Za-z-]){_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
    Rule(
        "chinese village",
        re.compile(
            rf"{_PART}{{2,30}}?[镇鎮乡鄉县縣市区區]{_PART}{{1,8}}?(?<![农山乡])[村屯寨](?![镇鎮乡鄉街道])"
            rf"(?P<group> ?(?:{_COUNT} ?[组組队隊社号號户]|"
            rf"(?![{_BEFORE}里的])[{HAN}]{{1,4}}(?:[组組屯湾灣坝]|自然村)(?![织織长長成合员員])))?{_TAIL}"
        ),
        SHAPED,
        _is_village,
        span=_span,
    ),
    Rule(
        "chinese park",
        re.compile(
            rf"{_PART}{{2,40}}?[市区區县縣镇鎮乡鄉村]{_PART}{{0,12}}?"
            rf"(?:工业区|工業區|工业园|开发区|产业园|科技园|软件园|園區|园区) ?{_COUNT} ?[号號]"
            rf"{_TAIL}"
        ),
        SHAPED,
        span=_span,
    ),
)
