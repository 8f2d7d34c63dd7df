"""Take an exported archive into an empty subject: the same entries, and so the same views.

Ids are made anew, since the original may still be in this database; everything that refers to one
is translated. Recorded times are the original's: this is the one door through which they come from
outside, it is open to the operator only, and each entry says from which one it was imported.
"""

import json
import zipfile
import zlib
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection

from ledger.append import append, lock_head
from ledger.masking import keep_values
from ledger.models import Head, Kind, Verb
from ledger.projection import project
from ledger.services.export import FORMAT
from tenants import clock, ids, keys
from tenants.crypto import SubjectCipher
from tenants.errors import Conflict, Invalid
from tenants.principals import Principal, Scope
from tenants.services.ensure_subject import ensure_subject

MAX_ARCHIVE_BYTES = 1024**3
# What an entry may set about the versions that it copies.
SETTABLE = frozenset({"weight", "importance", "confidence", "pending"})
# What reading a file raises that is no archive, or one that was damaged or made up.
UNREADABLE = (
    OSError,
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
    ArithmeticError,
)
# What the database refuses of what was read.
REFUSED = (DataError, IntegrityError, ValidationError)


class BadArchive(Invalid):
    """This file is not an archive that MemoryHub exported."""

    code = "bad_archive"


class NotEmpty(Conflict):
    """An archive is imported into a subject of which nothing is known yet."""

    code = "subject_not_empty"


@dataclass
class Translation:
    """Old ids to new ones, filled in the order of the entries."""

    memories: dict[str, UUID] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    entries: dict[str, str] = field(default_factory=dict)

    def memory(self, old: str | None) -> UUID | None:
        return self.memories.setdefault(old, ids.new_id()) if old else None

    def effect(self, old: dict[str, Any]) -> dict[str, Any]:
        return {
            "closed": [self.versions[version] for version in old["closed"]],
            "opened": [
                opening
                | {
                    "memory": str(self.memory(opening["memory"])),
                    "source": self.versions[opening["source"]] if opening["source"] else None,
                }
                for opening in old["opened"]
            ],
        }

    def facts(self, old: dict[str, Any]) -> dict[str, Any]:
        new = dict(old)
        if "corrects" in old:
            new["corrects"] = self.versions[old["corrects"]]
        if "undoes" in old:
            new["undoes"] = self.entries[old["undoes"]]
        if "sources" in old:
            new["sources"] = sorted(str(self.memory(source)) for source in old["sources"])
        if isinstance(old.get("erased"), list):
            new["erased"] = [self.entries[entry] for entry in old["erased"]]
        return new

    def made(self, old_entry: str, new_entry: UUID, opened: int) -> None:
        """Remember what the versions of an entry are called now."""
        self.entries[old_entry] = str(new_entry)
        for number in range(opened):
            old = str(ids.derived_id(UUID(old_entry), str(number)))
            self.versions[old] = str(ids.derived_id(new_entry, str(number)))


def import_subject(principal: Principal, external_id: str, archive: Path) -> int:
    """Append an archive's entries to an empty subject, all or none; gives how many there were.

    In the tenant's context. Raises BadArchive, NotEmpty, ScopeMissing.
    """
    principal.require(Scope.ADMIN)
    subject = ensure_subject(external_id)
    cipher = keys.cipher_for(subject)
    head = lock_head(subject)
    if head.seq:
        raise NotEmpty(field="subject")
    rows, private = _entries(archive)
    try:
        keep_values(cipher, private)
        _take_in(head, cipher, rows)
        connection.check_constraints()
    except (*UNREADABLE, *REFUSED) as error:
        raise BadArchive(f"Entry {head.seq + 1} of the archive, or one near it, is bad.") from error
    return len(rows)


def _take_in(head: Head, cipher: SubjectCipher, rows: list[dict[str, Any]]) -> None:
    translation = Translation()
    wordless: set[str] = set()
    for old in rows:
        moment = datetime.fromisoformat(old["recorded_at"])
        _check(old, moment, head)
        facts = old["facts"]
        if any(opening["source"] is None for opening in old["effect"]["opened"]):
            Kind(facts["kind"])
            if not old["words"]:
                wordless.add(old["id"])
        wordless -= set(facts.get("erased", ()))
        entry = append(
            head,
            cipher,
            verb=old["verb"],
            actor=old["actor"],
            recorded_at=moment,
            memory_id=translation.memory(old["memory"]),
            facts={
                "facts": translation.facts(facts),
                "effect": translation.effect(old["effect"]),
                "imported_from": {"entry": old["id"], "hash": old["hash"]},
            },
            words=old["words"],
        )
        project(entry, old["words"], cipher)
        translation.made(old["id"], entry.id, len(old["effect"]["opened"]))
    if wordless:
        raise BadArchive("The words of an entry are missing, and no erasure covers them.")


def _check(old: dict[str, Any], moment: datetime, head: Head) -> None:
    """What the ledger itself always keeps to. Raises BadArchive, ValueError."""
    Verb(old["verb"])
    after = moment.tzinfo and (head.recorded_at is None or moment > head.recorded_at)
    if not after or moment > clock.now():
        raise BadArchive(f"The time of entry {old['seq']} is in the future or out of order.")
    if not isinstance(old["words"], dict) or not set(old["facts"].get("set", ())) <= SETTABLE:
        raise BadArchive(f"Entry {old['seq']} of the archive is bad.")
    if not isinstance(old["facts"].get("erased", []), list):
        raise BadArchive("An archive holds no erasure of the whole subject.")


Rows = list[dict[str, Any]]


def _entries(path: Path) -> tuple[Rows, Rows]:
    """The archive's entries in order, as many as its manifest says, and what their placeholders
    stand for. Raises BadArchive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_ARCHIVE_BYTES:
                raise BadArchive(f"The archive unpacks to more than {MAX_ARCHIVE_BYTES} bytes.")
            manifest = json.loads(archive.read("manifest.json"))
            if manifest["format"] != FORMAT:
                raise BadArchive
            rows = _lines(archive, "entries")
            private = _lines(archive, "private") if "private" in manifest["counts"] else []
        for number, row in enumerate(rows, start=1):
            if row["seq"] != number:
                raise BadArchive(f"Entry {number} of the archive is missing.")
        if manifest["counts"]["entries"] != len(rows):
            raise BadArchive("Entries at the end of the archive are missing.")
        if len({row["id"] for row in rows}) != len(rows):
            raise BadArchive("Two entries of the archive have the same id.")
    except UNREADABLE as error:
        raise BadArchive from error
    return rows, private


def _lines(archive: zipfile.ZipFile, name: str) -> Rows:
    return [json.loads(line) for line in archive.read(f"{name}.jsonl").splitlines()]
