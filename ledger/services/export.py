"""Everything held about a subject as one archive: for the person, and for another installation.

The archive is a ZIP of JSON Lines (one object a line) and a page to read:

    manifest.json    format, subject, when, how many of each, digest of the views
    entries.jsonl    the ledger: headers and words, in order; enough to make the views again
    memories.jsonl   every version of every memory
    traces.jsonl     recalls, while their time lasts
    turns.jsonl      what was said, while its time lasts, and what became of it
    private.jsonl    what the placeholders in the entries stand for
    working.jsonl    what agents noted for tasks about this person, while its time lasts
    policies.jsonl   the rules that were applied
    index.html       the memories, readable without any program
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.module_loading import import_string

from ledger.chain import canonical
from ledger.masking import Reader, reader_for
from ledger.models import MemoryVersion
from ledger.policies import current_policy
from ledger.rebuild import digest_of, entries_of
from ledger.selectors import as_memory, as_of
from tenants import clock, keys
from tenants.crypto import SubjectCipher
from tenants.models import Subject
from tenants.principals import Principal
from tenants.selectors import get_subject_named
from tenants.services.record_access import record_access

FORMAT = "memoryhub-subject/1"

Rows = Iterable[dict[str, Any]]
Exporter = Callable[[Subject, Reader], Rows]


def export_subject(principal: Principal, external_id: str) -> bytes:
    """The archive of one subject, in its tenant. Raises ScopeMissing, Pinned, NotFound."""
    subject = get_subject_named(principal, external_id)
    principal.require_all_agents()
    reader = reader_for(principal, keys.cipher_for(subject))
    versions = list(
        MemoryVersion.objects.select_related("entry", "subject")
        .filter(subject=subject)
        .order_by("seq_from", "valid_from", "id")
    )
    parts: dict[str, Rows] = {
        "entries": _entries(subject, reader.cipher),
        "memories": (_memory(v, reader) for v in versions),
        "policies": [json.loads(current_policy().model_dump_json())],
        **{name: export(subject, reader) for name, export in exporters().items()},
    }
    counts: dict[str, int] = {}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, rows in parts.items():
            lines = [canonical(row) for row in rows]
            counts[name] = len(lines)
            archive.writestr(f"{name}.jsonl", b"".join(line + b"\n" for line in lines))
        manifest = {
            "format": FORMAT,
            "subject": external_id,
            "exported_at": clock.now().isoformat(),
            "counts": counts,
            "views": digest_of(versions, reader.cipher).hex(),
        }
        archive.writestr("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=2))
        archive.writestr("index.html", _page(external_id, versions, reader))
    record_access(principal, action="export", object_id=external_id)
    return buffer.getvalue()


@cache
def exporters() -> dict[str, Exporter]:
    """What the rooms above the ledger add to an archive, named in settings.LEDGER_EXPORTERS."""
    return {name: import_string(path) for name, path in settings.LEDGER_EXPORTERS.items()}


def _entries(subject: Subject, cipher: SubjectCipher) -> Iterator[dict[str, Any]]:
    for entry, words in entries_of(subject, cipher):
        yield {
            "id": str(entry.id),
            "seq": entry.seq,
            "recorded_at": entry.recorded_at.isoformat(),
            "verb": entry.verb,
            "memory": str(entry.memory_id) if entry.memory_id else None,
            "actor": entry.actor,
            "facts": entry.header["facts"],
            "effect": entry.header["effect"],
            "words": words,
            "hash": bytes(entry.hash).hex(),
        }


def _memory(version: MemoryVersion, reader: Reader) -> dict[str, Any]:
    memory = as_memory(version, reader, as_of())
    told = {k: v if _is_json(v) else str(v) for k, v in vars(memory).items()}
    told["provenance"] = {k: v if _is_json(v) else str(v) for k, v in memory.provenance.items()}
    return told | {
        "recorded_from": version.recorded_from.isoformat(),
        "recorded_to": version.recorded_to.isoformat() if version.recorded_to else None,
    }


def _is_json(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool | list | dict)


def _page(external_id: str, versions: list[MemoryVersion], reader: Reader) -> str:
    at = as_of()
    current = [as_memory(v, reader, at) for v in versions if v.recorded_to is None]
    past = [as_memory(v, reader, at, "superseded") for v in versions if v.recorded_to is not None]
    context = {
        "subject": external_id,
        "current": current,
        "past": past,
        "exported_at": clock.now(),
    }
    return render_to_string("export.html", context)
