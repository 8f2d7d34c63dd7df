"""Pages: ask about a subject, the questions asked so far, and why an answer is what it is."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from ledger.masking import reader_for
from recall.pages.changing import Believed, ChangeForm, believed_now, change
from recall.pages.explain import explain
from recall.pages.forms import AskForm
from recall.pipeline import ask
from recall.traces import TraceView, find_traces, get_trace, question_of
from tenants import keys
from tenants.api.pagination import InvalidCursor, Page, paginate
from tenants.context import tenant_context
from tenants.errors import NotFound
from tenants.membership import member_action, member_page
from tenants.models import Subject
from tenants.pages.actors import actor_names
from tenants.pages.zones import in_zone_of
from tenants.principals import Principal, Scope
from tenants.selectors import get_subject

PAGE_ROWS = 25


@require_http_methods(["GET", "HEAD", "POST"])
@member_action
def recalls_page(request: HttpRequest, principal: Principal, subject_id: UUID) -> HttpResponse:
    """The questions asked about one subject; a POST asks another."""
    with tenant_context(principal.tenant_id):
        subject = get_subject(principal, subject_id)
    with in_zone_of(subject):
        if request.method != "POST":
            return _list(request, principal, subject, form=None)
        form = AskForm(request.POST)
        if not form.is_valid():
            return _list(request, principal, subject, form)
    # Outside the tenant: recall encodes before it enters, and holds no transaction meanwhile.
    answer = ask(principal, form.question(subject.external_id))
    return redirect("why-page", answer.trace)


def _list(
    request: HttpRequest, principal: Principal, subject: Subject, form: AskForm | None
) -> HttpResponse:
    context: dict[str, Any] = {"subject": subject, "ask": form}
    with tenant_context(principal.tenant_id):
        try:
            page = paginate(
                find_traces(principal, subject),
                moment="at",
                limit=PAGE_ROWS,
                cursor=request.GET.get("cursor"),
            )
        except InvalidCursor as error:
            page, context["problem"] = Page([], None), _(error.message)
        reader = reader_for(principal, keys.cipher_for(subject))
        names = actor_names(principal, [trace.actor for trace in page.rows])
        context["recalls"] = [
            (trace, question_of(trace, reader), names[trace.actor]) for trace in page.rows
        ]
        context["next"] = page.next
        wrong = form is not None or "problem" in context
        return render(request, "recall/recalls.html", context, status=400 if wrong else 200)


@require_safe
@member_page
def why_page(request: HttpRequest, principal: Principal, trace_id: UUID) -> HttpResponse:
    """One recall: which memories it used, why, and what was held back."""
    return _why(request, principal, get_trace(principal, trace_id), form=None)


@require_POST
@member_action(scope=Scope.WRITE)
def change_page(
    request: HttpRequest, principal: Principal, trace_id: UUID, memory_id: UUID
) -> HttpResponse:
    """Change one memory that a recall has met, and come back to why it was used."""
    form = ChangeForm(request.POST)
    with tenant_context(principal.tenant_id):
        trace = get_trace(principal, trace_id)
        met = {UUID(c.record["memory"]): c.record["version"] for c in trace.candidates}
        if memory_id not in met:
            raise NotFound
        subject = Subject.objects.get(external_id=trace.subject)
        if not form.is_valid():
            return _why(request, principal, trace, form)
    # Outside the tenant: what is corrected is masked first, and models do that.
    messages.success(request, change(principal, memory_id, form.cleaned_data))
    if form.cleaned_data["do"] == "erase":  # and with it went this record
        return redirect("recalls-page", subject.id)
    return redirect(f"{reverse('why-page', args=[trace_id])}#v-{met[memory_id]}")


def _why(
    request: HttpRequest, principal: Principal, trace: TraceView, form: ChangeForm | None
) -> HttpResponse:
    subject = Subject.objects.get(external_id=trace.subject)
    with in_zone_of(subject):
        answered = {
            name: datetime.fromisoformat(trace.record["answered_at"][name])
            for name in ("valid_at", "known_at")
        }
        names = actor_names(principal, [trace.actor, *(r.actor for r in trace.replies)])
        context = {
            "trace": trace,
            "subject": subject,
            "explained": explain(trace, names, _believed(principal, subject, trace)),
            "actor": names[trace.actor],
            "answered": answered | {"seq": trace.record["answered_at"]["seq"]},
            "form": form,
            "erases": Scope.ERASE in principal.scopes,
        }
        return render(request, "recall/why.html", context, status=400 if form else 200)


def _believed(principal: Principal, subject: Subject, trace: TraceView) -> dict[UUID, Believed]:
    """What is believed now of the memories that a recall met, for those who may change them."""
    if Scope.WRITE not in principal.scopes:
        return {}
    met = [UUID(c.record["memory"]) for c in trace.candidates]
    return believed_now(met, reader_for(principal, keys.cipher_for(subject)))
