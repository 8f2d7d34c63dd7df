"""REST routes of the ledger; each answers with and without a trailing slash."""

from django.urls import re_path

from ledger.api.views import MemoriesView, MemoryDetailView
from tenants.api.paths import UUID_PATTERN

urlpatterns = [
    re_path(r"^memories/?$", MemoriesView.as_view(), name="memories"),
    re_path(
        rf"^memories/(?P<memory_id>{UUID_PATTERN})/?$", MemoryDetailView.as_view(), name="memory"
    ),
]
