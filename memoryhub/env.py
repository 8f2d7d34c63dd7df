"""Reads the environment, and says in one sentence which variable is wrong and what to do.

A value is looked up in the process's environment, then in the `environment.json` that the
supervisor leaves in the data directory (so that `manage.py` run by hand beside a running
`make up` finds the embedded servers), then in the default given by the caller.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

REPOSITORY: Final = Path(__file__).resolve().parent.parent
YES: Final = {"1", "true", "yes", "on"}
NO: Final = {"0", "false", "no", "off"}

# The owner's address in the file belongs to the embedded database. Beside an application address
# given by hand it would send migrations to one database and requests to another.
TOGETHER: Final = {"MEMORYHUB_OWNER_DATABASE_URL": "MEMORYHUB_DATABASE_URL"}


def data_dir() -> Path:
    """The directory that holds everything an installation must keep."""
    given = os.environ.get("MEMORYHUB_DATA_DIR", "")
    return Path(given).expanduser().absolute() if given else REPOSITORY / ".memoryhub"


def _filed() -> dict[str, str]:
    path = data_dir() / "environment.json"
    try:
        values = json.loads(path.read_text())
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return {}
    except ValueError as error:
        raise ImproperlyConfigured(f"{path} is not JSON: stop MemoryHub and delete it.") from error
    return {name: str(value) for name, value in values.items()}


def _find(name: str) -> str:
    if os.environ.get(name):
        return os.environ[name]
    if os.environ.get(TOGETHER.get(name, "")):
        return ""
    return _filed().get(name, "")


def text(name: str, default: str | None = None) -> str:
    """The variable's text; without a default it must be set."""
    value = _find(name)
    if value:
        return value
    if default is None:
        raise ImproperlyConfigured(f"{name} is not set: set it, or run `make up`, which does.")
    return default


def flag(name: str, default: bool = False) -> bool:
    """True or false, in the usual words."""
    value = _find(name).lower()
    if not value:
        return default
    if value not in YES | NO:
        raise ImproperlyConfigured(f"{name} must be true or false, not {value!r}.")
    return value in YES


def integer(name: str, default: int, *, least: int | None = None, most: int | None = None) -> int:
    """A whole number between `least` and `most`, both included."""
    value = _find(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from error
    if least is not None and number < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {number}.")
    if most is not None and number > most:
        raise ImproperlyConfigured(f"{name} must be at most {most}, not {number}.")
    return number


def listing(name: str, default: str = "") -> list[str]:
    """Comma-separated words, without the empty ones; `default` is written the same way."""
    words = [word.strip() for word in text(name, default).split(",")]
    return [word for word in words if word]


def _scheme(address: str) -> str:
    return address.partition("://")[0]


def url(name: str, schemes: Sequence[str], default: str | None = None) -> str:
    """An address with one of the schemes. It may hold a password, so errors never show it."""
    value = text(name, default)
    if value and _scheme(value) not in schemes:
        wanted = " or ".join(f"{scheme}://" for scheme in schemes)
        raise ImproperlyConfigured(f"{name} must begin with {wanted}.")
    return value


def secret(name: str, *, least: int = 32) -> str:
    """A secret of at least `least` characters; errors never show it."""
    value = text(name)
    if len(value) < least:
        raise ImproperlyConfigured(
            f"{name} must have {least} random characters or more: "
            "make one with `python -c 'import secrets; print(secrets.token_urlsafe(48))'`."
        )
    return value


def database(address: str, name: str = "MEMORYHUB_DATABASE_URL") -> dict[str, Any]:
    """A Django DATABASES entry for a `postgresql://` address; `name` is for the errors.

    libpq itself takes the address apart, so unix sockets (`?host=/dir`), `sslmode` and every
    other option mean here what they mean to `psql`.
    """
    if _scheme(address) not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(f"{name} must begin with postgresql://.")
    try:
        parts = conninfo_to_dict(address)
        int(parts.get("port") or 0)
    except (ProgrammingError, ValueError):
        parts = {}
    if not parts.get("dbname") or not parts.get("user"):
        # Neither chained nor quoted: libpq repeats what it did not understand, which may be the
        # password.
        raise ImproperlyConfigured(
            f"{name} must read postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with the special "
            "characters of the password percent-encoded."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname"),
        "USER": parts.pop("user"),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": str(parts.pop("port", "")),
        "OPTIONS": parts,
    }
