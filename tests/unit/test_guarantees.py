"""The documents name tests that exist."""

import ast
import re
from pathlib import Path

import pytest

from tests.stack import ROOT

NAMED = re.compile(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`")


def named_in(document: str) -> list[tuple[str, str]]:
    return NAMED.findall((ROOT / document).read_text("utf-8"))


@pytest.mark.parametrize("document", ["docs/GUARANTEES.md"])
def test_every_test_that_a_document_names_exists(document: str) -> None:
    named = named_in(document)
    assert named
    for file, function in named:
        path = Path(ROOT, file)
        assert path.is_file(), file
        defined = {
            node.name
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.FunctionDef)
        }
        assert not function or function in defined, f"{file}::{function}"


def test_every_promise_names_a_test() -> None:
    rows = [
        line
        for line in (ROOT / "docs/GUARANTEES.md").read_text("utf-8").splitlines()
        if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
    ]
    assert rows
    assert [row for row in rows if not NAMED.search(row)] == []
