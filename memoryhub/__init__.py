"""The Django project. Importing it makes the Celery app known, so that tasks find their broker."""

from memoryhub.celery import app as celery_app

__all__ = ["celery_app"]
