"""The Celery app. A task is a nudge: the work itself is a row in PostgreSQL."""

import os
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init, worker_process_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

app = Celery("memoryhub")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def refuse_unsafe_role(**_: Any) -> None:
    """A worker or beat under an unsafe database role ends here, before its first task."""
    from memoryhub.startup import require_safe_start

    require_safe_start()


@worker_process_init.connect
def load_models(**_: Any) -> None:
    """Each process of a worker loads the models as it starts."""
    from memoryhub.startup import warm_up

    warm_up()
