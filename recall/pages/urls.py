"""Routes of the recall app's pages: the questions about a subject, and why an answer is so."""

from django.urls import path

from recall.pages import views

urlpatterns = [
    path("subjects/<uuid:subject_id>/recalls", views.recalls_page, name="recalls-page"),
    path("recalls/<uuid:trace_id>", views.why_page, name="why-page"),
]
