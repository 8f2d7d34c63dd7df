"""IP addresses, version 4 and 6, with their zone and the length of their prefix; no versions."""

import re
from ipaddress import AddressValueError, IPv6Address

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CHECKED
from ledger.privacy.rules import Rule, Shapes, compiled

_OCTET = r"(?:25[0-5]|2[0-4]\d|[01]?\d?\d)"
# Also the full stop of a Chinese keyboard, and "10[.]0[.]0[.]1", which nobody clicks on.
_FOUR = rf"{_OCTET}(?:(?:\.|。|\[\.\]|\(\.\)){_OCTET}){{3}}"
_SPOKEN = "[0-9零〇一二三四五六七八九幺]{1,3}"
_NUMERALS = str.maketrans("零〇一二三四五六七八九幺", "001234567891")
_SPACED = r"(?:\.\s|\s\.\s?|·|点|點|\sdot\s)"
_PREFIX = rf"(?P<prefix>/(?:{_FOUR}|\d{{1,3}})(?![0-9A-Za-z/]|\.[0-9]))?"
_VERSION_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:version|ver|v|release|releases|build|section|sections|sec|chapter|clause|"
    r"article|paragraph|firmware|driver|chrome|firefox|edge|revision|rev|appendix|figure|step|item|"
    r"update|upgrade|upgraded|python|java|jdk|php|ios|macos|chromium|rule|patch|sdk|(?:upgraded|updated)\s(?!to\s)[a-z]{2,20})"
    r"(?:\s(?:to|is|no|number|(?:went|was|got|upgraded|updated|goes|moved)\s(?:from|to)))?|§|版本号?|固件|内核|补丁|安卓|微信|升级[到至]|更新[到至]|[章节]|依赖库|第|条款|条目|小节)"
    r"[\s._:是为]{0,3}\Z",
    re.IGNORECASE,
)
_VERSION_BEHIND = re.compile(
    r"-(?:alpha|beta|rc|dev|pre|snapshot|build|release|final|stable|lts|ga|hotfix|patch|p\d)|"
    r"\s?(?:版|release|version|节(?!点)|條款|条款|小节)(?![a-z])",
    re.IGNORECASE,
)


_SUFFIX = (  # of a version: a word may be glued behind an address, as in "把10.0.0.1ban掉"
    r"(?:[a-z]|rc|alpha|beta|dev|post|pre|final|build|release|patch|hotfix)[0-9]*(?![a-z])"
)
# The machine itself, networks at home and in offices (RFC 1122, 1918, 3927): no version begins so.
_PRIVATE = re.compile(r"127\.0\.0\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.")
# What is set to an address, and to no version.
_SET = re.compile(
    r"(?<![a-z])(?:dns|a\srecord|ip|gateway|allow\s?list|white\s?list)(?![a-z])|"
    r"解析|记录|域名|地址|指向|白名单|网关",
    re.IGNORECASE,
)
_LIBRARY = re.compile(r"[^.]\.\Z")  # the version of a library: libssl.so.1.0.2.8
# What an address may be glued to: "ping8.8.8.8". Other words have a version behind them.
_GLUED = re.compile(
    r"(?:(?<![a-z])(?:ping|ssh|scp|curl|wget|telnet|nc|nmap|mtr|dig|tracert|traceroute|nslookup|rdp|"
    r"ftp|sftp|to|from|at|via|is|node|master|slave|db|redis|mysql|web|proxy|wan|lan|gw|gateway|peer|"
    r"wg|vps|pc)|ip_?|v4_|[ds]ns|nas|vp[ns]|host|addr|server)\Z",
    re.IGNORECASE,
)
_LETTER = re.compile("[A-Za-z_]")
# What is updated on a machine: "更新到47.93.12.8上".
_MACHINE_BEHIND = re.compile(r"\s?(?:上|那台|这台|機|机器|服务器|主机|节点)")
_GROUPS = 8
_PORT = re.compile(r":\d{2,5}(?![\d.:])")
_GROUP_BEFORE = re.compile(r"(?<![0-9A-Za-z])[0-9A-F]{1,4}:\Z", re.IGNORECASE)


def _is_four(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 24) : match.start()]
    if match["address"].startswith("255."):
        return False  # the mask of a network, which all have
    private = _PRIVATE.match(match["address"]) or match["prefix"]
    if not private and _LETTER.match(before[-1:]) and not _GLUED.search(before):
        return False
    if len(re.findall(r"[12]\d\d", match["address"])) > 1:
        return True  # numbers as high as that are rare in versions
    if private or _PORT.match(match.string, match.end()):
        return True
    if _LIBRARY.search(match.string, max(0, match.start() - 3), match.start()):
        return False
    if _VERSION_BEFORE.search(before) and not _MACHINE_BEHIND.match(match.string, match.end()):
        return "版本" not in before and _SET.search(before) is not None
    return _VERSION_BEHIND.match(match.string, match.end()) is None


def _is_spoken(match: re.Match[str]) -> bool:
    """Numbers as high as an address has, so that it is no list: "1. 2. 3. 4."."""
    said = re.findall(_SPOKEN, match[0])
    octets = [int(number.translate(_NUMERALS)) for number in said]
    return max(octets) <= 255 and (octets[0] == 10 or sum(octet > 99 for octet in octets) > 1)


def _is_six(match: re.Match[str]) -> bool:
    if _GROUP_BEFORE.search(match.string, max(0, match.start() - 6), match.start()):
        return False  # the rest of a longer run, as of times or of hardware addresses
    try:
        address = IPv6Address(match["address"])
    except AddressValueError:
        return False
    if address.is_loopback:
        return True
    # `a::b` is more often two names of a program than an address.
    groups = [group for group in match["address"].split(":") if group]
    if not groups:
        return False  # a bare `::` is more often C++ or Rust
    # Nor are short numbers alone, as in a ratio of ratios.
    begun = match["address"].startswith("::")
    long = begun or len(groups) == _GROUPS or any(len(group) > 2 for group in groups)
    shaped = (long and len(groups) > 2) or len(groups[0]) == 4 or "." in match["address"]
    return shaped or match["prefix"] is not None


IP = (
    Rule(
        "ip 4",
        compiled(
            rf"(?<![0-9])(?<![0-9]\.)(?P<address>{_FOUR})"
            rf"(?![0-9_])(?!{_SUFFIX})(?!\.[0-9]){_PREFIX}"
        ),
        CHECKED,
        _is_four,
    ),
    Rule(
        "network",  # 192.168.1.x
        compiled(
            r"(?<![0-9A-Za-z_.])(?:192\.168|172\.(?:1[6-9]|2\d|3[01])|10\.(?:\d{2,3}|0))"
            r"\.(?:\d{1,3}|x{1,3}|\*)\.(?:x{1,3}|\*)(?![0-9A-Za-z_*]|\.[0-9A-Za-z])"
        ),
        CHECKED,
    ),
    Rule(
        "spoken",  # 192点168点1点5, 一九二点一六八点一点五, "192. 168. 1. 5"
        compiled(
            rf"(?<![0-9A-Za-z.]){_SPOKEN}(?P<point>{_SPACED}){_SPOKEN}(?:(?P=point){_SPOKEN}){{2}}"
            rf"(?![0-9A-Za-z]|(?P=point)?{_SPOKEN})"
        ),
        CHECKED,
        _is_spoken,
    ),
    Rule(
        "ip 6",
        compiled(
            r"(?:(?<=ip)|(?<![0-9A-Za-z_.]))(?<!::)(?!:::)(?=[0-9A-F]{1,4}:|::)"
            rf"(?P<address>(?:[0-9A-F]{{0,4}}:){{2,7}}(?:{_FOUR}|[0-9A-F]{{1,4}}|(?<=::)))"
            rf"(?![0-9A-Za-z_]|:[0-9A-F:]|\.[0-9])(?:%[0-9A-Za-z._-]{{1,20}}(?<![.]))?{_PREFIX}"
        ),
        CHECKED,
        _is_six,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.IP, IP),)
