"""The codes of memories in plain words: kinds, statuses, attributes, sections of a profile."""

from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ledger.models import Kind
from ledger.selectors import ANY_STATUS, STATUSES

STATUS_WORDS = {
    "active": pgettext_lazy("status", "current"),
    "ended": pgettext_lazy("status", "ended"),
    "expired": pgettext_lazy("status", "expired"),
    "upcoming": pgettext_lazy("status", "upcoming"),
    "pending": pgettext_lazy("status", "waiting for review"),
    ANY_STATUS: pgettext_lazy("status", "any"),
}
DATED_BY_WORDS = {
    "client": _("whoever wrote it gave the date"),
    "words": _("its own words say when"),
    "turn": _("nobody said since when, so it counts from when it was said"),
    "recording": _("no date was given, so it counts from when it was recorded"),
}
# The attributes that rules and reflection fill, and those that a language model may name.
ATTRIBUTE_WORDS = {
    "age": pgettext_lazy("attribute", "age"),
    "allergy": pgettext_lazy("attribute", "allergy"),
    "avoids": pgettext_lazy("attribute", "avoids"),
    "birthday": pgettext_lazy("attribute", "birthday"),
    "child": pgettext_lazy("attribute", "child"),
    "diet": pgettext_lazy("attribute", "diet"),
    "diet_restriction": pgettext_lazy("attribute", "does not eat or drink"),
    "dislikes": pgettext_lazy("attribute", "dislikes"),
    "email": pgettext_lazy("attribute", "e-mail address"),
    "employer": pgettext_lazy("attribute", "employer"),
    "gender": pgettext_lazy("attribute", "gender"),
    "goal": pgettext_lazy("attribute", "goal"),
    "habit": pgettext_lazy("attribute", "habit"),
    "health_condition": pgettext_lazy("attribute", "health condition"),
    "height": pgettext_lazy("attribute", "height"),
    "hobby": pgettext_lazy("attribute", "hobby"),
    "home_address": pgettext_lazy("attribute", "home address"),
    "home_city": pgettext_lazy("attribute", "home city"),
    "hometown": pgettext_lazy("attribute", "home town"),
    "interest": pgettext_lazy("attribute", "interest"),
    "job_title": pgettext_lazy("attribute", "job"),
    "language": pgettext_lazy("attribute", "language to speak with"),
    "language_preference": pgettext_lazy("attribute", "language they write in"),
    "likes": pgettext_lazy("attribute", "likes"),
    "marital_status": pgettext_lazy("attribute", "marital status"),
    "medication": pgettext_lazy("attribute", "medication"),
    "mood": pgettext_lazy("attribute", "mood"),
    "name": pgettext_lazy("attribute", "name"),
    "nickname": pgettext_lazy("attribute", "form of address"),
    "partner": pgettext_lazy("attribute", "partner"),
    "pet": pgettext_lazy("attribute", "pet"),
    "phone": pgettext_lazy("attribute", "telephone number"),
    "relation": pgettext_lazy("attribute", "relation"),
    "routine": pgettext_lazy("attribute", "routine"),
    "school": pgettext_lazy("attribute", "school"),
    "shopping_style": pgettext_lazy("attribute", "way of shopping"),
    "speaks": pgettext_lazy("attribute", "speaks"),
    "struggles_with": pgettext_lazy("attribute", "has trouble with"),
    "time_zone": pgettext_lazy("attribute", "time zone"),
    "weight": pgettext_lazy("attribute", "body weight"),
    "work_city": pgettext_lazy("attribute", "city of work"),
}
SECTION_WORDS = {
    "identity": pgettext_lazy("section", "Who they are"),
    "places": pgettext_lazy("section", "Places"),
    "work_and_school": pgettext_lazy("section", "Work and school"),
    "relations": pgettext_lazy("section", "Family, friends and pets"),
    "health_and_diet": pgettext_lazy("section", "Health and diet"),
    "likes": pgettext_lazy("section", "Likes"),
    "dislikes": pgettext_lazy("section", "Dislikes"),
    "habits_and_interests": pgettext_lazy("section", "Habits and interests"),
    "plans_and_commitments": pgettext_lazy("section", "Plans and commitments"),
    "instructions": pgettext_lazy("section", "What agents are asked to do"),
    "recent_events": pgettext_lazy("section", "Lately"),
    "insights": pgettext_lazy("section", "Insights"),
    "problems": pgettext_lazy("section", "Problems"),
    "other": pgettext_lazy("section", "Everything else"),
}
KIND_CHOICES = [("", _("Any kind")), *((kind.value, capfirst(kind.label)) for kind in Kind)]
STATUS_CHOICES = [
    (status, capfirst(STATUS_WORDS.get(status, status))) for status in (*STATUSES, ANY_STATUS)
]


def kind_word(kind: str) -> str:
    """The kind in the language in force."""
    return str(dict(Kind.choices).get(kind, kind))


def status_word(status: str) -> str:
    """The status in the language in force."""
    return str(STATUS_WORDS.get(status, status))


def attribute_word(attribute: str) -> str:
    """The attribute in the language in force; one that a client made up is its own word."""
    return str(ATTRIBUTE_WORDS.get(attribute, attribute))


def section_word(section: str) -> str:
    """The heading of a section of the profile."""
    return str(SECTION_WORDS.get(section, section))
