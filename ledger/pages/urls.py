"""Routes of the ledger app's pages: subjects, one subject's memories, one memory."""

from django.urls import path

from ledger.pages import views

urlpatterns = [
    path("", views.home, name="home"),
    path("subjects/<uuid:subject_id>", views.subject_page, name="subject-page"),
    path("memories/<uuid:memory_id>", views.memory_page, name="memory-page"),
]
