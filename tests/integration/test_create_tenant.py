"""manage.py create_tenant: a tenant and a key that works, and JSON that a program can read."""

import json
import uuid
from io import StringIO
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from tenants.credentials import authenticate
from tenants.principals import ALL_SCOPES
from tests.cast import Api
from tests.integration.tools import ending, spawn


def name() -> str:
    return f"tenant {uuid.uuid4().hex}"


def test_json_is_one_object_with_tenant_and_key_and_nothing_else_is_printed() -> None:
    code, out, err = ending(spawn("manage.py", "create_tenant", name(), "--json"))
    assert code == 0, err
    made = json.loads(out)
    assert set(made) == {"tenant", "api_key"}
    principal = authenticate(made["api_key"])
    assert principal.tenant_id == UUID(made["tenant"])
    assert principal.scopes == ALL_SCOPES
    assert Api(made["api_key"]).write("alice", "I like tea")["disposition"] == "stored"


def test_for_people_it_says_that_the_key_is_kept_nowhere() -> None:
    out = StringIO()
    call_command("create_tenant", name(), stdout=out)
    assert "API key" in out.getvalue()
    assert "store it now" in out.getvalue()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("", "1 to 120 printable characters"),
        ("   ", "1 to 120 printable characters"),
        ("x" * 121, "1 to 120 printable characters"),
        ("a\x00b", "1 to 120 printable characters"),
        ("a\nb", "1 to 120 printable characters"),
    ],
)
def test_a_name_that_cannot_be_shown_is_refused(given: str, says: str) -> None:
    with pytest.raises(CommandError, match=says):
        call_command("create_tenant", given)


def test_a_name_that_is_taken_is_refused() -> None:
    taken = name()
    call_command("create_tenant", taken, stdout=StringIO())
    with pytest.raises(CommandError, match="There is a tenant called"):
        call_command("create_tenant", f" {taken} ", stdout=StringIO())
