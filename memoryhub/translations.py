"""Compiles the translations, without the gettext programs: `python -m memoryhub.translations`."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALE = Path(__file__).resolve().parent / "locale"


def compile_all(locale: Path = LOCALE) -> None:
    """Bring each `django.mo` up to date with the `django.po` beside it."""
    for source in locale.glob("*/LC_MESSAGES/django.po"):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as file:
            catalog = read_po(file, locale=source.parts[-3])
        # As a whole, since a running server may be reading the old one.
        draft = target.with_suffix(".mo.new")
        with draft.open("wb") as file:
            write_mo(file, catalog)
        draft.replace(target)


if __name__ == "__main__":
    compile_all()
