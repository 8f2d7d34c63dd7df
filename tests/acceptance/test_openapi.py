"""The API keeps to its own schema, whatever is sent, for two tenants at once."""

import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cast import Actor, Api, new_tenant
from tests.sayings import saying
from tests.stack import Stack

SECONDS = 120
# What the schema allows and the service refuses: a period that ends before it begins, invisible
# ids, a list by entry number without its subject. No schema can say so.
BEYOND_SCHEMA = "positive_data_acceptance"
# The phases of each run; both make up requests, valid and invalid.
PHASES = {"alice": "coverage,fuzzing", "charlie": "fuzzing,stateful"}


@dataclass
class Run:
    """One run with one tenant's key; `secret` is in that tenant's memories only."""

    process: subprocess.Popen[str]
    secret: str
    traffic: Path


@pytest.fixture(scope="module")
def runs(stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Run]]:
    """Both runs at once, under ids that both tenants have."""
    found = {}
    for name, phases in PHASES.items():
        actor: Actor = new_tenant(f"{name} {uuid.uuid4().hex}")
        secret = saying()
        for subject in ("0", "alice"):
            Api(actor.api_key).write(subject, f"I keep bees near {secret}", verbatim=True)
        folder = tmp_path_factory.mktemp(name)
        traffic = folder / "traffic.har"
        found[name] = Run(_start(stack, actor, phases, traffic), secret, traffic)
    yield found
    for run in found.values():
        if run.process.poll() is None:
            run.process.kill()
            run.process.communicate()


def _start(stack: Stack, actor: Actor, phases: str, traffic: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            *(str(Path(sys.executable).with_name("schemathesis")), "run"),
            f"{stack.url}/api/schema",
            *("--header", f"Authorization: Bearer {actor.api_key}"),
            *("--phases", phases, "--max-examples", "25", "--generation-deterministic"),
            *("--checks", "all", "--exclude-checks", BEYOND_SCHEMA, "--continue-on-failure"),
            *("--report", "har", "--report-har-path", str(traffic)),
            *("--no-color", "--warnings", "off", "--request-timeout", "30"),
        ],
        cwd=traffic.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.mark.parametrize("name", PHASES)
def test_no_request_gets_an_answer_that_the_schema_does_not_describe(
    runs: dict[str, Run], name: str
) -> None:
    """No 500, no undocumented status or body, nothing that breaks the schema accepted."""
    said, _ = runs[name].process.communicate(timeout=SECONDS)
    assert runs[name].process.returncode == 0, said
    assert "No issues found" in said


@pytest.mark.parametrize(("name", "other"), [("alice", "charlie"), ("charlie", "alice")])
def test_no_request_brings_back_what_is_another_tenants(
    runs: dict[str, Run], name: str, other: str
) -> None:
    runs[name].process.wait(SECONDS)
    traffic = runs[name].traffic.read_text()
    assert runs[name].secret in traffic
    assert runs[other].secret not in traffic
