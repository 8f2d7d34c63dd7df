"""REST routes of the tenants app; each answers with and without a trailing slash."""

from django.urls import re_path

from tenants.api.views import TokensView

urlpatterns = [
    re_path(r"^tokens/?$", TokensView.as_view(), name="tokens"),
]
