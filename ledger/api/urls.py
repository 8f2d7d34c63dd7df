"""REST routes of the ledger; each answers with and without a trailing slash, but for one subject:

"bob/" is another person than "bob", and what is done to one must not be done to the other.
"""

from django.urls import re_path

from ledger.api.ledger import LedgerView, VerifyView
from ledger.api.policies import PoliciesView, PolicyTrialView
from ledger.api.sessions import JobRetryView, JobView, SessionEndView, TurnsView
from ledger.api.subjects import (
    MemoryEraseView,
    SubjectEraseView,
    SubjectExportView,
    SubjectProfileView,
    SubjectRetractView,
    SubjectsView,
    SubjectView,
)
from ledger.api.verbs import VERBS, HistoryView, verb_view
from ledger.api.views import MemoriesView, MemoryDetailView
from tenants.api.paths import UUID_PATTERN

# The tenant's own id may hold any character but NUL, a slash or a new line too. No id ends like
# one of these routes (tenants.services.ensure_subject), so that a path means one thing.
SUBJECT = r"(?P<subject>[^\0]{1,255}?)"
SESSION = r"(?P<session>[^\0]{1,255}?)"
JOB = rf"(?P<job_id>{UUID_PATTERN})"
MEMORY = rf"(?P<memory_id>{UUID_PATTERN})"

urlpatterns = [
    re_path(r"^memories/?$", MemoriesView.as_view(), name="memories"),
    re_path(rf"^memories/{MEMORY}/?$", MemoryDetailView.as_view(), name="memory"),
    re_path(rf"^memories/{MEMORY}/erase/?$", MemoryEraseView.as_view(), name="erase-memory"),
    re_path(rf"^memories/{MEMORY}/history/?$", HistoryView.as_view(), name="history"),
    *(
        re_path(rf"^memories/{MEMORY}/{verb}/?$", verb_view(verb), name=f"{verb}-memory")
        for verb in VERBS
    ),
    re_path(rf"^sessions/{SESSION}/turns/?$", TurnsView.as_view(), name="turns"),
    re_path(rf"^sessions/{SESSION}/end/?$", SessionEndView.as_view(), name="end-session"),
    re_path(rf"^jobs/{JOB}/?$", JobView.as_view(), name="job"),
    re_path(rf"^jobs/{JOB}/retry/?$", JobRetryView.as_view(), name="retry-job"),
    re_path(r"^policies/?$", PoliciesView.as_view(), name="policies"),
    re_path(r"^policies/dry-run/?$", PolicyTrialView.as_view(), name="try-policy"),
    re_path(r"^ledger/?$", LedgerView.as_view(), name="ledger"),
    re_path(r"^ledger/verify/?$", VerifyView.as_view(), name="verify-ledger"),
    re_path(r"^subjects/?$", SubjectsView.as_view(), name="subjects"),
    re_path(rf"^subjects/{SUBJECT}/erase/?$", SubjectEraseView.as_view(), name="erase-learned"),
    re_path(
        rf"^subjects/{SUBJECT}/retract/?$", SubjectRetractView.as_view(), name="retract-learned"
    ),
    re_path(rf"^subjects/{SUBJECT}/export/?$", SubjectExportView.as_view(), name="export"),
    re_path(rf"^subjects/{SUBJECT}/profile/?$", SubjectProfileView.as_view(), name="profile"),
    re_path(rf"^subjects/{SUBJECT}/?$", SubjectView.as_view(), name="subject"),
]
