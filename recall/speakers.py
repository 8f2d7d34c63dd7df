"""Who says something, pure: the label before "somebody: what was said", as marked terms.

A mark is a term that no text has: a version that begins with "Ann: " is found by the name of its
speaker apart from versions in which Ann is only spoken of.
"""

import re
from collections.abc import Iterable

from recall.terms import terms_of

LABEL = re.compile(r"\s*(?P<label>\[[A-Z_]+_\d+\]|[^\s:：\[][^:：\n]{0,40}?)\s?[:：](?!//)\s?\S")
MOST_WORDS = 4
MARK = "@"


def label_of(text: str) -> str:
    """Who says it, or ''. A web address, a time or a long clause before a colon is no label."""
    match = LABEL.match(text)
    label = match["label"] if match else ""
    return label if len(terms_of(label)) <= MOST_WORDS and not label[:1].isdigit() else ""


def marks_of(text: str) -> list[str]:
    """The marked terms of a text's speaker.

    >>> marks_of("Peter Ann: I moved to Oslo.")
    ['@peter', '@ann']
    """
    return marked(terms_of(label_of(text)))


def marked(terms: Iterable[str]) -> list[str]:
    """The terms as marks: for the words of a question, each of which may be a speaker's name."""
    return [MARK + term for term in terms]
