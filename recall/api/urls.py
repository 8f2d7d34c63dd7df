"""REST routes of recall; each answers with and without a trailing slash."""

from django.urls import re_path

from recall.api.views import RecallView, ReplyView, TraceDetailView
from recall.api.working import WorkingTaskView, WorkingView
from tenants.api.paths import UUID_PATTERN

# Paths are read after their percent-encoding is undone: a task ends at the first slash, and of a
# slash at the end nobody knows whether it belongs to the key.
TASK = r"(?P<task>[^\0/]+)"
KEY = r"(?P<key>[^\0]*[^\0/])"

urlpatterns = [
    re_path(r"^recall/?$", RecallView.as_view(), name="recall"),
    re_path(rf"^recall/(?P<trace_id>{UUID_PATTERN})/?$", TraceDetailView.as_view(), name="trace"),
    re_path(rf"^recall/(?P<trace_id>{UUID_PATTERN})/answer/?$", ReplyView.as_view(), name="reply"),
    re_path(rf"^working/{TASK}/?$", WorkingTaskView.as_view(), name="working-task"),
    re_path(rf"^working/{TASK}/{KEY}/?$", WorkingView.as_view(), name="working"),
]
