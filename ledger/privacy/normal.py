"""The normal form of a private thing: the same for all spellings of the same value."""

import re
import unicodedata

from ledger.policy.privacy import PrivateKind
from ledger.privacy.reading import half_width

_NUMBERS = frozenset({PrivateKind.ID_CARD, PrivateKind.PASSPORT, PrivateKind.BANK_CARD})
_VERBATIM = frozenset({PrivateKind.SECRET, PrivateKind.PASSWORD})
_FORM_OF_ADDRESS = re.compile(r"(?:dr|mr|mrs|ms|miss|mx|prof|professor)\.? ")
# What a sentence hangs on a name: "Ann's", "with Ann."
_HUNG = re.compile(r"(?<=\w)(?:'s?|\.)+\Z")
_CHINESE_MOBILE = re.compile(r"(?:86)?(1[3-9][0-9]{9})")


def normal(kind: PrivateKind, original: str) -> str:
    """What two spellings of one value have in common.

    All are in half-width forms. Secrets and passwords keep their case and blanks, private keys
    their case; everything else is case-folded and without the blanks and dashes that only group.
    A name is the same with and without its form of address (Dr. Smith, Smith) and what a sentence
    hangs on it (Smith's).
    """
    text = unicodedata.normalize("NFC", half_width(original)).strip()
    if kind in _VERBATIM:
        return text
    if kind is PrivateKind.PHONE:
        return _phone(text)
    if kind is PrivateKind.PRIVATE_KEY:
        return re.sub(r"\s", "", text)
    if kind in _NUMBERS:
        return re.sub(r"[\s.()-]", "", text).casefold()
    folded = re.sub(r"\s+", " ", text).casefold()
    if kind is not PrivateKind.NAME:
        return folded
    return _HUNG.sub("", _FORM_OF_ADDRESS.sub("", folded))


def _phone(text: str) -> str:
    """With `+` and the country's code where it is told or, as for Chinese mobiles, known."""
    bare = re.sub(r"[^0-9]", "", text)
    international = text.startswith(("+", "00"))
    if text.startswith("00"):
        bare = bare[2:]
    mobile = _CHINESE_MOBILE.fullmatch(bare)
    if mobile:
        return f"+86{mobile[1]}"
    return f"+{bare}" if international else bare
