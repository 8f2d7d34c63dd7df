"""REST routes of recall; each answers with and without a trailing slash."""

from django.urls import re_path

from recall.api.views import RecallView, TraceDetailView
from tenants.api.paths import UUID_PATTERN

urlpatterns = [
    re_path(r"^recall/?$", RecallView.as_view(), name="recall"),
    re_path(rf"^recall/(?P<trace_id>{UUID_PATTERN})/?$", TraceDetailView.as_view(), name="trace"),
]
