"""The console's pages of the tenants app."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tenants.console import TenantAdmin
from tenants.models import AccessEvent, ApiKey, Member, Subject
from tenants.services.api_keys import revoke_api_key


@admin.register(Member)
class MemberAdmin(TenantAdmin):
    list_display = ("user", "role", "subject", "created_at")
    list_select_related = ("user", "subject")
    fields = ("user", "role", "subject")
    readonly_fields = ("user",)
    autocomplete_fields = ("subject",)
    editable = True

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        """One at a time, and never the last owner."""
        if obj is None or obj.is_last_owner:
            return False
        return super().has_delete_permission(request, obj)


@admin.register(Subject)
class SubjectAdmin(TenantAdmin):
    list_display = ("external_id", "locale", "time_zone", "created_at")
    search_fields = ("external_id",)
    fields = ("external_id", "locale", "time_zone", "created_at")
    readonly_fields = fields


@admin.register(ApiKey)
class ApiKeyAdmin(TenantAdmin):
    list_display = (
        "name",
        "prefix",
        "scopes",
        "subject",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    list_select_related = ("subject",)
    exclude = ("secret_digest",)
    actions = ("revoke",)

    @admin.action(description=_("Revoke the selected keys"), permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiKey]) -> None:
        for key in queryset:
            revoke_api_key(key.id)
            self._audit(request, "revoke", key)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return self._member_role(request) in ("owner", "admin")


@admin.register(AccessEvent)
class AccessEventAdmin(TenantAdmin):
    list_display = ("at", "actor", "action", "object_id", "outcome", "request_id")
    list_filter = ("outcome",)
    ordering = ("-at",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).order_by("-at")
