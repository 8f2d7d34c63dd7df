"""Raw connections to the stack's database, as the application role and as the superuser."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings

from memoryhub import embedded, env


@contextmanager
def as_application() -> Iterator[Any]:
    """A cursor as the role that serves tenants; what it does is rolled back."""
    with _rolled_back(env.text("MEMORYHUB_DATABASE_URL")) as cursor:
        yield cursor


@contextmanager
def as_superuser() -> Iterator[Any]:
    """A cursor as the one role that sees past the wall; what it does is rolled back."""
    url = embedded.superuser_url(Path(settings.DATA_DIR), settings.DATABASES["default"]["NAME"])
    with _rolled_back(url) as cursor:
        yield cursor


@contextmanager
def as_tamperer() -> Iterator[Any]:
    """A superuser's cursor that no trigger and no foreign key stops; what it does is committed."""
    url = embedded.superuser_url(Path(settings.DATA_DIR), settings.DATABASES["default"]["NAME"])
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield cursor


@contextmanager
def _rolled_back(url: str) -> Iterator[Any]:
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        try:
            yield cursor
        finally:
            connection.rollback()
