"""Page: the profile of a subject, section by section."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ledger.pages.details import end_moment
from ledger.pages.words import attribute_word, section_word
from ledger.profiles import get_profile
from ledger.reflection.profile import ProfileItem
from ledger.selectors import as_of
from tenants.membership import member_page
from tenants.pages.zones import in_zone_of
from tenants.principals import Principal
from tenants.selectors import get_subject

# Their headings say it already; beneath "Dislikes" stands also what is no longer liked.
TASTES = frozenset({"likes", "dislikes"})


@dataclass(frozen=True)
class Line:
    """One thing known, with what it is and when it is due in words; both may be empty."""

    label: str
    item: ProfileItem
    due: str


@require_safe
@member_page
def profile_page(request: HttpRequest, principal: Principal, subject_id: UUID) -> HttpResponse:
    """Who a subject is by what is believed now; sections of which nothing is known are left out."""
    subject = get_subject(principal, subject_id)
    with in_zone_of(subject):
        profile = get_profile(principal, subject.external_id, as_of())
        sections = [
            (section, section_word(section), [_line(section, item) for item in items])
            for section, items in profile.sections.items()
            if items
        ]
        context = {"subject": subject, "sections": sections}
        return render(request, "ledger/profile.html", context)


def _line(section: str, item: ProfileItem) -> Line:
    return Line(_label(section, item), item, end_moment(item.due_at) if item.due_at else "")


def _label(section: str, item: ProfileItem) -> str:
    """What an item is, where its section does not say so."""
    return "" if section in TASTES and item.label in TASTES else attribute_word(item.label)
