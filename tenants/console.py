"""Django's admin as the console of one tenant: every view runs inside the member's tenant."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from tenants.context import tenant_context
from tenants.membership import current_membership, principal_for
from tenants.models import Role
from tenants.principals import Principal
from tenants.services.record_access import record_access

READERS = frozenset({Role.OWNER, Role.ADMIN, Role.AUDITOR})
EDITORS = frozenset({Role.OWNER, Role.ADMIN})


class Console(admin.AdminSite):
    """The admin site. Membership decides who enters; Django's staff flags count for nothing."""

    site_title = site_header = "MemoryHub"
    enable_nav_sidebar = False

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Take in pages of tenant data only: Django's own of users and groups know no tenant."""
        if admin_class is not None and issubclass(admin_class, TenantAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def has_permission(self, request: HttpRequest) -> bool:
        member = getattr(request, "membership", None)
        return bool(request.user.is_active and member and member.role in READERS)

    def get_urls(self) -> list[Any]:
        """All but the way from an object to its page elsewhere: it reads what is closed here."""
        return [url for url in super().get_urls() if getattr(url, "name", "") != "view_on_site"]

    def login(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """There is one door for everybody, with its rate limit; here nobody offers a password."""
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index"))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        inner = super().admin_view(view, cacheable)

        def scoped(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            member = current_membership(request) if request.user.is_authenticated else None
            request.membership = member  # type: ignore[attr-defined]
            if member is None:
                refused: HttpResponse = inner(request, *args, **kwargs)
                return refused
            request.principal = principal_for(member)  # type: ignore[attr-defined]
            with tenant_context(member.tenant_id):
                response: HttpResponse = inner(request, *args, **kwargs)
                if hasattr(response, "render"):
                    response.render()
                return response

        return scoped


class TenantAdmin(admin.ModelAdmin):
    """Admin of tenant data: readers look, editors change what `editable` says, all is audited."""

    editable = False

    def _member_role(self, request: HttpRequest) -> str | None:
        member = getattr(request, "membership", None)
        return member.role if member else None

    def _may_edit(self, request: HttpRequest) -> bool:
        return self.editable and self._member_role(request) in EDITORS

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._member_role(request) in READERS

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._member_role(request) in READERS

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self._may_edit(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_edit(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may_edit(request)

    def save_model(self, request: HttpRequest, obj: models.Model, form: Any, change: bool) -> None:
        """Write what was changed and no other column: the database would refuse it."""
        if change:
            obj.save(update_fields=form.changed_data)
        else:
            obj.save()

    # Django's own log is one table for all tenants; what happens here goes into the audit instead.
    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        audit = reverse("admin:tenants_accessevent_changelist")
        return redirect(f"{audit}?{urlencode({'object_id': unquote(object_id)})}")

    def log_addition(self, request: HttpRequest, obj: models.Model, message: Any) -> Any:
        self._audit(request, "add", obj)

    def log_change(self, request: HttpRequest, obj: models.Model, message: Any) -> Any:
        self._audit(request, "change", obj)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for obj in queryset:
            self._audit(request, "delete", obj)

    def _audit(self, request: HttpRequest, verb: str, obj: models.Model) -> None:
        principal: Principal = request.principal  # type: ignore[attr-defined]
        record_access(
            principal, action=f"admin {verb} {obj._meta.model_name}", object_id=str(obj.pk)
        )
