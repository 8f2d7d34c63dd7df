"""The words around a password, and what tells one from an ordinary word."""

import re
from collections.abc import Callable

from ledger.privacy.reading import HAN, words
from ledger.privacy.rules import CUED, Rule, value

_PICTURES = "\ufe0f\U0001f000-\U0001faff"  # emoji: they decorate, nobody types them
# What is typed as a password; it does not end with the punctuation of its sentence.
TYPED = rf"[^\s,;、。'\"`<>“”「」『』【】«»\ufffc{_PICTURES}{HAN}]"
_ENDS = r"(?<![.?:()\[\]{}])"
VALUE = (
    rf"['\"`“「『【«<(?{_PICTURES}]{{0,2}}(?![:=])"
    rf"(?P<value>{TYPED}{{3,128}}+{_ENDS}|{TYPED}{{2,127}}{_ENDS})"
)
LATIN = (
    r"(?:pass[ -]?(?:word|code|phrase)|pass(?:wd|wrd|wort)|kennwort|contrase[nñ]a|senha|"
    r"mot\sde\spasse|p(?:ass|as|s)?w(?:or)?d|pass?(?:wrod|owrd|wod|ord)|pw|p/w|psw)"
)
_THING = (
    r"(?!['\"`]?\s(?:managers?|generators?|reset(?!\sto)|policy|fields?|hint|app|vault|rules?|length|"
    r"strength|protection|hash(?:e[sd]|ing)?|cracking|box|prompt|screen|form|page|change(?!\sto)|recovery|requirements?)(?![a-z]))"
)
WORD = rf"(?<![A-Za-z0-9]){LATIN}(?![A-Za-z]){_THING}['\"`]?"
CHANGE = r"(?<![A-Za-z])(?:set|change|changed|changing|reset|update|updated|switched)(?![A-Za-z])"
IS = r"(?::=|=>|->|[:=→])"
HAN_WORD = (
    "(?:(?<!遗传)(?<!遺傳)(?<!摩斯)(?<!尔斯)(?<!爾斯)密[码碼](?!子|管理|學|学|框|强度|強度|长度|長度|找回|泄露)|口令|暗语|暗語|通行码|通行碼|暗号|暗號|锁屏码|取款码|解锁码|解鎖碼|解压码|解壓碼|提取码|"
    "门禁码|門禁碼|投屏码|卡密|密语|密語|助记词|助記詞|授权码|授權碼|开门码|开锁码|访问码|密保码|PIN码|PIN碼|分享码|授权口令|"
    r"(?:手机|手機|屏幕|平板|电脑)?解[锁鎖](?=[是为:用]|\s?[0-9])|门禁(?=[是为:]|\s?[0-9])(?!\s?[0-9]+[:点])|"
    r"(?:锁屏|鎖屏|门锁|門鎖|密码锁|保险[箱柜]|保險[箱櫃])"
    r"(?=(?:[是为為:]\s?|\s?[*#])[*#]?[0-9]{4,8}(?![0-9./年-])|\s?[0-9]{6,8}(?![0-9./年-])|"
    r"[是为為:]?\s?[0-9]{1,2}-[0-9]{1,2}-[0-9]))"
)
HAN_IS = (
    "(?:(?:好像|应该|大概|可能|貌似|记得|應該)?就?是|为|為|叫|填|[改换換变變设設重定修更][成为為置新定改更]{1,3}|用的?是?|默认[是为]?|預設為|还是|"
    "=|:|→|->)了?(?:成|为|為)?"
)
SAME = "(?:还是|還是|就是|依旧|仍然?是?|一直是|老样子|没变|不变|沒變|默认|都用|统一用?)"
DIGIT = "[零〇一二三四五六七八九幺]"
KEYED = (
    r"(?:alarm|door|gate|lock|safe|entry|building|unlock|garage|locker|security|access|keypad|"
    r"entrance|lock\s?box|padlock|deadbolt|luggage|suitcase|vault|voicemail|screen|bike|lobby|"
    r"elevator|front door|parking|pool)"
)
ACCOUNT = (
    r"(?:user(?:name)?s?|log(?:ged)? ?in|logon|sign in|creds?|credentials?|"
    r"account|wi-?fi|user/pass|basic\sauth|"
    r"username/password|id/pw|账号|帐号|帳號|用户名|用戶名|账户|帐户|登录|登陆|账密|"
    r"[\w.+-]{1,40}@[\w.-]{1,40})"
)
NUMBER_WORD = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double)"
_COUNTED = re.compile(
    r"\s?(?:位|个|個|次|天|元|年|月|点|點|字|种|分钟|人|版|款|块|寸|条|份|家|秒|小时|-?(?:digits?|char|letters?|days?|"
    r"times|factor|step|mm|cm|km|kg|lbs?|pounds|dollars|euros|usd|people|users|years|minutes|hours|percent)(?![a-z]))",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"[a-z]{2,}(?:ed|able|ible|ous|ful|less|ive|ing|n't)|\d+-?(?:digits?|chars?|days?|times)",
    re.IGNORECASE,
)
# Of archives with samples of malware, and of Redis' own example.
_USUAL = frozenset({"infected", "foobared"})
# What a program reads instead of a value, what is typed over one, and a time of the day.
_STAND_IN = re.compile(
    r"[a-z_.]+[(\[][a-z_.]*(?:=.*)?|\[[a-z ]*|\$[{(].*|\{\{.*|[*•●._#x-]{3,}|"
    r"(?:os|self|this|process|req|request|config|cfg|settings|args|env|options|params|form|user|"
    r"data|secrets|var)\.[a-z_][a-z_.]*|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?",
    re.IGNORECASE,
)
_CALLED = re.compile(r"[(\[]['\"`)\]]")
_CLAUSE_ENDS = re.compile(
    rf"['\"`”」»]?\s*(?:[.,;!?)，。；！？、\n{_PICTURES}]|\Z|(?:btw|for|and|on|lol|haha|lmao|"
    r"please|pls|but|if|since|because|too|everywhere|though|again|thanks|just|in\scase|with)(?![a-z]))"
)
_TELLS = re.compile("|".join(sorted(words("tells_of_passwords_zh.txt"))))
_PLAIN = re.compile("|".join(sorted(words("look_like_passwords.txt"))), re.IGNORECASE)
_STRONG = frozenset("!#$%^*~@&")
_WHERE = frozenset({"in", "on", "at", "from", "since"})
_TOLD_OF = frozenset(
    {"than", "since", "password", "passwords", "word", "words", "long", "characters", "letters"}
)
_PRODUCT = re.compile("[A-Z][a-z]+[0-9]{1,4}")  # "open it with Excel2019"
_PORTS = re.compile(r"(?:[\d.]+:)?[\d-]+:[\d-]+(?:/(?:tcp|udp))?")
_SYMBOLS = frozenset("!@#$%^&*_+=~|\\")


def _after(match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    return pattern.match(match.string, match.end("value")) is not None


def _is_word(match: re.Match[str]) -> bool:
    """Whether the value is an ordinary word that tells about a password."""
    return _is_listed(match) or _DESCRIPTION.fullmatch(value(match).rstrip("!.?")) is not None


def _is_listed(match: re.Match[str]) -> bool:
    found = value(match).lower().rstrip("!.?")
    stands_in = _STAND_IN.fullmatch(found) is not None or _after(match, _CALLED)
    return stands_in or found in words("not_passwords.txt")


def is_mixed(match: re.Match[str]) -> bool:
    """Whether the value looks like nothing but a password."""
    found = value(match)
    if _after(match, _COUNTED) or _is_word(match):
        return False
    if any(map(str.isdigit, found)):
        return len(found) > 3
    return bool(_SYMBOLS & set(found[:-1])) or (not found.islower() and not found[1:].islower())


def is_very_mixed(match: re.Match[str]) -> bool:
    """Letters together with digits or signs, and no address of a person or a page."""
    found = value(match)
    has_letter = any(map(str.isalpha, found))
    odd = any(map(str.isdigit, found)) or bool(_SYMBOLS & set(found))
    return is_mixed(match) and has_letter and odd and not re.search(r"@[\w-]+\.|://|/", found)


def is_told(match: re.Match[str]) -> bool:
    """A word alone counts when the clause ends with it: "my password is sunshine"."""
    return is_mixed(match) or (_after(match, _CLAUSE_ENDS) and not _is_word(match))


def is_given(match: re.Match[str]) -> bool:
    return not _is_word(match) and not _after(match, _COUNTED)


def is_assigned(match: re.Match[str]) -> bool:
    """Some usual ones look like a description: "password: infected"."""
    return is_given(match) or value(match).lower() in _USUAL


def in_chinese(match: re.Match[str]) -> bool:
    belongs = match.string[match.end("value") : match.end("value") + 1] in ("的", "密")
    # "账号密码: ann / x1": the first of a pair is no password.
    paired = re.match(r"\s?[/|]\s?[^\s/|]", match.string[match.end("value") :][:4])
    # An English adjective does not describe in a Chinese sentence.
    described = not value(match).isalpha() and _is_word(match)
    listed = described or _is_listed(match) or _after(match, _COUNTED)
    return not listed and not belongs and not paired


def is_odd(match: re.Match[str]) -> bool:
    """Letters together with digits or with a sign that words do not have."""
    found = value(match)
    if _PLAIN.fullmatch(found.rstrip("!")) or not any(map(str.isalpha, found)):
        return False
    return any(map(str.isdigit, found)) or bool(_STRONG & set(found[1:-1]))


def is_phrase(match: re.Match[str]) -> bool:
    """Words that are themselves the secret, and do not tell of one: "five words long"."""
    said = value(match).lower().split()
    if said[0] in _WHERE:
        return False
    told_of = [word in words("not_passwords.txt") or _DESCRIPTION.fullmatch(word) for word in said]
    return sum(map(bool, told_of)) * 2 < len(said) and not _TOLD_OF & set(said)


def is_free_phrase(match: re.Match[str]) -> bool:
    """Words of which none can belong to a sentence about a password: "blue velvet", "at work"."""
    said = value(match).lower().split()
    if _TOLD_OF & set(said) or any(_DESCRIPTION.fullmatch(word) for word in said):
        return False
    return not any(
        w in words("not_passwords.txt") or w in words("sentence_words.txt") for w in said
    )


def is_chinese_phrase(match: re.Match[str]) -> bool:
    """Words that are the secret themselves, and do not describe one: "六位数字", "我生日"."""
    return _TELLS.search(value(match)) is None


def is_option(match: re.Match[str]) -> bool:
    """What is given to a program, and no ports that it opens: "-p 8080:80"."""
    return is_mixed(match) and _PORTS.fullmatch(value(match)) is None


def is_key(match: re.Match[str]) -> bool:
    """Digits, or what is very mixed: a thing to open something with."""
    return (is_very_mixed(match) and is_odd(match) and not _PRODUCT.fullmatch(value(match))) or (
        value(match).strip("*#").isdigit() and is_given(match)
    )


def is_code(match: re.Match[str]) -> bool:
    """Digits that are not counted: "六位密码…，080808"."""
    return not _after(match, _COUNTED)


def rule(
    name: str, pattern: str, check: Callable[[re.Match[str]], bool] = lambda match: True
) -> Rule:
    return Rule(name, re.compile(pattern, re.IGNORECASE), CUED, check)
