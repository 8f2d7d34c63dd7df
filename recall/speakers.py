"""Who says something, pure: the label before "somebody: what was said", as marked terms.

A mark is a term that no text has: a version that begins with "Ann: " is found by the name of its
speaker apart from versions in which Ann is only spoken of.
"""

import re
from collections.abc import Collection, Iterable

from recall.terms import RUN, terms_of

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


def without_names(text: str, names: Collection[str]) -> str:
    """A question as the encoder hears it: without the names (terms) that say too little.

    Where everybody's name is in every memory, a name in a question draws it to memories that are
    full of names. The whole question where nothing else would be left.
    """
    folded = text.casefold()
    if not names or len(folded) != len(text):
        return text
    kept, start = [], 0
    for match in RUN.finditer(folded):
        if not match["cjk"] and set(terms_of(match[0])) <= set(names):
            kept.append(text[start : match.start()])
            start = match.end()
    left = " ".join("".join([*kept, text[start:]]).split())
    return left if terms_of(left) else text
