"""Routes of the tenants app's pages: signing in and out, password, language, tenant."""

from django.urls import path

from tenants.pages import views

urlpatterns = [
    path("sign-in", views.SignIn.as_view(), name="sign-in"),
    path("sign-out", views.SignOut.as_view(), name="sign-out"),
    path("password", views.ChangePassword.as_view(), name="password"),
    path("language", views.language, name="language"),
    path("tenant", views.tenant, name="tenant"),
    path("favicon.ico", views.favicon, name="favicon"),
]
