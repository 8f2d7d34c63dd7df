"""The account that runs the embedded servers, and what it may reach.

PostgreSQL refuses to run as root. There both servers run as an account of their own, which owns
their directories and nothing else; everywhere else they run as whoever started MemoryHub.
"""

import logging
import os
import pwd
import stat
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

logger = logging.getLogger(__name__)

ACCOUNT: Final = "pgserver"


def name() -> str | None:
    """The servers' account, or None for the current one."""
    return ACCOUNT if os.geteuid() == 0 else None


def package(wheel: str) -> Path:
    """Where a wheel's files are. Importing it would only bring in its own way to run a server."""
    found = find_spec(wheel)
    if found is None or found.origin is None:
        raise ImproperlyConfigured(
            f"The package {wheel} is missing: run `make up`, which installs it, or set "
            "MEMORYHUB_DATABASE_URL and MEMORYHUB_REDIS_URL to servers of your own."
        )
    return Path(found.origin).parent


def open_to_account(wheel: Path, data_dir: Path) -> None:
    """As root, make the servers' account and let it reach its program and its directory."""
    if name() is None:
        return
    try:
        pwd.getpwnam(ACCOUNT)
    except KeyError:
        subprocess.run(["useradd", "--system", "--shell", "/usr/sbin/nologin", ACCOUNT], check=True)
    _let_through(wheel)
    _let_through(data_dir / "any")
    # pip installs with the umask of the moment, which may hide the program from the account.
    for tree in (wheel, *wheel.parent.glob(f"{wheel.name}.libs")):
        for path in (tree, *tree.rglob("*")):
            _add_mode(path, 0o055 if path.is_dir() or os.access(path, os.X_OK) else 0o044)


def _add_mode(path: Path, bits: int) -> None:
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & bits != bits:
        path.chmod(mode | bits)


def _let_through(path: Path) -> None:
    """Let other accounts pass the directories above `path`, without letting them list any."""
    for directory in path.parents:
        if not directory.stat().st_mode & stat.S_IXOTH:
            logger.warning("%s is opened (o+x) to the account %s.", directory, ACCOUNT)
            _add_mode(directory, stat.S_IXOTH)


def own_dir(directory: Path) -> None:
    """A directory that only the servers' account can enter."""
    directory.mkdir(mode=0o700, exist_ok=True)
    if directory.is_symlink() or directory.stat().st_uid not in (os.geteuid(), _ids()[0]):
        raise ImproperlyConfigured(
            f"{directory} belongs to another user: start MemoryHub as that user, or set "
            "MEMORYHUB_DATA_DIR to another directory."
        )
    os.chown(directory, *_ids())
    directory.chmod(0o700)


def own_file(path: Path, content: str) -> None:
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(content)
    os.chown(path, *_ids())


def _ids() -> tuple[int, int]:
    if name() is None:
        return os.geteuid(), os.getegid()
    entry = pwd.getpwnam(ACCOUNT)
    return entry.pw_uid, entry.pw_gid
