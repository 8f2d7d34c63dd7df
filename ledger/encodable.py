"""A text as every encoder's engine takes it, pure."""

import unicodedata


def encodable(text: str) -> str:
    """No NUL (engines read C strings), no half of a surrogate pair, never empty; normalised.

    The bundled engine normalises too, into a buffer of four characters a byte: U+FDFA alone becomes
    eighteen, and would overrun it.
    """
    plain = text.replace("\x00", " ").encode("utf-8", "replace").decode()
    return unicodedata.normalize("NFKC", plain) or " "
