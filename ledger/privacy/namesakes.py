"""What bears the name of a person and is none: pets, brands, dishes, methods."""

import re

from ledger.privacy.reading import LATIN, alternatives, words

BRANDS = re.compile(  # names of two words and more that are no people's
    rf"(?<![{LATIN}])(?:{alternatives(w for w in words('not_names_en.txt') if ' ' in w)})"
    rf"(?![{LATIN}])",
    re.IGNORECASE,
)
_PET = re.compile(
    r"(?<![a-z])(?:dogs?|puppy|pup|cats?|kitten|hamster|parrot|horse|pony|rabbit|bunny|goldfish|fish|"
    r"pet|retriever|poodle|corgi|labrador|beagle|terrier|tortoise|turtle|guinea pig|ferret)"
    r"(?:'s name is|,| is| is called| called| named| is named)? \Z",
    re.IGNORECASE,
)
_NEXT_WORD = re.compile(r" ([a-z]+)(?![A-Za-z])")
_ARTICLE = re.compile(r"(?<![A-Za-z])(?:[Tt]he|[Aa]n?) \Z")


def is_thing(text: str, start: int, end: int) -> bool:
    """Whether a thing bears the name: "Josh Wine", "Alfredo sauce", "the Alexander technique"."""
    last = text[start:end].split()[-1]
    behind = _NEXT_WORD.match(text, end)
    if behind and behind[1] in words("not_name_ends_en.txt"):
        return True
    if last == text[start:end]:
        return _ARTICLE.search(text, max(0, start - 5), start) is not None
    return last.lower() in words("not_name_ends_en.txt")


def is_pet(text: str, start: int) -> bool:
    return _PET.search(text, max(0, start - 30), start) is not None
