"""Names that are written small, behind words that leave no doubt: "my wife priya", "call sam"."""

import re
from collections.abc import Iterator

from ledger.privacy.findings import CUED
from ledger.privacy.reading import LATIN, alternatives, words

SAID_TO = (
    r"(?:tell|told|ask|asked|text|texted|email|emailed|promised|invite|invited|thank|"
    r"remind|married|"
    r"dating|met|meet|owe|owes|owed|hug|kissed|miss|missed|love|loves|thanked|hired|fired)"
)
RELATION = (
    r"(?:wife|husband|partner|spouse|fianc[eé]e?|girlfriend|boyfriend|brother|sister|son|daughter|"
    r"mother|father|mom|mum|dad|cousin|uncle|aunt|nephew|niece|grandma|grandpa|friend|bestie|buddy|"
    r"colleague|coworker|co-worker|boss|manager|neighbou?r|roommate|flatmate|doctor|dentist|"
    r"intern|client|customer|student|patient|tenant|candidate|accountant|plumber|electrician|nurse|"
    r"professor|supervisor|director|ceo|cto|founder|guest|host|guy|girl|"
    r"therapist|lawyer|teacher|tutor|coach|assistant|landlord|ex|twin|kid|baby|nanny|"
    r"babysitter|in-law)"
)

_ASKED = (
    r"(?:tell|told|ask|asked|text|texted|call|called|email|emailed|message|messaged|ping|pinged|"
    r"invite|invited|thank|remind|married|dating|meet|met|owe|hug|miss|visit|phone|facetime|with|"
    r"for|from|to|by|and)"
)
_CALLED = (
    r"(?:(?:name is|name's|call me|am called|i'm called|known as|goes by|named|is called|called|"
    r"名叫|名字是|姓名[:是]) ?|叫做? ?)"
)
_NAMED = rf"(?P<name>[a-z]{{2,20}})(?![{LATIN}'-])"
_SYLLABLE = r"[bpmfdtnlgkhjqxzcsryw]?h?[aeiouv]{1,3}(?:ng|n|r)?"
_PINYIN = re.compile(
    rf"(?:{alternatives(words('pinyin_surnames.txt'))}) (?:{_SYLLABLE}){{1,2}}(?: {_SYLLABLE})?"
    r"(?![a-z'])"
)
_OWN = rf"(?<![{LATIN}])(?:my|his|her|our|their) (?:\w{{2,12}} )?{RELATION}"
_CUES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![{LATIN}]){_CALLED}{_NAMED}",
        rf"{_OWN}(?:,| is)? {_NAMED}",
        rf"(?<![{LATIN}]){_ASKED} {_NAMED}",
        rf"(?<![{LATIN}])(?:hi|hey|hello|dear|thanks|thank you),? {_NAMED}(?=\s*(?:[,.!?\n]|\Z))",
        rf"(?<![{LATIN}])i(?:'m| am) {_NAMED}(?=\s*(?:[,.!?\n]|\Z|(?:and|from|here|by)(?![a-z])))",
    )
)


def spans(text: str) -> Iterator[tuple[int, int, str, float]]:
    """Where the names lie, with the rule and how sure it is."""
    for pattern in _CUES:
        for match in pattern.finditer(text):
            start = match.start("name")
            pinyin = _PINYIN.match(text, start)
            if pinyin:
                yield start, pinyin.end(), "small pinyin", CUED
            elif _is_name(match["name"]):
                yield start, match.end("name"), "small", CUED


def _is_name(word: str) -> bool:
    """Whether a word in small letters can be nothing but a given name."""
    if not word.islower() or word in words("not_names_en.txt"):
        return False
    name = word.capitalize()
    return name in words("given_names.txt") and name not in words("given_names_or_words.txt")
