"""The subject told of in the third person ("User lives in Berlin"), read as if they spoke."""

import re
from functools import cache, lru_cache

from ledger.extraction.language import shape, table

_FIRST_PERSON = re.compile(r"(?<![\w'])(?:i|my|me|mine)(?![\w-])|我", re.IGNORECASE)
_ENDING = re.compile(r"(?<=[a-z])(?:(?P<y>ies)|(?<=ss|sh|ch)es|(?<=[xzo])es|(?<!s)s)$")
_Edit = tuple[int, int, str]


def as_first_person(text: str, start: int, end: int, speaker: str) -> tuple[str, list[int]]:
    """The sentence text[start:end) as its subject would say it, and where it comes from.

    The list has a place in the sentence for each character, and one for the end. The subject is
    "the user" (who is "they" from then on) in a text without a first person, or the speaker.
    """
    sentence = text[start:end]
    edits: list[_Edit] = []
    if speaker and speaker in sentence:
        edits = _edits(sentence, _subject(re.escape(speaker)))
    elif (named := _named_from(text)) is not None and named < end:
        edits = _edits(sentence, _subject(_nouns()))
        if named < start or edits:
            edits += _edits(sentence, _subject("they(?= )|their(?= )", own="their"))
    return _edited(sentence, sorted(set(edits))) if edits else (sentence, [])


def _nouns() -> str:
    return f"(?:{shape('SUBJECT_EN')}|{shape('SUBJECT_ZH')})"


# A text is asked about once for each of its sentences.
@lru_cache(maxsize=8)
def _named_from(text: str) -> int | None:
    """Where "the user" is first named in a text without a first person, or None."""
    match = _any_noun().search(text)
    return match.start() if match and not _FIRST_PERSON.search(text) else None


@cache
def _any_noun() -> re.Pattern[str]:
    return re.compile(_nouns(), re.IGNORECASE)


@cache
def _subject(noun: str, own: str = "") -> re.Pattern[str]:
    """The subject where a clause begins, with what follows: 's, or a verb after adverbs."""
    after = r"(?<=\band )|(?<=\bbut )|(?<=\bthat )|(?<=因为)|(?<=但是)"
    begin = rf"(?:^\W{{0,4}}|(?<=[,;:。.!?])\s{{0,2}}|{after})"
    is_own = rf"(?P<own>(?<={own})|'s)" if own else r"(?P<own>'s|的)"
    verb = rf"(?:(?P<adv>{shape('ADV')}(?: no longer| never)?) (?P<verb>[a-z]+(?:'t)?)(?!\w))"
    return re.compile(
        rf"{begin}(?P<who>{noun})(?:{is_own}(?=[\s\u4e00-\u9fff])|{verb}|(?=[\u4e00-\u9fff]))",
        re.IGNORECASE,
    )


def _edits(sentence: str, subject: re.Pattern[str]) -> list[_Edit]:
    edits: list[_Edit] = []
    for match in subject.finditer(sentence):
        own, after = match["own"] is not None, sentence[match.end() : match.end() + 1]
        han = not match["verb"] and after >= "\u4e00"
        words = ("我的" if own else "我") if han else ("my" if own else "I")
        edits.append((match.start("who"), match.end("own" if own else "who"), words))
        if match["verb"]:
            edits.append((*match.span("verb"), _base(match["verb"])))
    if edits:
        for match in _second_verb().finditer(sentence, edits[0][1]):
            edits.append((*match.span("verb"), f"I {_base(match['verb'])}"))
    return edits


@cache
def _second_verb() -> re.Pattern[str]:
    verbs = "|".join(table("shapes")["DOES_EN"])
    return re.compile(rf"(?:,| and|, and| but) (?P<verb>{verbs})(?!\w)", re.IGNORECASE)


def _base(verb: str) -> str:
    """A verb as it stands after "I"."""
    known: dict[str, str] = table("shapes")["VERBS_EN"]
    return known.get(verb.lower()) or _ENDING.sub(
        lambda ending: "y" if ending["y"] else "", verb.lower()
    )


def _edited(sentence: str, edits: list[_Edit]) -> tuple[str, list[int]]:
    words, places, at = [], [], 0
    for start, end, word in edits:
        if start < at:
            continue
        words += [sentence[at:start], word]
        places += [*range(at, start), *[start] * len(word)]
        at = end
    words.append(sentence[at:])
    places += range(at, len(sentence) + 1)
    return "".join(words), places
