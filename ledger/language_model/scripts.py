"""In which script a text is written, as far as a memory's language must be its text's. Pure."""

import unicodedata
from functools import lru_cache

from ledger.language_model.grounding import PLACEHOLDER

HAN = "CJK"
KANA = frozenset({"HIRAGANA", "KATAKANA"})
LATIN = "LATIN"
# The languages whose script is known; of others nothing is demanded.
WRITTEN = {"zh": HAN, "en": LATIN}


def same_language(content: str, source: str) -> bool:
    """Whether the content is in the language of its source, as their scripts tell.

    Words of a foreign script are fine (Python in a Chinese sentence) as long as the source has that
    script too, and the content has Han or kana if the source has.
    """
    mine, theirs = scripts(content), scripts(source)
    if not mine:
        return True
    eastern = {HAN} | KANA
    return mine <= theirs and bool(mine & eastern) == bool(theirs & eastern)


def written_in(text: str, language: str) -> bool:
    """Whether the text has the script of the language, by its two-letter code."""
    script = WRITTEN.get(language[:2].lower())
    has = scripts(text)
    return script is None or (script in has and (script == HAN or HAN not in has))


def scripts(text: str) -> set[str]:
    """The scripts of a text's letters, placeholders aside."""
    letters = {each for each in PLACEHOLDER.sub(" ", text) if each.isalpha()}
    return {script for letter in letters if (script := _script(letter))}


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    return unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "").partition(" ")[0]
