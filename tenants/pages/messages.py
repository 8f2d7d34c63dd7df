"""Sentences that are written elsewhere in English and that error pages show translated."""

from django.utils.translation import gettext_noop as _

MESSAGES = (
    # memoryhub.errors
    _("This request cannot be understood."),
    _("You may not do that."),
    _("This form has expired: go back, reload the page and try again."),
    _("There is nothing at this address."),
    _("Something failed here. The request's id leads to its log."),
    # tenants.errors
    _("There is no such object here."),
    _("This subject was erased."),
    _("This credential may not do that."),
    _("This credential lacks the scope that the request needs."),
    _("This credential is pinned to another subject."),
    _("A value in the request is not acceptable."),
    _("This clashes with what is already stored."),
    _("The key that protects this content cannot be read; see FIELD_ENCRYPTION_KEY."),
    _("Stored content failed its integrity check."),
    # tenants.api.pagination
    _("This cursor was not given out by this list."),
)
