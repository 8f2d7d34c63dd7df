"""Long texts in pieces that fit an encoder's window, pure. Every part is in some piece."""

import re

# A window of 512 tokens: a character is about one, of ASCII about a quarter.
WINDOW = 400.0
WIDE_COST, ASCII_COST = 1.0, 0.3
# As escapes, since an editor's normalisation turns the full-width !?; into the plain ones.
ENDS = r".!?;\n\u3002\uff01\uff1f\uff1b"
SENTENCE = re.compile(rf"[^{ENDS}]*[{ENDS}]*\s*")


def cost(text: str) -> float:
    """About how many tokens a text takes."""
    plain = sum(map(str.isascii, text))
    return (len(text) - plain) * WIDE_COST + plain * ASCII_COST


def chunks_of(text: str, window: float = WINDOW) -> list[str]:
    """The text cut at sentence ends into pieces of at most `window`; joined they are the text."""
    pieces: list[str] = []
    current, spent = "", 0.0
    for sentence in _sentences(text, window):
        price = cost(sentence)
        if current and spent + price > window:
            pieces.append(current)
            current, spent = "", 0.0
        current += sentence
        spent += price
    return [*pieces, current] if current else pieces


def _sentences(text: str, window: float) -> list[str]:
    """Sentences, the ones that are longer than the window cut by length."""
    longest = max(1, int(window / WIDE_COST))
    found: list[str] = []
    for sentence in SENTENCE.findall(text):
        if cost(sentence) <= window:
            found.append(sentence)
        else:
            found += [sentence[i : i + longest] for i in range(0, len(sentence), longest)]
    return [sentence for sentence in found if sentence]
