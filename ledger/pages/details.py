"""The details of a memory in plain words: when it is due, where it happened, what it denies."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.utils.html import format_html
from django.utils.translation import gettext as _

from ledger.pages.decisions import INTENT_WORDS
from ledger.pages.words import attribute_word
from tenants.templatetags.pages import in_zone, moment


def details_in_words(details: dict[str, Any]) -> list[tuple[str, str]]:
    """Terms and what is said of them, in a fixed order; details without words are left out."""
    return [*_times(details), *_claims(details), *_surroundings(details)]


def _times(details: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if due := _moment(details.get("due_at"), is_end=True):
        yield _("Due"), due
    for name, words in (("occurred", _("Happened")), ("occurs", _("Will happen"))):
        begin = _moment(details.get(f"{name}_from"))
        end = _moment(details.get(f"{name}_to"), is_end=True)
        if begin:
            yield words, format_html("{} – {}", begin, end) if end not in ("", begin) else begin


def _claims(details: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if details.get("polarity") == -1:
        yield _("Sense"), _("it says that something is not so, or not wanted")
    for name, words in (("ends", _("No longer holds")), ("denies", _("Does not hold"))):
        if attribute := details.get(name):
            value = details.get("ended_value" if name == "ends" else "denied_value")
            slot = attribute_word(attribute)
            said = _("%(attribute)s: %(value)s") % {"attribute": slot, "value": value}
            yield words, said if value else slot
    if values := details.get("values"):
        yield _("Values"), _("; ").join(map(str, values))
    if about := details.get("about"):
        yield _("Said by"), str(about)


def _surroundings(details: dict[str, Any]) -> Iterator[tuple[str, str]]:
    if intent := details.get("intent"):
        yield _("Meant as"), str(INTENT_WORDS.get(intent, intent))
    if details.get("pattern") == "recurring_problem":
        yield _("Trouble"), _came_back(details.get("count"))
    for name, words in (("place", _("Place")), ("device", _("Device")), ("channel", _("Channel"))):
        if said := details.get(name):
            yield words, str(said)


def _came_back(count: int | None) -> str:
    return _("it came back, %(count)d times") % {"count": count} if count else _("it came back")


def end_moment(value: datetime) -> str:
    """An end for people. At midnight it is the end of the day before, and written as that day."""
    local = in_zone(value)
    whole_day = (local.hour, local.minute, local.second, local.microsecond) == (0, 0, 0, 0)
    return moment(local - timedelta(days=1) if whole_day else local)


def _moment(text: Any, *, is_end: bool = False) -> str:
    """A stored moment (RFC 3339, or a date alone) for people; as it stands if it is neither."""
    if not text:
        return ""
    try:
        read = datetime.fromisoformat(str(text))
    except ValueError:
        return str(text)
    if read.tzinfo is None:
        return str(text)
    return end_moment(read) if is_end else moment(read)
