"""The console's pages of the ledger app: jobs, the given-up ones among them, and policies."""

import json
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from ledger.jobs import NotGivenUp, send_again
from ledger.models import Job, PolicyVersion
from tenants.console import EDITORS, TenantAdmin


@admin.register(Job)
class JobAdmin(TenantAdmin):
    list_display = ("kind", "subject", "state", "attempts", "error", "created_at", "next_run")
    list_filter = ("state", "kind")
    list_select_related = ("subject",)
    ordering = ("-created_at", "-id")
    fields = (
        "kind",
        "subject",
        "conversation",
        "state",
        "attempts",
        "error",
        "done",
        "total",
        "actor",
        "created_at",
        "next_run",
        "finished_at",
    )
    readonly_fields = fields
    actions = ("send_again",)

    @admin.display(description=_("conversation"))
    def conversation(self, job: Job) -> str:
        return job.session.external_id if job.session else "–"

    @admin.display(description=_("due"), ordering="due_at")
    def next_run(self, job: Job) -> datetime | None:
        """While it runs, when it counts as lost; nothing once it is over."""
        return None if job.finished_at else job.due_at

    @admin.action(description=_("Send the selected jobs again"), permissions=["send_again"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Job]) -> None:
        sent = 0
        for job in queryset:
            try:
                send_again(request.principal, job.id)  # type: ignore[attr-defined]
            except NotGivenUp:
                continue
            self._audit(request, "send again", job)
            sent += 1
        self._tell(request, sent, len(queryset) - sent)

    def _tell(self, request: HttpRequest, sent: int, left: int) -> None:
        if sent:
            text = ngettext("%(n)d job was sent again.", "%(n)d jobs were sent again.", sent)
            self.message_user(request, text % {"n": sent}, messages.SUCCESS)
        if left:
            text = ngettext(
                "%(n)d job was left alone: it has not been given up.",
                "%(n)d jobs were left alone: they have not been given up.",
                left,
            )
            self.message_user(request, text % {"n": left}, messages.WARNING)

    def has_send_again_permission(self, request: HttpRequest) -> bool:
        return self._member_role(request) in EDITORS


@admin.register(PolicyVersion)
class PolicyVersionAdmin(TenantAdmin):
    list_display = ("number", "actor", "created_at")
    ordering = ("-number",)
    fields = ("number", "actor", "created_at", "rules")
    readonly_fields = fields

    @admin.display(description=_("rules"))
    def rules(self, policy: PolicyVersion) -> Any:
        text = json.dumps(policy.document, indent=2, sort_keys=True, ensure_ascii=False)
        return format_html("<pre>{}</pre>", text)
