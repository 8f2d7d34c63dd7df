"""Which tenant a signed-in person works in, and the way into its pages."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from rest_framework.exceptions import Throttled

from tenants.context import tenant_context, user_context
from tenants.errors import MemoryHubError, NotFound
from tenants.models import Member
from tenants.pages.waiting import waiting_page
from tenants.principals import OWN_SCOPES, ROLE_SCOPES, Principal, Scope
from tenants.services.record_access import record_refusal
from tenants.throttling import require_pace

SESSION_KEY = "tenant"


def memberships(user_id: int) -> list[Member]:
    """All memberships of a person with their tenants, by the tenant's name."""
    with user_context(user_id):
        return list(Member.own.select_related("tenant").order_by("tenant__name"))


def current_membership(request: HttpRequest) -> Member | None:
    """The membership that the session chose, or the first one; checked anew on every request."""
    if not request.user.is_authenticated:
        return None
    found = memberships(request.user.pk)
    # The pages' switch of tenants lists them.
    request.memberships = found  # type: ignore[attr-defined]
    chosen = request.session.get(SESSION_KEY)
    return next((m for m in found if str(m.tenant_id) == chosen), found[0] if found else None)


def choose_tenant(request: HttpRequest, tenant_id: UUID) -> None:
    """Work in another of one's own tenants. Raises NotFound for any other."""
    user_id = request.user.pk
    if user_id is None or all(m.tenant_id != tenant_id for m in memberships(user_id)):
        raise NotFound
    request.session[SESSION_KEY] = str(tenant_id)


def principal_for(member: Member) -> Principal:
    """The caller that a member is."""
    with tenant_context(member.tenant_id):
        subject = member.subject.external_id if member.subject else None
    return Principal(
        tenant_id=member.tenant_id,
        actor=f"member:{member.user_id}",
        scopes=ROLE_SCOPES[member.role] if subject is None else OWN_SCOPES,
        subject=subject,
    )


def member_page(
    view: Callable[..., HttpResponse] | None = None, *, scope: Scope = Scope.READ
) -> Callable[..., Any]:
    """A page for signed-in members: runs and renders inside their tenant.

    The view is called with (request, principal, …); `request.membership` is there for templates.
    Rendering happens inside the context, since templates read rows too.
    """
    if view is None:
        return lambda real: member_page(real, scope=scope)

    @wraps(view)
    def page(request: HttpRequest, principal: Principal, *args: Any, **kwargs: Any) -> HttpResponse:
        with tenant_context(principal.tenant_id):
            response = view(request, principal, *args, **kwargs)
            if hasattr(response, "render"):
                response.render()
            return response

    return member_action(page, scope=scope)


def member_action(
    view: Callable[..., HttpResponse] | None = None, *, scope: Scope = Scope.READ
) -> Callable[..., Any]:
    """As member_page, but the view enters the tenant by itself, when its slow work is done.

    Nothing that these views answer is kept by a browser: it would outlive the sign-out.
    """
    if view is None:
        return lambda real: member_action(real, scope=scope)

    @never_cache
    @login_required
    @wraps(view)
    def action(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        member = current_membership(request)
        if member is None:
            return render(request, "no_tenant.html", status=403)
        request.membership = member  # type: ignore[attr-defined]
        principal = request.principal = principal_for(member)  # type: ignore[attr-defined]
        try:
            principal.require(scope)
            require_pace(request)
            return view(request, principal, *args, **kwargs)
        except Throttled as error:
            return waiting_page(request, error)
        except MemoryHubError as error:
            return _refusal(request, principal, error)

    return action


def _refusal(request: HttpRequest, principal: Principal, error: MemoryHubError) -> HttpResponse:
    if isinstance(error, NotFound):
        record_refusal(request, principal, error)
    context = {"status": error.status, "message": error.message}
    return render(request, "error.html", context, status=error.status)
