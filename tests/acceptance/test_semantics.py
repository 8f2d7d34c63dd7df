"""docs/semantics.md, executed: every example is played against the API, every picture is redrawn.

The page explains its own convention. A section is one test, with a tenant of its own.
"""

import json
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from ledger.api.verbs import VERBS
from ledger.services.remember import remember
from ledger.writing import Written
from tenants import clock
from tenants.errors import MemoryHubError
from tests.cast import HOST, Actor

PAGE = Path(__file__).resolve().parents[2] / "docs" / "semantics.md"
BLOCK = re.compile(r"^```(\w+) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"\{\{(\w+)\}\}")
SUBJECT = "ada"
FIRST_REQUEST = datetime(2026, 3, 2, 9, tzinfo=UTC)
BETWEEN_REQUESTS = timedelta(minutes=1)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, what stands beside it, its text."""

    language: str
    note: str
    text: str


def sections(page: str) -> dict[str, list[Block]]:
    """The blocks under each heading that has some."""
    parts = re.split(r"^## (.+)$", page, flags=re.MULTILINE)
    found = {
        title: [Block(*block) for block in BLOCK.findall(text)]
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    return {title: blocks for title, blocks in found.items() if blocks}


def held_for_review(*args: Any, near: Any, stated: Any, **options: Any) -> tuple[Written, list]:
    """What `believe` does with a statement that a person has to decide about."""
    return remember(*args, **options, pending=True), []


@dataclass
class Reading:
    """One section as it is played: the names it has given, and the answer it has just had."""

    api_key: str
    monkeypatch: pytest.MonkeyPatch
    names: dict[str, str] = field(default_factory=dict)
    requests: int = 0
    answer: Any = None
    client: Client = field(default_factory=lambda: Client(SERVER_NAME=HOST))

    def play(self, blocks: list[Block]) -> None:
        for block in blocks:
            getattr(self, f"play_{block.language}")(block)
        assert self.answer is None, "the last request has no answer"

    def play_http(self, block: Block) -> None:
        """Send a request: its line, its headers, an empty line, its body."""
        assert self.answer is None, "a request has no answer"
        head, _, body = NAME.sub(lambda m: self.names[m[1]], block.text).partition("\n\n")
        line, *headers = head.strip().splitlines()
        with self.monkeypatch.context() as patch:
            if block.note == "held for review":
                patch.setattr("ledger.services.write_memory.believe", held_for_review)
            self.answer = self.send(*line.split(" "), body.strip(), headers)

    def send(self, method: str, path: str, body: str = "", headers: list[str] | None = None) -> Any:
        moment = FIRST_REQUEST + self.requests * BETWEEN_REQUESTS
        named = dict(header.split(": ") for header in headers or [])
        with clock.frozen(moment):
            return self.client.generic(
                method,
                path,
                body,
                content_type="application/json",
                headers=named | {"Authorization": f"Bearer {self.api_key}"},
            )

    def play_json(self, block: Block) -> None:
        """Compare the answer with what is shown of it."""
        assert self.answer is not None, "an answer without a request"
        assert self.answer.status_code == int(block.note or 200), self.answer.content
        self.require(json.loads(block.text), self.answer.json(), "answer")
        self.answer = None
        self.requests += 1

    def require(self, shown: Any, actual: Any, where: str) -> None:
        """What is shown is there: of an object some members, of a list every item."""
        if isinstance(shown, dict):
            for name, value in shown.items():
                assert name in actual, f"{where} has no {name}"
                self.require(value, actual[name], f"{where}.{name}")
        elif isinstance(shown, list):
            assert len(shown) == len(actual), f"{where} has {len(actual)} items: {actual}"
            for number, (item, there) in enumerate(zip(shown, actual, strict=True)):
                self.require(item, there, f"{where}[{number}]")
        elif isinstance(shown, str) and (named := NAME.fullmatch(shown)):
            assert self.names.setdefault(named[1], actual) == actual, where
        else:
            assert shown == actual, f"{where} is {actual!r}"

    def play_rectangles(self, block: Block) -> None:
        """Draw the memories named beside the block, and compare."""
        memories = [self.names[name] for name in block.note.split()]
        assert drawn(self.rectangles(memories)) == block.text.rstrip().splitlines()

    def rectangles(self, memories: list[str]) -> "Layers":
        """What was believed of the memories after each entry that touched one of them."""
        entries = {
            entry["seq"]
            for memory in memories
            for entry in self.read(f"/api/v1/memories/{memory}/history")["entries"]
        }
        asked = f"/api/v1/memories?subject={SUBJECT}&status=any&limit=100&known_at=seq:"
        return {
            seq: [m for m in self.read(f"{asked}{seq}")["results"] if m["id"] in memories]
            for seq in sorted(entries)
        }

    def read(self, path: str) -> Any:
        answer = self.send("GET", path)
        assert answer.status_code == 200, answer.content
        return answer.json()


# --- drawing --------------------------------------------------------------------------------------

# For every entry, the versions that were believed after it, as the API shows them.
Layers = dict[int, list[dict[str, Any]]]
MARGIN = 8
# A corner by the lines that meet there: up, down, left, right.
CORNERS = dict(zip(range(16), " ╶╴─╷┌┐┬╵└┘┴│├┤┼", strict=True))


def drawn(layers: Layers) -> list[str]:
    """The rectangles of some versions: valid time to the right, recorded time downwards.

    An open end has no wall; what is believed still has no floor.
    """
    bounds = sorted({m for v in versions_of(layers) for m in (v["valid_from"], v["valid_to"]) if m})
    width = 3 + max(len(text) for v in versions_of(layers) for text in (label(v), date(bounds[0])))
    lines = [" " * MARGIN + "".join(date(bound).ljust(width) for bound in bounds)]
    above: list[str] = [""] * len(bounds)
    shown: dict[str, str] = {}
    for seq, versions in layers.items():
        shown |= {version["version"]: label(version) for version in versions}
        row = [holding(versions, bound) for bound in bounds]
        lines.append(f"seq:{seq}".ljust(MARGIN) + border(above, row, width))
        lines.append(" " * MARGIN + texts(above, row, shown, width))
        above = row
    return [line.rstrip() for line in "\n".join(lines).rstrip().splitlines()]


def versions_of(layers: Layers) -> list[dict[str, Any]]:
    return [version for versions in layers.values() for version in versions]


def holding(versions: list[dict[str, Any]], moment: str) -> str:
    """The version that holds at a moment, or ''. The API's moments sort as texts."""
    found = [
        v["version"]
        for v in versions
        if v["valid_from"] <= moment and (v["valid_to"] is None or moment < v["valid_to"])
    ]
    assert len(found) <= 1, "these rectangles overlap: draw them apart"
    return found[0] if found else ""


def label(version: dict[str, Any]) -> str:
    text = version["value"] or version["content"]
    if version["status"] == "pending":
        text += "?"
    return text if version["weight"] == 1 else f"{text} ×{version['weight']:g}"


def date(moment: str) -> str:
    day, time = moment.rstrip("Z").split("T")
    return day if time == "00:00:00" else f"{day} {time[:5]}"


def border(above: list[str], row: list[str], width: int) -> str:
    """The line between two rows: drawn where a version opens or closes."""
    line, left = "", False
    for column, (high, low) in enumerate(zip(above, row, strict=True)):
        up = high != (above[column - 1] if column else "")
        down = low != (row[column - 1] if column else "")
        right = high != low
        line += CORNERS[up * 8 + down * 4 + left * 2 + right] + "─ "[not right] * (width - 1)
        left = right
    return line


def texts(above: list[str], row: list[str], shown: dict[str, str], width: int) -> str:
    """The walls of a row, and in each new rectangle what it says."""
    line, left = "", ""
    for high, low in zip(above, row, strict=True):
        wall = "│ " if low != left else "  "
        says = shown[low] if low and low not in (left, high) else ""
        line += (wall + says).ljust(width)
        left = low
    return line


# --- the tests ------------------------------------------------------------------------------------

SECTIONS = sections(PAGE.read_text())


@pytest.mark.parametrize("title", SECTIONS)
def test_the_page_is_true(title: str, tenant: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    Reading(tenant.api_key, monkeypatch).play(SECTIONS[title])


def test_every_verb_has_an_example() -> None:
    played = "".join(b.text for blocks in SECTIONS.values() for b in blocks if b.language == "http")
    for verb in (*VERBS, "erase"):
        assert re.search(rf"/{verb}(\?\S*)?$", played, re.MULTILINE), verb


def test_every_listed_refusal_exists() -> None:
    listed = re.findall(r"^\| `(\w+)` \| (\d+) \|", PAGE.read_text(), re.MULTILINE)
    raised = {(error.code, str(error.status)) for error in errors_below(MemoryHubError)}
    assert listed
    assert set(listed) <= raised


def errors_below(error: type[MemoryHubError]) -> set[type[MemoryHubError]]:
    below = {e for child in error.__subclasses__() for e in errors_below(child)}
    return {error} | below


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"disposition": "stored"', '"disposition": "superseded"'),
        ('"valid_to": null', '"valid_until": null'),
        ("```json 201", "```json 200"),
        ("│ Lyon", "│ Rome"),
        ("┌─", "├─"),
        ("POST /api/v1/memories\n", "POST /api/v1/memory\n"),
    ],
)
def test_a_wrong_page_is_noticed(
    right: str, wrong: str, tenant: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = PAGE.read_text()
    assert right in page
    first = next(iter(sections(page.replace(right, wrong)).values()))
    with pytest.raises(AssertionError):
        Reading(tenant.api_key, monkeypatch).play(first)
