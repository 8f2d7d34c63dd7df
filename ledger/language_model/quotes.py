"""Where a model's quote stands in a text, and what of the text bears on it. Pure.

Texts are compared without white space, in compatible forms (full and half width, straight and curly
quotation marks), and without regard to case.
"""

import re
import unicodedata
from dataclasses import dataclass, field

QUOTATION_MARKS = str.maketrans("‘’ʼ“”„«»", '\'\'\'"""""')
# Ends of sentences; a full stop or colon inside a number, a name or an address is none.
SENTENCE = re.compile(r"[。！？!?\n;；…]|\.(?=\s|$)")
# Ends of clauses besides. 、 joins what stands under one negation, so it ends none.
CLAUSE = re.compile(
    SENTENCE.pattern + r"|，|：|[,:](?=\s)|,(?=\D)|但是|可是|不过|然而|而是|因为|所以|但"
    r"|\b(?:but|because|although|though|however|whereas|while)\b"
    r"|而且(?=我)|\band (?=(?:i|we|he|she|they|my|our|his|her|their)\b)",
    re.IGNORECASE,
)
Span = tuple[int, int]


def fold(text: str) -> tuple[str, list[int]]:
    """The text in the form that is compared, and the place of each of its characters in `text`."""
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text.translate(QUOTATION_MARKS)):
        plain = unicodedata.normalize("NFKD", character).casefold()
        kept = "".join(plain.split())
        folded.append(kept)
        places += [place] * len(kept)
    return "".join(folded), places


@dataclass
class Quoted:
    """A text that is searched for quotes."""

    text: str
    _folded: str = field(init=False, repr=False)
    _places: list[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._folded, self._places = fold(self.text)

    def find(self, quote: str) -> list[Span]:
        """The spans at which the quote stands, in order; none begins or ends inside a word."""
        wanted, _ = fold(quote)
        spans: list[Span] = []
        at = self._folded.find(wanted) if wanted else -1
        while at >= 0:
            span = (self._places[at], self._places[at + len(wanted) - 1] + 1)
            if not (_cuts(self.text, span[0]) or _cuts(self.text, span[1])):
                spans.append(span)
            at = self._folded.find(wanted, at + len(wanted))
        return spans

    def clause(self, span: Span) -> str:
        """The clauses that the span touches."""
        return _between(CLAUSE, self.text, span)

    def sentence(self, span: Span) -> str:
        """The sentences that the span touches."""
        return _between(SENTENCE, self.text, span)

    def until(self, span: Span) -> str:
        """The text up to the end of the span's sentence."""
        return self.text[: _end(SENTENCE, self.text, span)]

    def leading(self, span: Span) -> str:
        """The span's sentences up to the end of its clauses."""
        start = _start(SENTENCE, self.text, span)
        return self.text[start : _end(CLAUSE, self.text, span)]


def _between(border: re.Pattern[str], text: str, span: Span) -> str:
    return text[_start(border, text, span) : _end(border, text, span)]


def _start(border: re.Pattern[str], text: str, span: Span) -> int:
    """Where the piece begins that holds the span's first character."""
    start = 0
    for match in border.finditer(text):
        if match.end() > span[0]:
            break
        start = match.end()
    return start


def _end(border: re.Pattern[str], text: str, span: Span) -> int:
    """Where the piece ends that holds the span's last character."""
    match = border.search(text, span[1] - 1)
    return match.start() if match else len(text)


def _cuts(text: str, at: int) -> bool:
    """Whether a border at this place would cut a word or a number in two."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return _in_word(before) and _in_word(after)


def _in_word(character: str) -> bool:
    """Whether it is a part of words that are written with spaces between them."""
    return character.isalnum() and unicodedata.category(character) != "Lo"
