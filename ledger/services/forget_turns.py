"""Retention of what was said: turns, sessions and finished jobs go after a policy's time."""

from datetime import timedelta

from django.db.models import Exists, OuterRef

from ledger.append import lock_head
from ledger.masking import unused_values
from ledger.models import Job, JobState, Session, Turn
from ledger.policy.storage import Retention
from tenants import clock, keys
from tenants.models import Subject


def forget_old_turns(retention: Retention) -> None:
    """Delete what is over in the tenant in context. What was learned from it stays."""
    before = clock.now() - timedelta(days=retention.turn_days)
    over = (JobState.DONE, JobState.DEAD)
    Job.objects.filter(created_at__lt=before, state__in=over).delete()
    old = Turn.objects.filter(created_at__lt=before).exclude(
        Exists(Job.objects.filter(session_id=OuterRef("session_id")).exclude(state__in=over))
    )
    subjects = set(old.values_list("subject_id", flat=True))
    old.delete()
    for subject in Subject.objects.filter(id__in=subjects, erased_at=None).order_by("id"):
        # Nobody may refer to a value anew while those that nothing refers to are looked for.
        lock_head(subject)
        unused_values(subject.id, keys.cipher_for(subject)).delete()
    Session.objects.filter(created_at__lt=before).exclude(
        Exists(Turn.objects.filter(session_id=OuterRef("id")))
    ).exclude(Exists(Job.objects.filter(session_id=OuterRef("id")))).delete()
