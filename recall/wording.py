"""What a question's words tell, pure: which are no function words, whether they ask for a time.

Function words are dropped because they match everywhere: "when did she" speaks for no memory.
"""

import json
import re
from functools import cache
from pathlib import Path

from recall.terms import terms_of

WORDS = Path(__file__).with_name("function_words.json")
WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which) (?:date|day|week|month|year|time)s?\b"
    r"|\bhow (?:long|many (?:hours|days|weeks|months|years))\b"
    r"|什么时[候间]|什麼時[候間]|何时|何時|[哪几幾][天日年月号號点點]|多久|多长时间|多長時間",
    re.IGNORECASE,
)


def content_terms(question: str) -> list[str]:
    """The question's search terms without function words, each once, in order.

    A question of nothing else keeps what it has.

    >>> content_terms("When did Ann go to Paris?")
    ['ann', 'go', 'pari']
    """
    terms = list(dict.fromkeys(terms_of(question)))
    return [term for term in terms if not _is_function_word(term)] or terms


def asks_when(question: str) -> bool:
    """Whether the question asks for a time, or how long something took."""
    return WHEN.search(question) is not None


def _is_function_word(term: str) -> bool:
    whole, alone, together = _function_words()
    parts = set(term)
    return term in whole or bool(parts & alone) or parts <= together


@cache
def _function_words() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Whole terms; characters that make a term one; those that do so only among themselves."""
    lists = json.loads(WORDS.read_text(encoding="utf-8"))
    whole = frozenset(terms_of(lists["en"])) | frozenset(lists["zh"].split())
    return whole, frozenset(lists["zh_alone"]), frozenset(lists["zh_together"])
