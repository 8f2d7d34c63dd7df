"""Passwords in sentences and assignments: the value alone is private, not what is said of it."""

import re
from collections.abc import Callable

from ledger.policy.privacy import PrivateKind
from ledger.privacy.reading import HAN, words
from ledger.privacy.rules import CUED, Rule, Shapes, value

# What is typed as a password; it does not end with the punctuation of its sentence.
_TYPED = rf"[^\s,;、。'\"`<>“”「」『』【】\ufffc{HAN}]"
_VALUE = (
    rf"['\"`“「『【<(]{{0,2}}(?![:=])(?P<value>{_TYPED}{{3,128}}+(?<![.?:)\]}}])|"
    rf"{_TYPED}{{2,127}}(?<![.?:)\]}}]))"
)
_LATIN = r"(?:pass(?:word|code|phrase|wd)|pwd|pw)"
_THING = (
    r"(?!['\"`]?\s(?:managers?|generators?|reset|policy|fields?|hint|app|vault|rules?|length|"
    r"strength|protection|hash|box|prompt|form|page|change|recovery|requirements?)(?![a-z]))"
)
_WORD = rf"(?<![A-Za-z0-9]){_LATIN}(?![A-Za-z]){_THING}['\"`]?"
_CHANGE = r"(?<![A-Za-z])(?:set|change|changed|changing|reset|update|updated|switched)(?![A-Za-z])"
_IS = r"(?::=|=>|->|[:=→])"
_HAN_WORD = (
    "(?:密码|密碼|口令|通行码|通行碼|暗号|暗號|锁屏码|取款码|解锁码|解鎖碼|解压码|解壓碼|提取码|"
    "门禁码|門禁碼|开门码|开锁码|访问码|密保码|PIN码|PIN碼)"
)
_HAN_IS = (
    "(?:就?是|为|為|叫|[改换換变變设設重定修更][成为為置新定改更]{1,3}|用的?是?|默认[是为]?|預設為|还是|"
    "=|:|→|->)了?(?:成|为|為)?"
)
_SAME = "(?:还是|還是|就是|依旧|仍然?是?|一直是|老样子|没变|不变|沒變|默认|都用|统一用?)"
_DIGIT = "[零〇一二三四五六七八九幺]"
_KEYED = (
    r"(?:alarm|door|gate|lock|safe|entry|building|unlock|garage|locker|security|access|keypad|"
    r"entrance|luggage|suitcase|vault|voicemail|screen|bike|lobby|elevator|front door)"
)
_ACCOUNT = (
    r"(?:user(?:name)?s?|log(?:ged)? ?in|logon|sign in|creds?|credentials?|account|user/pass|"
    r"username/password|id/pw|账号|帐号|帳號|用户名|用戶名|账户|帐户|登录|登陆|账密|"
    rf"[\w.+-]{{1,40}}@[\w.-]{{1,40}})"
)
_COUNTED = re.compile(
    r"\s?(?:位|个|個|次|天|元|年|月|点|點|字|种|分钟|-?(?:digits?|char|letters?|days?|"
    r"times|factor|step))",
    re.IGNORECASE,
)
_DESCRIPTION = re.compile(
    r"(?:[a-z]{2,}(?:ed|able|ible|ous|ful|less|ive|ing|n't)|\d+-?(?:digits?|chars?|days?|times))",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"['\"`”」]?\s*(?:[.,;!?)，。；！？、\n]|\Z|(?:btw|for|and|on)(?![a-z]))")
_SYMBOLS = frozenset("!@#$%^&*_+=~|\\")


def _after(match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    return pattern.match(match.string, match.end("value")) is not None


def _is_word(match: re.Match[str]) -> bool:
    """Whether the value is an ordinary word that tells about a password."""
    found = value(match).lower().rstrip("!.?")
    return found in words("not_passwords.txt") or _DESCRIPTION.fullmatch(found) is not None


def _is_mixed(match: re.Match[str]) -> bool:
    """Whether the value looks like nothing but a password."""
    found = value(match)
    if _after(match, _COUNTED) or _is_word(match):
        return False
    if any(map(str.isdigit, found)):
        return len(found) > 3
    return bool(_SYMBOLS & set(found[:-1])) or (not found.islower() and not found[1:].islower())


def _is_very_mixed(match: re.Match[str]) -> bool:
    """Letters together with digits or signs, and no address of a person or a page."""
    found = value(match)
    has_letter = any(map(str.isalpha, found))
    odd = any(map(str.isdigit, found)) or bool(_SYMBOLS & set(found))
    return _is_mixed(match) and has_letter and odd and not re.search(r"@[\w-]+\.|://|/", found)


def _is_told(match: re.Match[str]) -> bool:
    """A word alone counts when the clause ends with it: "my password is sunshine"."""
    return _is_mixed(match) or (_after(match, _CLAUSE_ENDS) and not _is_word(match))


def _is_given(match: re.Match[str]) -> bool:
    return not _is_word(match) and not _after(match, _COUNTED)


def _in_chinese(match: re.Match[str]) -> bool:
    belongs = match.string[match.end("value") : match.end("value") + 1] in ("的", "密")
    # "账号密码: ann / x1": the first of a pair is no password.
    paired = re.match(r"\s?[/|]\s?[^\s/|]", match.string[match.end("value") :][:4])
    return _is_given(match) and not belongs and not paired


def _rule(
    name: str, pattern: str, check: Callable[[re.Match[str]], bool] = lambda match: True
) -> Rule:
    return Rule(name, re.compile(pattern, re.IGNORECASE), CUED, check)


_SAID = (
    _rule(
        "said",
        rf"{_WORD}(?:\s[^\s.,;:!?=]{{1,30}}){{0,7}}?(?:'s|\sis|\swas|\sbe)\s"
        rf"(?:now\s|still\s|currently\s|just\s|again\s|probably\s|set\sto\s)?{_VALUE}",
        _is_told,
    ),
    _rule("pass is", rf"(?<![A-Za-z])pass(?:'s|\sis|\swas)\s{_VALUE}", _is_mixed),
    _rule("used to be", rf"{_WORD}[^\n.:=]{{0,30}}?\sused\sto\sbe\s{_VALUE}", _is_told),
    _rule(
        "changed",
        rf"{_CHANGE}[^\n.:=]{{0,30}}?{_WORD}[^\n.:=]{{0,40}}?\s(?:to|as)\s{_VALUE}",
        _is_told,
    ),
    _rule("beside", rf"{_WORD}\s{{1,2}}{_VALUE}", _is_mixed),
    _rule(
        "beside account",
        rf"(?:{_ACCOUNT}|wi-?fi|network|ssid|router)[^\n]{{0,60}}?(?:[,;\s]|\sand\s){_WORD}\s"
        rf"{_VALUE}(?=['\"`”]?\s*(?:[.,;!?)\n]|\Z))",
        _is_given,
    ),
    _rule(
        "it is",
        rf"{_WORD}[^\n]{{0,60}}?(?:[,.;:-]|\s(?:and|but))\s(?:now\s)?it(?:'s|\sis|\swas)\s(?:now\s)?"
        rf"{_VALUE}",
        _is_mixed,
    ),
    _rule(
        "quoted",
        rf"{_WORD}[^\n'\"“”]{{0,30}}?(?:\sis|\swas|\sto|\s|{_IS})\s{{0,2}}"
        r"(?:'(?=[^'\n]{3,64}')|\"(?=[^\"\n]{3,64}\")|`(?=[^`\n]{3,64}`)|"
        r"“(?=[^”\n]{3,64}”))(?P<value>[^'\"”`\n]{3,64})",
        _is_given,
    ),
    _rule(
        "phrase",
        r"(?<![A-Za-z])pass ?phrase(?:\sis|\swas|:)\s(?P<value>[a-z]{2,20}(?:[ -][a-z]{2,20}){2,9})"
        r"(?=\s*(?:[.,;!?\n]|\Z))",
    ),
    _rule(
        "that is the password",
        rf"(?<![^\s'\"`“(:])(?P<value>{_TYPED}{{4,64}}?)['\"`”)]?,?\s(?:is|as|for|was|that's|works\sas)"
        rf"\s(?:my|the|our|his|her|a|your)\s(?:[^\s.]{{1,20}}\s){{0,3}}?{_LATIN}(?![A-Za-z])",
        _is_very_mixed,
    ),
    _rule(
        "pin",
        r"(?<![A-Za-z])pin(?:\s(?:code|number))?(?:\s[^\s.,;:!?=]{1,20}){0,5}?"
        rf"(?:\sis|\swas|\sto|'s|{_IS}|码是?|碼是?)?\s{{0,2}}['\"`(]?"
        r"(?P<value>[0-9](?:[ -]?[0-9]){3,7})(?![0-9A-Za-z])",
        _is_given,
    ),
    _rule(
        "keyed",
        rf"(?<![A-Za-z]){_KEYED}(?:\s(?:pin|key))?\s(?:code|combo|combination)"
        rf"(?:\s[^\s.,;:!?=]{{1,20}}){{0,5}}?(?:\sis|\swas|\sto|'s|{_IS}|\s)\s{{0,2}}(?:now\s)?['\"`]?"
        r"(?P<value>[*#]?[0-9A-Z]?[0-9](?:-?[0-9]){2,9}[A-Z]?[*#]?)(?![0-9A-Za-z])",
        _is_given,
    ),
    _rule(
        "network key",
        r"(?<![A-Za-z])(?:wi-?fi|wlan|wpa2?|network|hotspot|router)\s(?:key|pass|code|login)"
        rf"(?:\s?{_IS}|\sis|\s)\s{{0,2}}{_VALUE}",
        _is_mixed,
    ),
)
_WRITTEN = (
    _rule("assigned", rf"{_LATIN}['\"`*\\]{{0,3}}\s{{0,2}}{_IS}[\s*]{{0,3}}\\?{_VALUE}", _is_given),
    _rule("pass", rf"(?<![A-Za-z0-9])pass['\"`]?\s?{_IS}\s{{0,2}}{_VALUE}", _is_mixed),
    _rule(
        "address",
        r"(?<![a-z])[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{0,64}:(?P<value>[^\s/@\ufffc]{1,128})@",
    ),
    _rule(
        "client",
        r"(?<![a-z])(?:mysql\w{0,10}|mariadb\w{0,6}|mongo\w{0,8}|7z|unrar|sqlcmd|psql|mosquitto_\w{3})"
        rf"(?:\s[^\n\s]{{1,60}}){{0,8}}?\s-p['\"]?(?P<value>{_TYPED}{{3,64}})",
        _is_given,
    ),
    _rule(
        "spaced client",
        r"(?<![a-z])(?:sshpass|docker|podman|helm|az|mongo\w{0,8}|zip|unzip|redis-cli|sqlcmd|bcp|"
        rf"htpasswd|plink|pscp|rar)(?:\s[^\n\s]{{1,60}}){{0,6}}?\s-(?:p|P|a|pw)\s['\"]?"
        rf"(?P<value>{_TYPED}{{3,64}})",
        _is_mixed,
    ),
    _rule(
        "user and password",
        r"(?<![a-z])(?:curl|wget|http|https|smbclient|ab|xh)(?:\s[^\n\s]{1,120}){0,6}?\s"
        rf"(?:-u|-U|-a|--user|--auth)[\s=]?['\"]?[^\s:'\"%]{{1,64}}[:%](?P<value>{_TYPED}{{1,128}})",
    ),
    _rule("option", rf"--?(?:\w{{1,20}}-)?(?:pass|{_LATIN})[\s=]['\"]?{_VALUE}", _is_mixed),
    _rule("identified by", rf"identified\s(?:with\s\S{{1,40}}\s)?by\s{_VALUE}", _is_given),
    _rule("pass:", rf"-pass(?:in|out)?\spass:(?P<value>{_TYPED}{{3,128}})"),
    _rule("piped", rf"echo\s['\"]?(?P<value>{_TYPED}{{3,64}})['\"]?\s\|\s(?:sudo\s-S|docker\slogin)"),
    _rule(
        "pair",
        rf"(?<![a-z]){_ACCOUNT}(?:/?(?:password|密码|密碼))?(?:\s?{_IS}|\s?(?:is|are|with|as|是|为)(?![a-z]))?"
        rf"\s{{0,2}}['\"`]?(?:[^\s/|,，'\"`]{{1,60}})?['\"`]?(?:\s?[/|]\s?|\s:\s){_VALUE}",
        _is_very_mixed,
    ),
)
_CHINESE = (
    _rule(
        "chinese",
        rf"{_HAN_WORD}[^，。,;；！？!?\n:=]{{0,12}}?{_HAN_IS}\s{{0,3}}{_VALUE}",
        _in_chinese,
    ),
    _rule("chinese beside", rf"{_HAN_WORD}\s{{0,2}}{_VALUE}", _is_mixed),
    _rule("chinese from", rf"{_HAN_WORD}[{HAN}]{{0,4}}?[从由從]\s?{_VALUE}\s?[改换換变變]", _is_given),
    _rule(
        "chinese same",
        rf"{_HAN_WORD}[^\n。]{{0,8}}?{_SAME}[^\n。]{{0,8}}?[,，:\s]\s?{_VALUE}",
        _is_very_mixed,
    ),
    _rule(
        "chinese as",
        rf"(?:用|拿|把)\s?(?P<value>[!-~]{{3,64}})\s?(?:做|当|當|作|设|来当)[^，。\n]{{0,8}}{_HAN_WORD}",
    ),
    _rule(
        "chinese words",
        rf"(?:口令|暗号|暗號)(?:是|:)\s?(?P<value>[{HAN}]{{2,16}})(?=\s*(?:[,，。;；!！\n]|\Z))",
        _is_given,
    ),
    _rule(
        "chinese quoted",
        rf"{_HAN_WORD}[^，。,;；！？!?\n]{{0,12}}?[“「\"'『](?P<value>[{HAN}]{{2,16}})[”」\"'』]",
        _is_given,
    ),
    _rule(
        "chinese digits",
        rf"{_HAN_WORD}[^，。,;；！？!?\n:=]{{0,6}}?{_HAN_IS}\s?(?P<value>{_DIGIT}{{4,12}})(?![{HAN}])",
    ),
    _rule(
        "chinese pair",
        rf"(?:账号|帐号|帳號|用户名|账户|登录名?)(?:和|及|/|、)?{_HAN_WORD}?(?:分别)?(?:是|为|:|\s){{0,3}}"
        rf"[^\s/|,、和{HAN}]{{2,40}}\s?(?:[/|,、和]|\s)\s?{_VALUE}",
        _is_very_mixed,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.PASSWORD, (*_SAID, *_WRITTEN, *_CHINESE)),)
