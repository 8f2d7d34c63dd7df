"""A text as every encoder takes it, pure."""

import unicodedata


def encodable(text: str) -> str:
    """No NUL (engines read C strings), no half of a surrogate pair, never empty; in one spelling
    (NFKC), whatever an encoder makes of compatible characters.
    """
    plain = text.replace("\x00", " ").encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFKC", plain) or " "
