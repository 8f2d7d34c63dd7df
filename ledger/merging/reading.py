"""What a comparison needs to know of one text: its content words, numbers, names, times, states."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from ledger.merging import grammar
from ledger.merging.amounts import of_digits, of_han, of_words
from ledger.merging.spellings import spelled
from ledger.polarity import compiled, denied, folded, negated, stance

# How far behind a negation a word stands that it bears on, in characters.
BEARS_ON = 24
READINGS_KEPT = 4_096
LONGEST_ACRONYM = 3
PROPER = re.compile(
    r"(?:(?<=[^\W\d_] )|(?<=[,)\]\d\u4e00-\u9fff] )|(?<=[\u4e00-\u9fff]))[A-Z][^\W_]*"
)
# The country, which small letters would make a pronoun.
US = re.compile(r"\bU\.?S\b\.?(?!\$)")
# In small letters it is neither a month nor a name, unless a word of time stands before it.
MAY = re.compile(
    r"(?<!\b(?:in|of|by) )(?<!\b(?:for|mid) )(?<!\b(?:this|next|last|late|from|each|till) )"
    r"(?<!\b(?:since|until|every|early|after) )(?<!\bbefore )\bmay\b(?! \d)"
)
# 了 at the end says that it is so by now.
CHANGED = re.compile(r"了[\s。！!.~～]{0,5}$")
# What may differ between identical texts; signs such as -, %, + and emoji are content.
PUNCTUATION = re.compile(r"[\s.,;:!?…。，、；：！？~～\"'“”()（）\[\]]+")
HAN = re.compile(r"[\u3400-\u9fff]")


@dataclass(frozen=True)
class State:
    """A state that a text names, and the content words that name it."""

    name: str
    words: frozenset[str]


@dataclass(frozen=True)
class Reading:
    """One text, read. `low` is the text folded, and `plain` without punctuation.

    `words` are its content words in order, one spelling for one meaning. `numbers` are (value,
    unit) pairs. `names`, `numbers` and `times` also stand among the words. `sign` is 1 or -1,
    whether the text is for or against; `stance` is None where it takes none.
    """

    low: str
    plain: str
    words: tuple[str, ...]
    numbers: frozenset[tuple[str, str]]
    names: frozenset[str]
    times: frozenset[str]
    subject: str
    personal: dict[int, State]
    topical: dict[int, State]
    negated: bool
    stance: int | None
    moved_on: bool
    perhaps_moved_on: bool
    changed: bool
    many: bool
    event: bool
    future: bool
    slot: bool
    front_value: bool
    han: bool

    @property
    def sign(self) -> int:
        if self.stance is not None:
            return self.stance
        return -1 if self.negated else 1


@lru_cache(READINGS_KEPT)
def read(text: str) -> Reading:
    """Reads a text, in time linear in its length."""
    low = folded(MAY.sub("might", US.sub("USA", text)))
    cues = grammar.frame("not_cues").sub(" ", low)
    tokens = list(_tokens(low))
    proper = {_canonical(folded(name)) for name in _proper(text)}
    return Reading(
        low=low,
        plain=PUNCTUATION.sub(" ", low).strip(),
        words=tuple(word for _, word in tokens),
        numbers=frozenset(_number(word) for sort, word in tokens if sort == "number"),
        names=frozenset(word for sort, word in tokens if sort == "name" or word in proper),
        times=frozenset(word for sort, word in tokens if sort == "time"),
        subject=_subject(low),
        personal=_states(low, "personal_states"),
        topical=_states(low, "topic_states"),
        negated=_negated(low, cues),
        stance=stance(text),
        moved_on=_has("strong_cues", cues) or _has("ends", cues),
        perhaps_moved_on=_has("weak_cues", cues),
        changed=CHANGED.search(low) is not None,
        many=_has("many", low),
        event=any(_has(frame, low) for frame in ("events", "past_times", "tasks")),
        future=_has("future", low),
        slot=_has("slots", low),
        front_value=_has("front_values", low),
        han=HAN.search(low) is not None,
    )


def _proper(text: str) -> Iterator[str]:
    """Names by their capital; short ones all in capitals (TV, PhD) are words like others."""
    for match in PROPER.finditer(unicodedata.normalize("NFKC", text)):
        named = len(match[0]) > LONGEST_ACRONYM or match[0].istitle()
        if named and folded(match[0]) not in grammar.data("words")["kinds_of_names"]:
            yield match[0]


def _has(frame: str, low: str) -> bool:
    return grammar.frame(frame).search(low) is not None


def _negated(low: str, cues: str) -> bool:
    """Whether it denies something; what is over is no longer so, unless that is denied itself."""
    end = grammar.frame("ends").search(cues)
    if end is None:
        return negated(low)
    return not any(scope.find(end[0], 0, BEARS_ON) >= 0 for scope in denied(low))


def _tokens(low: str) -> Iterator[tuple[str, str]]:
    """(sort, word) of each content word; sort is name, number, time or word."""
    for match in _scanner().finditer(spelled(low)):
        sort, found = str(match.lastgroup), match[0]
        if sort == "date":
            year, month, day = re.findall(r"\d+", found)
            yield from (("number", f"{year}|year"), ("time", f"m{int(month)}"))
            yield "number", f"{int(day)}|"
        elif sort in {"digits", "han_number", "number_words"}:
            yield from _counted(sort, found)
        elif sort == "time":
            yield "time", grammar.times()[found]
        elif sort == "label":
            label = re.match(r"[^\W\d]+", found)
            yield "word", _canonical(label[0] if label else found)
            yield "name", "".join(re.findall(r"\d", found))
        elif sort in {"name", "identifier", "place"}:
            yield "name", found.strip("[]")
        elif (sort == "word" or not found.isascii()) and (word := _canonical(found)):
            yield "word", word


def _counted(sort: str, found: str) -> Iterator[tuple[str, str]]:
    """A number as a token. One is no number: "a week" and "one week" are the same."""
    readers = {"digits": of_digits, "han_number": of_han, "number_words": of_words}
    value, unit = readers[sort](found)
    if value != "1":
        yield "number", f"{value}|{unit}"
    elif unit:
        yield "word", unit


def _number(word: str) -> tuple[str, str]:
    value, _, unit = word.partition("|")
    return value, unit


def _canonical(word: str) -> str:
    """The one spelling of a word's meaning; empty where it has no content."""
    word = word.removesuffix("'s")
    if word not in grammar.groups() and word in grammar.stop_words():
        return ""
    return grammar.stemmed_group(word)


def _subject(low: str) -> str:
    """Whom it is about: the speaker, a relative, or a masked name at the start; or empty."""
    start = re.match(r"\W{0,3}(name_\d{1,6})", low)
    if start and not re.search(r"\bis my\b|是我", low) and not _has("front_values", low):
        return start[1]
    found = grammar.subjects().search(low)
    return str(found.lastgroup) if found else ""


def _states(low: str, name: str) -> dict[int, State]:
    """Group -> the state that the text names; of several the last counts, of those the longest."""
    states = {}
    for number, group in enumerate(grammar.states(name)):
        found = [
            (m.end(), -m.start(), state, m[0])
            for state, pattern in group.items()
            for m in pattern.finditer(low)
        ]
        if found:
            *_, state, words = max(found)
            states[number] = State(state, frozenset(word for _, word in _tokens(words)))
    return states


@cache
def _scanner() -> re.Pattern[str]:
    """One pass over a folded text; where several could match, the first named wins."""
    quantities = grammar.data("quantities")
    later = "|".join(quantities["afternoon"])
    units = grammar.phrases(grammar.units()).replace(r"\b", "")
    many = grammar.phrases(quantities["multipliers"]).replace(r"\b", "")
    numerals = "".join([*quantities["han_digits"], *quantities["han_powers"]])
    number_word = rf"\b(?:{'|'.join(quantities['number_words'])})\b"
    spoken = [p for p in grammar.groups() if " " in p or not p.isascii()]
    han_unit = "|".join(re.escape(u) for u in grammar.units() if not u.isascii())
    sorts = {
        "name": r"\[[a-z_]{1,20}_\d{1,6}\]|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"
        r"|https?://[^\s，。]{1,500}|《[^》]{1,60}》",
        "date": r"(?<!\d)\d{4}[-/.](?:0?[1-9]|1[0-2])[-/.]\d{1,2}(?!\d)",
        "skipped": grammar.phrases([*quantities["not_numbers"], *quantities["not_times"]]),
        "time": grammar.phrases(grammar.times()),
        "place": r"\d{2,5}(?=会议室|教室|房间|室|号楼|号线|路|班)",
        "digits": rf"(?:{later})?(?<![a-z\d_.])(?:(?<!\w)-)?(?:[$€£¥] ?)?\d[\d,]*+(?:\.\d+|:\d\d)?+"
        rf"(?:点[钟半]?|号|日)?(?: ?(?:{many}))?(?: ?(?:{units}|[ap]\.?m\b\.?))?(?![a-z_]|-?\d)",
        "label": rf"(?:{grammar.phrases(quantities['labelled'])})"
        r"(?: ?(?:no\.?|#|号))? ?\d{1,15}(?![\d.:]|[a-z])",
        "identifier": r"\b[a-z](?:\+\+|#)|[a-z]+[-_]?\d[a-z\d_-]*+|(?<!\d)\d++[a-z_-][a-z\d_-]*+",
        "number_words": rf"{number_word}(?:[ -](?:and )?{number_word}){{0,6}}(?: ?(?:{units}))?",
        "han_number": rf"(?:百分之|{later})?[{numerals}]+(?:点[钟半]?|号|日)?(?:{han_unit})?",
        "word": rf"{grammar.phrases([*spoken, *_spoken_stop_words()])}"
        r"|[^\W\d_\u3400-\u9fff]+(?:'[a-z]+)?|[\u3400-\u9fff]",
    }
    return compiled("|".join(f"(?P<{sort}>{source})" for sort, source in sorts.items()))


def _spoken_stop_words() -> list[str]:
    return [word for word in grammar.stop_words() if not word.isascii() or " " in word]
