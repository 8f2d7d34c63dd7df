"""What goes into a comparison of two statements, and what comes out."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One statement. `text` is masked: a name looks like [NAME_1]. `valid_from` is aware.

    `single_valued` says that the attribute holds one value at a time. `passage` is the text's
    vector as search sees it, shape (384,), if somebody made it already.
    """

    text: str
    kind: str
    valid_from: datetime
    attribute: str = ""
    value: str | None = None
    single_valued: bool = False
    passage: Any = field(default=None, compare=False, repr=False)


class Relation(StrEnum):
    """How the new statement stands to the old one.

    same: it says the same. replaces: it takes the old one's place. adds: it is about the same
    thing and retires nothing. other: it is about something else. uncertain: a person decides.
    """

    SAME = "same"
    REPLACES = "replaces"
    ADDS = "adds"
    OTHER = "other"
    UNCERTAIN = "uncertain"


class Reason(StrEnum):
    """Why; the codes are stable."""

    IDENTICAL = "identical"
    PARAPHRASE = "paraphrase"
    NEGATION_DIFFERS = "negation_differs"
    OPPOSITE_STANCE = "opposite_stance"
    INCOMPATIBLE_VALUES = "incompatible_values"
    SAME_SLOT_OTHER_VALUE = "same_slot_other_value"
    MOVED_ON_CUE = "moved_on_cue"
    NUMBERS_DIFFER = "numbers_differ"
    NAMES_DIFFER = "names_differ"
    DATES_DIFFER = "dates_differ"
    SUBJECTS_DIFFER = "subjects_differ"
    OTHER_OBJECT = "other_object"
    MORE_DETAIL = "more_detail"
    OLDER = "older_than_believed"
    COULD_BE_EITHER = "could_be_either"
    UNRELATED = "unrelated"
    # Not by their words: the client gave another kind, attribute or value on purpose.
    STATED_OTHERWISE = "stated_otherwise"
    # Another agent heard it: each keeps what it was told.
    OTHER_AGENT = "other_agent"


@dataclass(frozen=True)
class Judgement:
    relation: Relation
    reason: Reason
