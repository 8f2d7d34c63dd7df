"""Passwords in assignments, commands and links; those that a sentence tells are the tagger's.

The value alone is private, not what is said of it.
"""

import re
from collections.abc import Callable

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CUED
from ledger.privacy.reading import HAN, PICTURES, words
from ledger.privacy.rules import Rule, Shapes, value

# What is typed as a password; it does not end with the punctuation of its sentence.
_TYPED = rf"[^\s,;、。'\"`<>“”「」『』【】«»\ufffc{PICTURES}{HAN}]"
_ENDS = r"(?<![.?:()\[\]{}])"
_VALUE = (
    rf"['\"`“「『【«<(?{PICTURES}]{{0,2}}(?![:=])"
    rf"(?P<value>{_TYPED}{{3,128}}+{_ENDS}|{_TYPED}{{2,127}}{_ENDS})"
)
_LATIN = (
    r"(?:pass[ -]?(?:word|code|phrase)|pass(?:wd|wrd|wort)|kennwort|contrase[nñ]a|senha|"
    r"mot\sde\spasse|p(?:ass|as|s)?w(?:or)?d|pass?(?:wrod|owrd|wod|ord)|pw|p/w|psw)"
)
_IS = r"(?::=|=>|->|[:=→])"
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
_PORTS = re.compile(r"(?:[\d.]+:)?[\d-]+:[\d-]+(?:/(?:tcp|udp))?")
_SYMBOLS = frozenset("!@#$%^&*_+=~|\\")


def _after(match: re.Match[str], pattern: re.Pattern[str]) -> bool:
    return pattern.match(match.string, match.end("value")) is not None


def _is_word(match: re.Match[str]) -> bool:
    """Whether the value is an ordinary word that tells about a password, or stands in for one."""
    found = value(match).lower().rstrip("!.?")
    stands_in = _STAND_IN.fullmatch(found) is not None or _after(match, _CALLED)
    listed = found in words("not_passwords.txt") or _DESCRIPTION.fullmatch(found) is not None
    return stands_in or listed


def _is_mixed(match: re.Match[str]) -> bool:
    """Whether the value looks like nothing but a password."""
    found = value(match)
    if _after(match, _COUNTED) or _is_word(match):
        return False
    if any(map(str.isdigit, found)):
        return len(found) > 3
    return bool(_SYMBOLS & set(found[:-1])) or (not found.islower() and not found[1:].islower())


def _is_given(match: re.Match[str]) -> bool:
    return not _is_word(match) and not _after(match, _COUNTED)


def _is_assigned(match: re.Match[str]) -> bool:
    """Some usual ones look like a description: "password: infected"."""
    return _is_given(match) or value(match).lower() in _USUAL


def _is_option(match: re.Match[str]) -> bool:
    """What is given to a program, and no ports that it opens: "-p 8080:80"."""
    return _is_mixed(match) and _PORTS.fullmatch(value(match)) is None


def _rule(
    name: str, pattern: str, check: Callable[[re.Match[str]], bool] = lambda match: True
) -> Rule:
    return Rule(name, re.compile(pattern, re.IGNORECASE), CUED, check)


_RULES = (
    _rule(
        "assigned", rf"{_LATIN}['\"`*\\]{{0,3}}\s{{0,2}}{_IS}[\s*]{{0,3}}\\?{_VALUE}", _is_assigned
    ),
    _rule(
        "assigned in Chinese",
        rf"(?:密[码碼]|口令|卡密|提取[码碼]|解[压壓][码碼])\s?(?:{_IS}|[是为為])\s?{_VALUE}",
        _is_mixed,
    ),
    _rule("stated", rf"(?<![A-Za-z0-9]){_LATIN}\s(?:is|was)\s{_VALUE}", _is_mixed),
    _rule("dashed", rf"(?<![A-Za-z0-9]){_LATIN}\s[-–—]\s{_VALUE}(?=\s*(?:[,;\n]|\Z))", _is_mixed),
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
        _is_option,
    ),
    _rule(
        "user and password",
        r"(?<![a-z])(?:curl|wget|http|https|smbclient|ab|xh)(?:\s[^\n\s]{1,120}){0,6}?\s"
        rf"(?:-u|-U|-a|--user|--auth)[\s=]?['\"]?[^\s:'\"%]{{1,64}}[:%](?P<value>{_TYPED}{{1,128}})",
    ),
    _rule("option", rf"--?(?:\w{{1,20}}-)?(?:pass|{_LATIN})[\s=]['\"]?{_VALUE}", _is_mixed),
    _rule("identified by", rf"identified\s(?:with\s\S{{1,40}}\s)?by\s{_VALUE}", _is_given),
    _rule("required", rf"(?:requirepass|masterauth)\s{_VALUE}", _is_given),
    _rule("network card", r"WIFI:(?:[a-z]:[^;\n]{0,64};){0,5}?P:\"?(?P<value>[^;\n\"]{3,64})"),
    _rule(
        "net use",
        rf"(?<![a-z])net\s(?:use(?:\s\S{{1,60}}){{1,3}}?\s/user:\S{{1,40}}|user\s[^\s/]{{1,40}})"
        rf"\s(?!/)(?P<value>{_TYPED}{{3,64}})",
        _is_mixed,
    ),
    _rule("pass:", rf"-pass(?:in|out)?\spass:(?P<value>{_TYPED}{{3,128}})"),
)

RECOGNISERS = (Shapes(PrivateKind.PASSWORD, _RULES),)
