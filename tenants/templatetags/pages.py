"""Template filters of the pages."""

from datetime import datetime

from django import template
from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tenants.request_ids import current_request_id

register = template.Library()


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """A moment in the zone in force, for people; the exact one is in the element's attributes.

    Midnight is written as the day alone: that is how people date what they say.
    """
    if value is None:
        return ""
    local = in_zone(value)
    whole_day = not (local.hour or local.minute or local.second or local.microsecond)
    # Translators: a date, in Django's date format.
    day = _("j M Y")
    # Translators: a date and time, in Django's date format.
    style = day if whole_day else _("j M Y, H:i")
    exact = local.isoformat()
    return format_html('<time datetime="{0}" title="{0}">{1}</time>', exact, written(local, style))


def in_zone(value: datetime) -> datetime:
    """The moment in the zone in force; in its own zone at the ends of the calendar."""
    try:
        return timezone.localtime(value)
    except OverflowError:
        return value


@register.filter
def percent(value: float) -> str:
    """A share of 1 as whole per cent."""
    return f"{value:.0%}"


@register.simple_tag
def request_id() -> str:
    """The id under which this request is in the logs."""
    return current_request_id()
