"""English word stems: Snowball's Porter2."""

from threading import local

from Stemmer import Stemmer

# A stemmer is used by one thread at a time. It keeps no words: they may be a person's.
_own = local()


def stem(word: str) -> str:
    """The stem of a folded word.

    >>> stem("deployment")
    'deploy'
    """
    if not hasattr(_own, "stemmer"):
        _own.stemmer = Stemmer("english", 0)
    found: str = _own.stemmer.stemWord(word)
    return found
