"""manage.py import_conversation: verbatim, dated, resumable, and clear about what is wrong."""

import json
import uuid
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ledger.models import MemoryVersion
from tenants.context import tenant_context
from tests.cast import Actor, Api, new_tenant

LOCOMO = {
    "speaker_a": "Caroline",
    "session_1_date_time": "1:56 pm on 8 May, 2023",
    "session_1": [
        {"speaker": "Caroline", "dia_id": "D1:1", "text": "Hey Mel!"},
        {"speaker": "Melanie", "dia_id": "D1:2", "text": "Hi  there", "blip_caption": "a kite"},
    ],
    "session_2_date_time": "12:05 am on 1 January, 2024",
    "session_2": [{"speaker": "Caroline", "dia_id": "D2:1", "text": "Hey Mel!"}],
}


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Runs the command on some content in a file; gives what it printed to stdout."""

    def command(tenant: Actor, content: Any, subject: str = "mel", **options: Any) -> str:
        file = tmp_path / "conversation.json"
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        file.write_bytes(data)
        out = StringIO()
        options.setdefault("stderr", StringIO())
        call_command(
            "import_conversation",
            str(file),
            tenant=str(tenant.tenant_id),
            subject=subject,
            stdout=out,
            **options,
        )
        return out.getvalue()

    return command


def listed(api: Api, **query: Any) -> list[dict]:
    found: list[dict] = api.get("/api/v1/memories", subject="mel", **query).json()["results"]
    return found


def test_each_turn_is_one_memory_verbatim_and_dated_by_its_session(
    run: Callable[..., str], api: Api, tenant: Actor
) -> None:
    """T12: what was said in 2023 is true of 2023; the same words at another turn are another."""
    said = run(tenant, {"conversation": LOCOMO, "qa": []})
    assert "3 turns: 3 stored, 0 already there." in said
    memories = list(reversed(listed(api)))
    assert [m["content"] for m in memories] == [
        "Caroline: Hey Mel!",
        "Melanie: Hi  there [shares a kite]",
        "Caroline: Hey Mel!",
    ]
    assert [m["valid_from"] for m in memories] == [
        "2023-05-08T13:56:00Z",
        "2023-05-08T13:56:00Z",
        "2024-01-01T00:05:00Z",
    ]
    assert [m["provenance"]["turns"] for m in memories] == [["D1:1"], ["D1:2"], ["D2:1"]]
    assert [m["provenance"]["session"] for m in memories] == ["session_1", "session_1", "session_2"]
    assert {m["provenance"]["actor"] for m in memories} == {"command:import_conversation"}
    assert {m["provenance"]["dated_by"] for m in memories} == {"client"}
    assert {m["kind"] for m in memories} == {"event"}


def test_a_second_import_writes_nothing(run: Callable[..., str], api: Api, tenant: Actor) -> None:
    run(tenant, LOCOMO)
    ids = {m["id"] for m in listed(api)}
    assert "3 turns: 0 stored, 3 already there." in run(tenant, LOCOMO)
    longer = LOCOMO | {"session_3": [{"speaker": "Melanie", "dia_id": "D3:1", "text": "Bye."}]}
    assert "4 turns: 1 stored, 3 already there." in run(tenant, longer)
    assert ids < {m["id"] for m in listed(api)}


def test_times_are_read_in_the_zone_that_is_named(
    run: Callable[..., str], api: Api, tenant: Actor
) -> None:
    run(tenant, LOCOMO, time_zone="Asia/Shanghai")
    assert listed(api)[-1]["valid_from"] == "2023-05-08T05:56:00Z"


def test_progress_is_shown_while_it_works(run: Callable[..., str], tenant: Actor) -> None:
    shown = StringIO()
    run(tenant, [{"content": f"turn {n}"} for n in range(120)], stderr=shown)
    assert [part.strip() for part in shown.getvalue().split("\r") if part] == [
        "50 of 120 turns",
        "100 of 120 turns",
        "120 of 120 turns",
    ]


def test_a_tenant_can_be_named(tmp_path: Path) -> None:
    title = f"named {uuid.uuid4().hex}"
    actor = new_tenant(title)
    file = tmp_path / "c.json"
    file.write_text(json.dumps([{"content": "你好"}]))
    out = StringIO()
    call_command(
        "import_conversation", str(file), tenant=title, subject="mel", stdout=out, stderr=out
    )
    assert [m["content"] for m in listed(Api(actor.api_key))] == ["你好"]


@pytest.mark.parametrize(
    ("content", "options", "says"),
    [
        (b"{", {}, "is not JSON in UTF-8"),
        (b"\xff\xfe", {}, "is not JSON in UTF-8"),
        (b"[" * 100_000, {}, "is not JSON in UTF-8"),
        ({"nothing": "here"}, {}, "no conversation in a known format"),
        ([{"content": "x", "at": "soon"}], {}, "not ISO 8601"),
        ([{"content": "x" * 20_001}], {}, "longer than 20000 characters.*Nothing was imported"),
        (b'[{"content": "\\ud83d"}]', {}, "half of a surrogate pair.*Nothing was imported"),
        ([{"content": "a\x00b"}], {}, "holds NUL.*Nothing was imported"),
        (
            {"sessions": [{"id": "x" * 256, "turns": [{"content": "x"}]}]},
            {},
            "id of more than 255 characters.*Nothing was imported",
        ),
        (LOCOMO, {"subject": "  "}, "--subject has 1 to 255 characters"),
        (LOCOMO, {"subject": "x" * 256}, "--subject has 1 to 255 characters"),
        (LOCOMO, {"time_zone": "Mars/Olympus"}, "There is no time zone 'Mars/Olympus'"),
        (LOCOMO, {"time_zone": "../etc/passwd"}, "There is no time zone"),
    ],
)
def test_a_bad_file_or_option_imports_nothing_and_says_why(
    run: Callable[..., str], tenant: Actor, content: Any, options: dict, says: str
) -> None:
    with pytest.raises(CommandError, match=f"(?s){says}"):
        run(tenant, content, **options)
    with tenant_context(tenant.tenant_id):
        assert not MemoryVersion.objects.exists()


def test_a_file_or_tenant_that_is_not_there_is_named(tmp_path: Path, tenant: Actor) -> None:
    with pytest.raises(CommandError, match=r"missing\.json cannot be read"):
        call_command(
            "import_conversation",
            str(tmp_path / "missing.json"),
            tenant=str(tenant.tenant_id),
            subject="mel",
        )
    file = tmp_path / "c.json"
    file.write_text(json.dumps(LOCOMO))
    with pytest.raises(CommandError, match="There is no tenant called 'nobody at all'"):
        call_command("import_conversation", str(file), tenant="nobody at all", subject="mel")
