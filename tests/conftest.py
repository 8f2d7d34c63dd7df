"""One real stack for the whole run, Django on the same database in this process, and the cast."""

import os
import secrets
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.stack import TEST_LIMITS, Stack, temporary_stack

if TYPE_CHECKING:
    # At run time these wait until Django is set up.
    from tests.cast import Actor, Api, Cast

_stack: Stack


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Start the stack before any test module is imported: settings need its addresses.

    MEMORYHUB_TEST_STACK names the data folder of a stack that runs already, to save the start.
    """
    global _stack
    _choose_seed(config)
    running = os.environ.get("MEMORYHUB_TEST_STACK")
    if running:
        _stack = Stack(Path(running), port=int(os.environ.get("PORT", "8000")))
    else:
        _stack = temporary_stack()
        try:
            _stack.start()
        except RuntimeError as error:
            raise pytest.UsageError(str(error)) from error
    os.environ |= TEST_LIMITS | {
        "MEMORYHUB_DATA_DIR": str(_stack.data_dir),
        "DJANGO_SETTINGS_MODULE": "memoryhub.settings",
    }
    import django
    from django.test.utils import setup_test_environment

    django.setup()
    setup_test_environment()


def _choose_seed(config: pytest.Config) -> None:
    """Choose the seed of the tests with made-up data, so that the run can say it."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = str(secrets.randbelow(2**32))


def pytest_report_header(config: pytest.Config) -> str:
    return f"seed of made-up data: --hypothesis-seed={config.option.hypothesis_seed}"


def pytest_unconfigure(config: pytest.Config) -> None:
    from django.conf import settings
    from django.db import connections

    if not settings.configured:
        return

    for connection in connections.all(initialized_only=True):
        connection.close()
        if getattr(connection, "pool", None):
            connection.close_pool()
    if _stack.process is not None:
        _stack.stop()
        _stack.remove()


@pytest.fixture(scope="session")
def stack() -> Stack:
    return _stack


@pytest.fixture(scope="session")
def cast() -> "Cast":
    """Alice owns, Bob is on her team, Charlie is in another tenant and must see nothing."""
    from tests.cast import make_cast

    return make_cast()


@pytest.fixture
def tenant() -> "Actor":
    """A tenant of the test's own: no test sees another's rows, so nothing needs cleaning up."""
    from tests.cast import new_tenant

    return new_tenant(f"test {uuid.uuid4().hex}")


@pytest.fixture
def api(tenant: "Actor") -> "Api":
    """The REST API as that tenant's agent."""
    from tests.cast import Api

    return Api(tenant.api_key)
