"""The PostgreSQL 18 with pgvector and the Valkey that come inside Python wheels.

Everything they keep is in the data directory.

By hand, without web server and worker:

    python -m memoryhub.embedded start DATA_DIR
    python -m memoryhub.embedded env DATA_DIR     # prints `export NAME=value` lines
    python -m memoryhub.embedded stop DATA_DIR
"""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from memoryhub import database, kept, postgres_server, processes, valkey_server

DATABASE: Final = "memoryhub"


def superuser_url(data_dir: Path, name: str = "postgres") -> str:
    """For preparing databases only: the socket lets the current account in as `postgres`."""
    return _url(data_dir, "postgres", name)


def role_url(data_dir: Path, role: str, password: str, name: str = DATABASE) -> str:
    """The password is not escaped: ours need no escaping."""
    return _url(data_dir, f"{role}:{password}", name)


def _url(data_dir: Path, login: str, name: str) -> str:
    return f"postgresql://{login}@/{name}?host={postgres_server.socket_dir(data_dir)}&port=5432"


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
    return {"MEMORYHUB_REDIS_URL": valkey_server.url(data_dir)}


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
        for server in (postgres_server, valkey_server):
            program = server.program(data_dir)
            process = processes.spawn(program, tied=tied)
            children.append(process)
            roster.add(program, process.pid)
            processes.wait_until(
                partial(server.answers, data_dir), [(program, process)], processes.SERVER_SECONDS
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
