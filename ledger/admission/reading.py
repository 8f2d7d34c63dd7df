"""A text as the rules of admission read it: folded, cleaned of marks, cut into sentences."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ledger.policy.admission import Admission

# What stands for a masked thing, e.g. [NAME_1].
PLACEHOLDER = re.compile(r"\[[A-Z_]{2,20}_\d{1,9}\]", re.IGNORECASE)
ADDRESS = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
# Emoji as words between brackets or colons: [微笑], :smile:.
NAMED_EMOJI = re.compile(r"\[[\u4e00-\u9fff]{1,4}\]|:[a-z_]{3,30}:")
_SENTENCE = re.compile(r"((?:[^.。!！?？;；\n…]|\.(?=\S))+)([.。!！?？;；\n…]*)")
_CLAUSE = re.compile(r"[^,，、:：]+")
_APOSTROPHES = str.maketrans({"’": "'", "‘": "'", "`": "'"})


@dataclass(frozen=True)
class Sentence:
    """A piece of a folded text up to its end mark; `asked` says that the mark is a question's."""

    text: str
    asked: bool

    @property
    def clauses(self) -> list[str]:
        """The pieces between commas."""
        return [clause.strip() for clause in _CLAUSE.findall(self.text) if clause.strip()]


def fold(text: str) -> str:
    """One form for texts that only look different: width, case, kind of apostrophe."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)


def letters_and_digits(text: str) -> str:
    """The text without anything else."""
    return "".join(filter(str.isalnum, text))


@dataclass(frozen=True)
class Reading:
    """A text, what was said just before it, and the policy; what is derived is computed once."""

    text: str
    policy: Admission
    before: Sequence[str] = ()

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def plain(self) -> str:
        """The folded text without placeholders and emoji written as words."""
        return NAMED_EMOJI.sub(" ", PLACEHOLDER.sub(" ", self.folded))

    @cached_property
    def said(self) -> str:
        """The letters and digits of the folded text, for comparison with another."""
        return letters_and_digits(self.folded)

    @cached_property
    def sentences(self) -> list[Sentence]:
        return [
            Sentence(match[1].strip(), "?" in match[2])
            for match in _SENTENCE.finditer(self.folded)
            if match[1].strip()
        ]
