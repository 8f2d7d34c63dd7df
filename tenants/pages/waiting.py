"""The page for whoever asks too often."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled


def waiting_page(request: HttpRequest, error: Throttled) -> HttpResponse:
    """A 429 that says how long to wait, to people and in Retry-After."""
    seconds = int(getattr(error, "wait", None) or 0) + 1
    message = _("Too many attempts. Try again in %(seconds)d seconds.") % {"seconds": seconds}
    response = render(request, "error.html", {"status": 429, "message": message}, status=429)
    response["Retry-After"] = str(seconds)
    return response
