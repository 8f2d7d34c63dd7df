"""Routes of the recall app's pages: questions about a subject, why an answer is so, a change."""

from django.urls import path

from recall.pages import views

urlpatterns = [
    path("subjects/<uuid:subject_id>/recalls", views.recalls_page, name="recalls-page"),
    path("recalls/<uuid:trace_id>", views.why_page, name="why-page"),
    path(
        "recalls/<uuid:trace_id>/memories/<uuid:memory_id>",
        views.change_page,
        name="change-page",
    ),
]
