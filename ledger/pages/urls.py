"""Routes of the ledger app's pages: subjects, what is known of one, what was said, one memory."""

from django.urls import path

from ledger.pages import conversations, memory, profile, views

SUBJECT = "subjects/<uuid:subject_id>"

urlpatterns = [
    path("", views.home, name="home"),
    path(SUBJECT, views.subject_page, name="subject-page"),
    path(f"{SUBJECT}/profile", profile.profile_page, name="profile-page"),
    path(f"{SUBJECT}/sessions", conversations.sessions_page, name="sessions-page"),
    path(f"{SUBJECT}/sessions/<uuid:session_id>", conversations.session_page, name="session-page"),
    path("memories/<uuid:memory_id>", memory.memory_page, name="memory-page"),
]
