"""Phone numbers: Chinese ones, international ones, and those that a word tells."""

import re

import phonenumbers

from ledger.policy.privacy import PrivateKind
from ledger.privacy.findings import CHECKED, CUED, SHAPED
from ledger.privacy.rules import FROM, TO, Rule, Shapes, compiled, digits, value

_PHONE_WORD = (
    r"(?:(?<![A-Za-z])(?:phone|mobile|cell|tel|telephone|call|ring|text|dial|fax|whatsapp|sms|reach|contact|"
    r"my number)|电话|電話|手机|手機|座机|座機|热线|熱線|致电|拨打|撥打|传真|傳真|联系|聯繫|"
    r"联络|聯絡|分机)"
)
_REGIONS = ("GB", "FR", "DE", "JP", "AU", "IN", "TW", "KR", "IT", "NL")
_MIN_DIGITS, _MAX_DIGITS = 7, 15  # of a phone number (ITU-T E.164)
_DATE = re.compile(
    r"(?:19|20)\d\d[-./ ]?(?:0?[1-9]|1[0-2])[-./ ]?[0-3]?\d(?!\d)|"
    r"\d{1,2}[-./]\d{1,2}[-./](?:19|20)\d\d"
)


def _possible_phone(match: re.Match[str], *regions: str | None) -> bool:
    text = re.sub(r"^00", "+", re.split(_EXTENSION_WORD, value(match))[0])
    for region in regions or (None,):
        try:
            number = phonenumbers.parse(text, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return True
        if region is None and len(text) > len(digits(text)) + 1:
            return phonenumbers.is_possible_number(number)
    return False


def _national_phone(match: re.Match[str]) -> bool:
    if re.fullmatch(r"[0-9]{5}-[0-9]{4}", match[0]):
        return False  # an American postcode
    return len(digits(match[0])) >= 9 and _possible_phone(match, *_REGIONS)


def _american_phone(match: re.Match[str]) -> bool:
    return not re.fullmatch(r"[0-9 ]+", value(match)) or _possible_phone(match, "US")


def _told_phone(match: re.Match[str]) -> bool:
    found = value(match)
    enough = _MIN_DIGITS <= len(digits(found)) <= _MAX_DIGITS
    return enough and not _DATE.match(found)


_EXTENSION_WORD = r"\s?(?:转|轉|分[机機]|ext\.?|x)\s?"
_EXTENSION = rf"(?:{_EXTENSION_WORD}\d{{1,6}})?"
_UNIT = r"(?!\s?(?:元|块|塊|円|个|個|次|人|年|%|times|people|dollars|euros|yuan|usd|miles|km))"

_RULES = (
    Rule(
        "chinese mobile",
        compiled(
            r"(?:(?<=tel)|(?<=phone)|(?<=mobile)|" + FROM + r")(?:(?:\+|00)?\(?86\)?[ -]?)?"
            r"1[3-9]\d(?:[ .-]?\d{4}[ .-]?\d{4}|\d[ -]\d{3}[ -]\d{4}|[ -]\d{3}[ -]\d{5})" + TO
        ),
        CHECKED,
    ),
    Rule(
        "chinese landline",
        compiled(
            FROM + r"(?:(?:(?:\+|00)86[ -]?)?\(0(?:10|2\d|[3-9]\d{2})\)[ -]?|"
            r"(?:(?:\+|00)86[ -]?0?|0)(?:10|2\d|[3-9]\d{2})[ -]|0(?:10|2\d)(?=[2-9]\d{7}(?!\d)))"
            r"(?:[2-9]\d{6,7}|[2-9]\d{2,3}[ -]\d{4})(?:\s?(?:-|转|轉|分[机機]|ext\.?)\s?\d{1,6})?"
            + TO
        ),
        SHAPED,
        lambda match: len(digits(value(match))) >= 10,
    ),
    Rule("hotline", compiled(FROM + r"[48]00-\d{3,4}-\d{3,4}" + TO), SHAPED),
    Rule(
        "international",
        compiled(r"(?<![0-9A-Za-z_+])(?:\+|00)[1-9]\d{0,3}(?:[ ().-]{0,2}\d{1,5}){1,7}" + TO),
        CHECKED,
        _possible_phone,
    ),
    Rule(
        "north american",
        compiled(
            FROM + r"(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4}"
            r"(?:\s?(?:x|ext\.?)\s?\d{1,6})?" + TO
        ),
        SHAPED,
        _american_phone,
    ),
    Rule(
        "national",
        compiled(FROM + r"\(?0\d{1,4}\)?[ -]\d{2,6}(?:[ -]\d{2,6}){0,4}" + _EXTENSION + TO),
        SHAPED,
        _national_phone,
    ),
    Rule(
        "phone word",
        compiled(
            _PHONE_WORD
            + r"[^\n。！？!?]{0,30}?"
            + FROM
            + r"(?P<value>\(?\+?\d{2,5}\)?(?:[ -]\d{2,5}){1,4})"
            + TO
            + _UNIT
        ),
        CUED,
        _told_phone,
    ),
    Rule(
        "phone number word",
        compiled(
            _PHONE_WORD
            + r"(?:[ ':]|me|us|him|her|them|is|at|on|to|number|no\.?|号码|號碼|号|號|是|为|"
            r"為|了|我){0,8}"
            r"(?P<value>\+?\d{7,12})" + TO + _UNIT
        ),
        CUED,
        _told_phone,
    ),
)

RECOGNISERS = (Shapes(PrivateKind.PHONE, _RULES),)
