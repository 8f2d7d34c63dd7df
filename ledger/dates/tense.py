"""The tense of each clause, which decides whether a bare "Friday" is past or coming."""

import re
from bisect import bisect_right
from enum import StrEnum
from functools import cached_property

from ledger.dates.words import any_of, chinese, english

_END_OF_SENTENCE = ".!?。\n;"
_CUTS = re.compile(
    r"[,、;:!?。\n]|\.(?=\s|$)|\s-\s| (?:and|but|so|then|because) "
    r"|而且|但是?|然后|所以|因为"
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LE = re.compile(
    r"(?<![为除受要])了(?![解不])|(?<![不通超难经])过(?![去年生节来程敏期于得几两])|曾|已经|刚|当时|那时"
)
# 就要考试了 is not past.
_ABOUT_TO = re.compile(r"(?:要|将).{1,20}了")
# 到了记得交表 asks for something; 我记得 remembers it.
_ASKED = re.compile(r"(?<![我还都])记得|提醒|别忘")
_SOON = re.compile(any_of(chinese()["coming"]))
# Such a verb with 的 ends a clause about what is done: 周五买的.
_DONE = re.compile(any_of(chinese()["done"]) + r"的$")
_HABIT = re.compile(any_of(chinese()["habits"]))


class Tense(StrEnum):
    PAST = "past"
    COMING = "coming"
    HABIT = "habit"
    EITHER = "either"


class Tenses:
    """The clauses of one text, which is in plain characters. Linear in the text's length."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _clauses(self) -> tuple[list[int], list[Tense | None]]:
        starts, tenses, sentences = [0], [], [0]
        for cut in _CUTS.finditer(self._text):
            tenses.append(_tense(self._text[starts[-1] : cut.start()]))
            starts.append(cut.end())
            sentences.append(sentences[-1] + (cut[0] in _END_OF_SENTENCE))
        tenses.append(_tense(self._text[starts[-1] :]))
        # A clause without a verb goes with the clause before it, or else with the one after it.
        for here in [*range(1, len(tenses)), *range(len(tenses) - 2, -1, -1)]:
            for there in (here - 1, here + 1):
                if tenses[here] is None and 0 <= there < len(tenses):
                    same = sentences[here] == sentences[there]
                    tenses[here] = tenses[there] if same else None
        return starts, tenses

    def at(self, position: int) -> Tense | None:
        """None where nothing says which."""
        starts, tenses = self._clauses
        return tenses[bisect_right(starts, position) - 1]


def _tense(clause: str) -> Tense | None:
    words = set(_WORD.findall(clause))
    lists = english()
    if words & set(lists["habits"]) or _HABIT.search(clause):
        return Tense.HABIT
    if words & set(lists["coming"]) or _ABOUT_TO.search(clause) or _ASKED.search(clause):
        return Tense.COMING
    if words & set(lists["past"]) or _LE.search(clause):
        return Tense.PAST
    if words & set(lists["present"]) or _SOON.search(clause):
        return Tense.COMING
    if _DONE.search(clause):
        return Tense.PAST
    return Tense.PAST if any(map(_regular_past, words)) else None


def _regular_past(word: str) -> bool:
    return (
        len(word) > 3
        and word.endswith("ed")
        and not word.endswith("eed")
        and word not in english()["not_past"]
    )
