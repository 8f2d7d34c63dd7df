"""The data directory: who may use it, and the passwords and keys kept in it."""

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_urlsafe

from cryptography.fernet import Fernet
from django.core.exceptions import ImproperlyConfigured

from memoryhub import account, processes
from memoryhub.processes import Roster


def prepare(data_dir: Path) -> None:
    """Make the directory, or say in one sentence why it cannot be used."""
    try:
        if not data_dir.exists():
            data_dir.mkdir(parents=True)
            # As root the servers' account must pass through, but list nothing.
            data_dir.chmod(0o711 if account.name() else 0o700)
        with tempfile.TemporaryFile(dir=data_dir):
            pass
    except OSError as error:
        raise ImproperlyConfigured(
            f"The data directory {data_dir} cannot be written ({error.strerror}): give yourself "
            "the right to, or set MEMORYHUB_DATA_DIR to another one."
        ) from None


@contextmanager
def alone(data_dir: Path) -> Iterator[Roster]:
    """Keep everybody else from starting on the directory; gives what an earlier run left there."""
    with (data_dir / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            address = Roster.read(data_dir / "running.json").address
            where = f"at {address}" if address else "by hand"
            raise ImproperlyConfigured(
                f"MemoryHub is already running on {data_dir}, {where}."
            ) from None
        yield Roster.read(data_dir / "running.json")


def secrets(data_dir: Path) -> dict[str, str]:
    """The installation's passwords and keys, made once."""
    path = data_dir / "secrets.json"
    if path.exists():
        return processes.read_json(path)
    if (data_dir / "postgres" / "PG_VERSION").exists():
        raise ImproperlyConfigured(
            f"{path} is gone but the database beside it is not: put the file back from your "
            "backup, as nothing in the database can be read without its keys."
        )
    made = {
        "secret_key": token_urlsafe(48),
        "field_encryption_key": Fernet.generate_key().decode(),
        "owner_password": token_urlsafe(24),
        "application_password": token_urlsafe(24),
        "valkey_password": token_urlsafe(24),
    }
    processes.write_private(path, made)
    return made
