"""What looks like nothing but a password, in a sentence about one or beside it."""

import re

from ledger.privacy.password_words import HAN_WORD, TYPED, WORD, is_odd, rule
from ledger.privacy.reading import HAN

_BEFORE = 90  # characters from a password to the word before it, and
_BEHIND = 70  # to the word behind it: a sentence or two

_CUE = re.compile(
    rf"{WORD}(?![A-Za-z])|{HAN_WORD}|"
    r"(?<![A-Za-z])(?:passwords|creds|credentials)(?![A-Za-z])",
    re.IGNORECASE,
)
# What stands before the name of an account, a network or a thing.
_NAMES = re.compile(
    r"(?:user(?:name|s)?|user\s?id|log(?:in|on)|account|ssid|network|(?:network|wi-?fi|host)\sname|ticket|issue|order|room|flight|"
    r"model|version|wi-?fi|热点|called|named|账号|帐号|帳號|账户|用户名|用戶名|工号|学号|订单|型号|(?:网络|热点|wi-?fi)\s?的?名[字称]|名|叫|第)"
    r"(?:\s(?:is|are|no\.?|number))?\s?[:=是为叫]?\s?['\"`“「]?\Z",
    re.IGNORECASE,
)
_ONE = rf"(?![=()\[\]{{}}/|]){TYPED}"


def _is_near(match: re.Match[str]) -> bool:
    start, end = match.span("value")
    text = match.string
    if not is_odd(match) or _NAMES.search(text, max(0, start - 30), start):
        return False
    if re.match(r"['\"`]?\s?[/|]\s?[^\s/|]", text[end : end + 5]):  # the first of a pair
        return False
    before = text[max(0, start - _BEFORE) : start].rpartition("\n\n")[2]
    behind = text[end : end + _BEHIND].partition("\n")[0]
    return _CUE.search(before) is not None or _CUE.search(behind) is not None


NEAR = (
    rule(
        "near",
        rf"(?:(?<![^\s,;:、。'\"`<>“”「」『』【】()\[\]=/|{HAN}-])|(?<=[{HAN}][?!]))(?<!://)(?<!\./)"
        rf"(?P<value>(?![:?])(?:{_ONE}){{3,63}}(?![.?:]){_ONE})"
        rf"(?=[.?:]{{0,3}}(?:[\s,;、。'\"`<>“”「」『』【】)\]|/{HAN}]|\Z))",
        _is_near,
    ),
)
