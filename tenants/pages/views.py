"""Pages: the door (signing in and out, one's password), the language, the tenant."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language
from rest_framework.exceptions import Throttled

from tenants.errors import NotFound
from tenants.membership import choose_tenant, current_membership
from tenants.pages.waiting import waiting_page
from tenants.throttling import require_few_failures

# Only a POST changes the language: a link from elsewhere cannot.
language = require_POST(set_language)


class SignIn(LoginView):
    """Signing in. Every failure reads the same; an address that fails too often has to wait."""

    template_name = "tenants/sign_in.html"
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            require_few_failures(request)
        except Throttled as error:
            return waiting_page(request, error)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        require_few_failures(self.request, failed=True)
        return super().form_invalid(form)


class SignOut(LogoutView):
    """Signing out, by POST only."""


class ChangePassword(PasswordChangeView):
    """One's own password; whoever is signed in elsewhere with the old one is signed out."""

    template_name = "tenants/password.html"
    success_url = reverse_lazy("home")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        request.membership = current_membership(request)  # type: ignore[attr-defined]
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("Your password is changed."))
        return super().form_valid(form)


@require_POST
@login_required
def tenant(request: HttpRequest) -> HttpResponse:
    """Work in another of one's own tenants; any other is as good as none."""
    try:
        choose_tenant(request, UUID(request.POST.get("tenant", "")))
    except (ValueError, NotFound) as error:
        raise Http404 from error
    return redirect("home")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    """Where browsers look for an icon when a page names none."""
    return HttpResponseRedirect(static("favicon.svg"))
