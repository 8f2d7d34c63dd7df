"""Keys and tokens of programs, and private keys."""

import re
from itertools import pairwise

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CHECKED, CUED, GUESSED, SHAPED
from ledger.privacy.reading import HAN, KEY_BEGIN, KEY_BLOCK, KEY_BODY, KEY_HEADERS, words
from ledger.privacy.rules import Rule, Shapes, value

_FROM = r"(?<![A-Za-z0-9_])"
_WORD = f"(?:{'|'.join(sorted(words('secret_words.txt')))})(?![A-Za-z])"
_HAN_WORD = "(?:密钥|密鑰|秘钥|秘鑰|令牌|凭证|憑證|凭据|憑據|私钥|私鑰|授权码|授權碼|激活码|签名串)"
_IS = (
    r"(?::=|=>|->|[:=→]|(?:是|为|為|叫|填|换成|改成|改为|更新为)了?|(?:is|are|was|to)(?![A-Za-z]))"
)
_QUOTE = r"""['"`“「(<]{0,3}"""
_LINK = (
    r"""(?:['"`]?\\?(?:\s[A-Za-z0-9'_-]{1,16}){0,5}?(?:\s?\([^()\n]{1,20}\))?\s{0,3}"""
    rf"[{HAN}]{{0,6}}?{_IS}(?:\snow)?|\s)\s{{0,3}}{_QUOTE}"
)
_HIGH = 4  # changes between capitals, small letters and digits: more than a word or a name has


def _tokens() -> tuple[Rule, ...]:
    rules = []
    for line in sorted(words("tokens.txt")):
        name, pattern = line.split("\t")
        rules.append(Rule(name, re.compile(f"{_FROM}(?:{pattern})(?![A-Za-z0-9])"), CHECKED))
    return tuple(rules)


def _classes(text: str) -> str:
    """One character for each letter and digit: what class it is of."""
    return "".join("0" if c.isdigit() else "A" if c.isupper() else "a" for c in text if c.isalnum())


def _changes(text: str) -> int:
    classes = _classes(text)
    return sum(a != b for a, b in pairwise(classes))


def _random_looking(match: re.Match[str]) -> bool:
    """Letters and digits, or letters in such an order of capitals as no word has."""
    found = value(match)
    classes = set(_classes(found))
    return {"0"} < classes or (len(classes) > 1 and _changes(found) > _HIGH)


def _very_random(match: re.Match[str]) -> bool:
    """So mixed that no word before it is needed, and no part of a certificate."""
    begin = match.string.rfind(KEY_BEGIN, 0, match.start())
    block = KEY_BLOCK.match(match.string, begin) if begin >= 0 else None
    if block is not None and match.end() <= block.end():
        return False  # which another rule finds where it is the block of a private key
    found = value(match)
    body = re.split("[_-]", found)[-1]
    return set(_classes(body)) == {"0", "A", "a"} and _changes(body) > len(body) // 4


def _is_no_identifier(match: re.Match[str]) -> bool:
    """Random, and not words and numbers joined as a program joins them."""
    found = value(match)
    joined = any(c in "_.-" for c in found)
    return _random_looking(match) and (not joined or _changes(found) > _HIGH)


ASSIGNED = Rule(
    "assignment",
    re.compile(
        rf"{_WORD}{_LINK}(?:bearer )?(?P<value>[A-Za-z0-9_+/.~-]{{10,512}}(?<!\.)={{0,2}})",
        re.IGNORECASE,
    ),
    CUED,
    _random_looking,
)
HAN_ASSIGNED = Rule(
    "chinese assignment",
    re.compile(
        rf"{_HAN_WORD}(?:[{HAN}]{{0,8}}?\s?{_IS})?\s{{0,3}}(?:bearer )?{_QUOTE}"
        r"(?P<value>[A-Za-z0-9_+/.~-]{10,512}(?<!\.)={0,2})",
        re.IGNORECASE,
    ),
    CUED,
    _random_looking,
)
KEY = Rule(
    "key",
    # A key alone may be one of a table or a keyboard: what follows must be long.
    re.compile(
        rf"(?:key|pat|(?<![A-Za-z])[AS]K|webhook|dsn|sid|hmac|signature|sig)['\"`]?(?:\s?{_IS}|\s)"
        rf"\s{{0,3}}{_QUOTE}(?P<value>[A-Za-z0-9_+/.~-]{{20,512}}(?<!\.)={{0,2}})",
        re.IGNORECASE,
    ),
    CUED,
    _is_no_identifier,
)
BEARER = Rule(
    "bearer",
    re.compile(
        r"(?<![A-Za-z])(?:bearer|basic|token|apikey) (?P<value>[A-Za-z0-9_+/=.~-]{10,4000}(?<!\.))",
        re.IGNORECASE,
    ),
    CUED,
    _random_looking,
)
AWS_SECRET = Rule(
    "aws secret",
    re.compile(
        r"(?<![A-Za-z0-9/+=])(?=[A-Za-z0-9/+]{0,39}[0-9])(?=[A-Za-z0-9/+]{0,39}[a-z])"
        r"(?=[A-Za-z0-9/+]{0,39}[A-Z])(?=[A-Za-z0-9]{0,39}[/+])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])"
    ),
    SHAPED,
    lambda match: match[0].count("/") < 5,  # more is a path
)
RANDOM = Rule(
    "random",
    re.compile(
        r"(?<![A-Za-z0-9_/.=+-])(?<!SHA256:)(?:(?:[a-z][a-z0-9]{1,11}[_-]){1,3}[A-Za-z0-9]{20,200}|"
        r"[A-Za-z0-9]{32,200})(?![A-Za-z0-9/+])"
    ),
    GUESSED,
    _very_random,
)

_PEM = r"(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----"

PEM = Rule(
    "pem",
    # The end may be cut off: then all that still looks like the body of a key belongs to it.
    re.compile(rf"{KEY_BEGIN}{_PEM}{KEY_HEADERS}(?:[^-]{{0,20000}}+-----END {_PEM}|{KEY_BODY})"),
    CHECKED,
)
PEM_REST = Rule(
    "pem rest",
    re.compile(
        r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{40,76}+(?:\s[A-Za-z0-9+/=]{1,76}+){0,400}+\s{0,3}"
        rf"-----END {_PEM}"
    ),
    CHECKED,
)

RECOGNISERS = (
    Shapes(
        PrivateKind.SECRET, (*_tokens(), ASSIGNED, HAN_ASSIGNED, KEY, BEARER, AWS_SECRET, RANDOM)
    ),
    Shapes(PrivateKind.PRIVATE_KEY, (PEM, PEM_REST)),
)
