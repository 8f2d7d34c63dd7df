"""Private numbers: identity cards, passports, bank cards, e-mail addresses."""

import re
from datetime import date

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CHECKED, CUED, SHAPED
from ledger.privacy.rules import FROM, TO, Rule, Shapes, compiled, digits, value

_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_WORD = r"(?:身份证|身分證|身份證|证件|證件|id card|id number|identity card)[^\n]{0,12}?"
_ID_18 = r"[1-8]\d{5}[ -]?(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[ -]?\d{3}[\dX]"
_ID_GROUPS = r"[1-8](?:[ -]?\d){16}[ -]?[\dX]"  # "110 105 1988 0104 2980"
_CENTURIES = ("18", "19", "20")
_PROVINCES = "1[1-5]|2[1-3]|3[1-7]|4[1-6]|5[0-4]|6[1-5]|71|8[123]"


def _is_date(year: int, month_and_day: str) -> bool:
    try:
        date(year, int(month_and_day[:2]), int(month_and_day[2:]))
    except ValueError:
        return False
    return True


def _id_checksum(match: re.Match[str]) -> bool:
    """GB 11643-1999: ISO 7064 MOD 11-2 over the first 17 digits."""
    number = re.sub("[ -]", "", value(match)).upper()
    total = sum(int(c) * weight for c, weight in zip(number, _ID_WEIGHTS, strict=False))
    return number[17] == "10X98765432"[total % 11] and _id_date(match)


def _id_date(match: re.Match[str]) -> bool:
    number = re.sub("[ -]", "", value(match))
    if len(number) == 15:
        return _is_date(1900 + int(number[6:8]), number[8:12])
    return number[6:8] in _CENTURIES and _is_date(int(number[6:10]), number[10:14])


def _hong_kong_checksum(match: re.Match[str]) -> bool:
    letters = match["letters"].upper().rjust(2, "\0")
    codes = [36 if c == "\0" else ord(c) - 55 for c in letters]
    codes += [int(c) for c in match["digits"]]
    total = sum(code * (9 - i) for i, code in enumerate(codes))
    check = match["check"].upper()
    return (total + (10 if check == "A" else int(check))) % 11 == 0


def _taiwan_checksum(match: re.Match[str]) -> bool:
    code = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(match[0][0].upper()) + 10
    values = [code // 10, code % 10, *map(int, match[0][1:])]
    return (
        sum(v * w for v, w in zip(values, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1), strict=True)) % 10 == 0
    )


ID_CARD = (
    Rule("chinese id", compiled(FROM + _ID_GROUPS + TO), CHECKED, _id_checksum),
    Rule(
        "chinese id word", compiled(_ID_WORD + FROM + f"(?P<value>{_ID_18})" + TO), CUED, _id_date
    ),
    Rule(
        "old chinese id",
        compiled(
            FROM
            + rf"(?:{_PROVINCES})\d{{4}}\d{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{{3}}"
            + TO
        ),
        SHAPED,
        _id_date,
    ),
    Rule(
        "hong kong id",
        compiled(FROM + r"(?P<letters>[A-Z]{1,2})(?P<digits>\d{6})\((?P<check>[0-9A])\)"),
        CHECKED,
        _hong_kong_checksum,
    ),
    Rule("taiwan id", compiled(FROM + r"[A-Z][12]\d{8}" + TO), CHECKED, _taiwan_checksum),
    Rule(
        "social security",
        compiled(FROM + r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}" + TO),
        SHAPED,
    ),
)

_PASSPORT_WORD = r"(?:passport|护照|護照|通行证|通行證)[^\n。！？!?]{0,30}?"
PASSPORT = (
    Rule(
        "chinese passport",
        re.compile(
            FROM + r"(?:[EG][0-9]{8}|E[A-HJ-NP-Z][0-9]{7}|[DSP]E?[0-9]{7}(?<=[DSP]E[0-9]{7}))" + TO
        ),
        SHAPED,
    ),
    Rule(
        "passport word",
        compiled(
            _PASSPORT_WORD
            + FROM
            + r"(?P<value>[A-Z]{0,3}[ ]?\d{6,9}[A-Z]?|[A-Z]\d[A-Z0-9]{6,7})"
            + TO
        ),
        CUED,
    ),
)

_CARD = (
    r"\d{4}(?:[ -]?\d{4}){2}(?:[ -]?\d{1,4}){1,2}|\d{4}[ -]\d{6}[ -]\d{4,5}|\d{13,19}|"
    r"\d{6}[ -]\d{13}"
)
# Issuers that are there (ISO/IEC 7812): American Express, Diners, JCB, Visa, Mastercard, Mir,
# UnionPay, Discover, Maestro, RuPay.
_ISSUERS = re.compile(r"3[0-9]|4|5[0-9]|2[0-7]|6[0-9]|8[1-2]")
_CARD_WORD = (
    r"(?:银行卡|銀行卡|储蓄卡|信用卡|借记卡|卡号|卡號|银行账号|银行账户|credit card|debit card|"
    r"card number|bank card|visa|mastercard|amex|account number)[^\n。！？!?]{0,20}?"
)
_CARD_LENGTHS = range(13, 20)


def _plausible_card(match: re.Match[str]) -> bool:
    number = digits(value(match))
    several = len(set(number)) > 1
    return several and len(number) in _CARD_LENGTHS and _ISSUERS.match(number) is not None


def _luhn(match: re.Match[str]) -> bool:
    """ISO/IEC 7812-1, annex B."""
    number = [int(c) for c in reversed(digits(value(match)))]
    doubled = (sum(divmod(2 * digit, 10)) for digit in number[1::2])
    return (sum(number[::2]) + sum(doubled)) % 10 == 0 and _plausible_card(match)


BANK_CARD = (
    Rule("luhn", compiled(FROM + f"(?:{_CARD})" + TO), CHECKED, _luhn),
    Rule(
        "card word", compiled(_CARD_WORD + FROM + f"(?P<value>{_CARD})" + TO), CUED, _plausible_card
    ),
)


_LOCAL = r"A-Za-z0-9\u00c0-\u024f_%+'-"
EMAIL = (
    Rule(
        "e-mail",
        re.compile(
            rf"(?<![{_LOCAL}])(?<![{_LOCAL}]\.)(?!git@)[{_LOCAL}][{_LOCAL}.]{{0,63}}+@"
            r"(?:[A-Za-z0-9\u00c0-\u024f]"
            r"(?:[A-Za-z0-9\u00c0-\u024f-]{0,61}[A-Za-z0-9\u00c0-\u024f])?\.){1,8}"
            r"(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,40})(?![A-Za-z0-9])"
        ),
        CHECKED,
    ),
)

RECOGNISERS = (
    Shapes(PrivateKind.ID_CARD, ID_CARD),
    Shapes(PrivateKind.PASSPORT, PASSPORT),
    Shapes(PrivateKind.BANK_CARD, BANK_CARD),
    Shapes(PrivateKind.EMAIL, EMAIL),
)
