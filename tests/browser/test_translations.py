"""Whoever reads Chinese finds every text of the pages in Chinese."""

import re
from collections.abc import Iterator

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

from tests.stack import ROOT

SOURCE = ROOT / "memoryhub" / "locale" / "zh_Hans" / "LC_MESSAGES" / "django.po"
KEYWORDS = (
    "_",
    "gettext",
    "gettext_lazy",
    "gettext_noop",
    "ngettext",
    "ngettext_lazy",
    "pgettext",
    "pgettext_lazy",
)
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")
APPS = ("memoryhub", "tenants", "ledger", "recall")


def catalog() -> Catalog:
    with SOURCE.open("rb") as file:
        return read_po(file, locale="zh_Hans", abort_invalid=True)


def texts_of_python() -> Iterator[str]:
    """The first text of every call that marks one for translation."""
    files = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    for path in files:
        with path.open("rb") as file:
            for _, function, found, _ in extract_python(file, KEYWORDS, (), {}):
                texts = found if isinstance(found, tuple) else (found,)
                text = texts[1 if function.startswith("pgettext") else 0]
                if text:  # else it is made at run time, from texts that are found elsewhere
                    yield text


def texts_of_templates() -> Iterator[str]:
    for path in (ROOT / "templates").rglob("*.html"):
        as_python = templatize(path.read_text(), origin=str(path))
        calls = re.findall(r"""gettext\(\s*u?(['"])(.*?)\1\s*[,)]""", as_python, re.DOTALL)
        calls += re.findall(r"""\s_\(u?(['"])(.*?)\1\)""", as_python, re.DOTALL)
        yield from (text for _, text in calls)


def entries() -> list[Message]:
    return [message for message in catalog() if message.id]


def test_every_text_is_translated() -> None:
    known = {m.id if isinstance(m.id, str) else m.id[0] for m in entries()}
    python, templates = set(texts_of_python()), set(texts_of_templates())
    assert len(python) > 100, "the search finds too little"
    assert len(templates) > 100, "the search finds too little"
    assert (python | templates) - known == set()
    assert [m.id for m in entries() if not m.string or m.fuzzy] == []


def test_a_translation_has_the_placeholders_of_its_text() -> None:
    for message in entries():
        text = message.id if isinstance(message.id, str) else message.id[-1]
        said = message.string if isinstance(message.string, str) else message.string[0]
        assert sorted(PLACEHOLDER.findall(said)) == sorted(PLACEHOLDER.findall(text)), text
