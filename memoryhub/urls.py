"""Every route of the service. The isolation suite is generated from this list."""

from django.contrib import admin
from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from memoryhub import health

handler400 = "memoryhub.errors.bad_request"
handler403 = "memoryhub.errors.forbidden"
handler404 = "memoryhub.errors.not_found"
handler500 = "memoryhub.errors.server_error"

urlpatterns = [
    re_path(r"^healthz/?$", health.healthz, name="healthz"),
    re_path(r"^readyz/?$", health.readyz, name="readyz"),
    re_path(r"^metrics/?$", health.metrics_page, name="metrics"),
    path("api/v1/", include("tenants.api.urls")),
    path("api/v1/", include("ledger.api.urls")),
    path("api/v1/", include("recall.api.urls")),
    re_path(r"^api/schema/?$", SpectacularAPIView.as_view(), name="schema"),
    re_path(
        r"^api/docs/?$", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="api-docs"
    ),
    path("admin/", admin.site.urls),
    path("", include("tenants.pages.urls")),
    path("", include("ledger.pages.urls")),
    path("", include("recall.pages.urls")),
]
