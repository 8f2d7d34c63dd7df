"""Nothing starts under a database role that could see past the wall."""

from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from tests.integration.tools import ending, owner_url, spawn, superuser_url

PROGRAMS = {
    "web": ("-c", "import memoryhub.wsgi"),
    "worker": ("-m", "celery", "-A", "memoryhub", "worker", "--pool", "solo"),
    "beat": ("-m", "celery", "-A", "memoryhub", "beat", "--pidfile", "", "--schedule"),
}
CASES = [(program, role) for program in PROGRAMS for role in ("owner", "superuser")]


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple, Popen[str]]]:
    """Every program under every unsafe role, and the web server under the safe one, at once."""
    urls = {"owner": owner_url(), "superuser": superuser_url()}
    folder: Path = tmp_path_factory.mktemp("beat")
    running = {}
    for program, role in CASES:
        words = PROGRAMS[program]
        if program == "beat":
            words = (*words, str(folder / role))
        running[program, role] = spawn(*words, MEMORYHUB_DATABASE_URL=urls[role])
    running["web", "application"] = spawn(*PROGRAMS["web"])
    yield running
    for process in running.values():
        if process.poll() is None:
            process.kill()
            process.communicate()


@pytest.mark.parametrize(("program", "role"), CASES)
def test_it_refuses_to_start_and_says_what_to_do(
    started: dict[tuple, Popen[str]], program: str, role: str
) -> None:
    code, out, err = ending(started[program, role])
    reason = {"owner": "owns MemoryHub's tables", "superuser": "is a superuser"}[role]
    assert code != 0
    assert "MemoryHub does not run as database role" in err
    assert reason in err
    assert "Point MEMORYHUB_DATABASE_URL at a plain LOGIN role." in err
    assert "Traceback" not in out + err
    assert "ready." not in out + err


def test_under_the_application_role_it_starts(started: dict[tuple, Popen[str]]) -> None:
    code, _, err = ending(started["web", "application"])
    assert code == 0, err
