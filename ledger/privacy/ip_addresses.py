"""IP addresses, version 4 and 6, with their zone and the length of their prefix; no versions."""

import re
from ipaddress import AddressValueError, IPv6Address

from ledger.policy.privacy import PrivateKind
from ledger.privacy.rules import CHECKED, Rule, Shapes, compiled

_OCTET = r"(?:25[0-5]|2[0-4]\d|[01]?\d?\d)"
_FOUR = rf"{_OCTET}(?:\.{_OCTET}){{3}}"
_PREFIX = r"(?:/\d{1,3}(?![0-9A-Za-z./]))?"
_VERSION_BEFORE = re.compile(
    r"(?:(?<![a-z])(?:version|ver|v|release|releases|build|section|sections|sec|chapter|clause|"
    r"article|paragraph|firmware|driver|chrome|firefox|edge|revision|rev|appendix|figure|step|item|"
    r"update|upgrade|upgraded)(?:\s(?:to|is|no|number))?|§|版本号?|固件|升级[到至]|更新[到至]|章节|"
    r"第|条款|条目|小节)[\s.:是为]{0,3}\Z",
    re.IGNORECASE,
)
_VERSION_BEHIND = re.compile(
    r"-(?:alpha|beta|rc|dev|pre|snapshot|build|release|final|stable|lts|ga|hotfix|patch|p\d)|"
    r"\s?(?:版|release|version|节|條款|条款|小节)(?![a-z])",
    re.IGNORECASE,
)


def _is_four(match: re.Match[str]) -> bool:
    if _VERSION_BEFORE.search(match.string, max(0, match.start() - 24), match.start()):
        return False
    return _VERSION_BEHIND.match(match.string, match.end()) is None


def _is_six(match: re.Match[str]) -> bool:
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
    return len(groups) > 2 or len(groups[0]) == 4 or "." in match["address"]


IP = (
    Rule(
        "ip 4",
        compiled(
            rf"(?:(?<=ip)|(?<![0-9A-Za-z_.]))(?P<address>{_FOUR})(?![0-9A-Za-z_])(?!\.[0-9]){_PREFIX}"
        ),
        CHECKED,
        _is_four,
    ),
    Rule(
        "ip 6",
        compiled(
            r"(?<![0-9A-Za-z_.])(?:(?<=v6:)|(?<![0-9A-F]:))(?<!::)(?=[0-9A-F]{1,4}:|::)"
            rf"(?P<address>(?:[0-9A-F]{{0,4}}:){{2,7}}(?:{_FOUR}|[0-9A-F]{{1,4}}|(?<=::)))"
            rf"(?![0-9A-Za-z_]|:[0-9A-F:]|\.[0-9])(?:%[0-9A-Za-z._-]{{1,20}}(?<![.]))?{_PREFIX}"
        ),
        CHECKED,
        _is_six,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.IP, IP),)
