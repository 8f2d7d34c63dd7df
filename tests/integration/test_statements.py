"""Statements by hand keep what Django's own would: the tenant, its errors, and the role's wall."""

import uuid
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection

from tenants import apps, clock
from tenants.context import tenant_context
from tenants.errors import CrossTenant, NoTenant
from tenants.models import AccessEvent
from tenants.services import open_subject
from tenants.statements import insert, one_row, one_value
from tests.cast import Actor, Api, new_tenant
from tests.integration.tools import superuser_url

OWN = "SELECT count(*) FROM tenants_subject WHERE tenant_id = %(tenant)s"
ALL = "SELECT count(DISTINCT tenant_id) FROM tenants_subject WHERE %(tenant)s IS NOT NULL"


def event(tenant_id: uuid.UUID | None = None) -> AccessEvent:
    return AccessEvent(tenant_id=tenant_id, at=clock.now(), actor="a", action="b", outcome="c")


def test_outside_a_tenant_nothing_is_read_and_nothing_inserted(tenant: Actor) -> None:
    with pytest.raises(NoTenant):
        one_row(OWN)
    with pytest.raises(NoTenant):
        insert(event(tenant.tenant_id))


def test_the_wall_holds_for_them_too(api: Api, tenant: Actor) -> None:
    api.post("/api/v1/memories", {"subject": "alice", "content": "I live in Oslo"})
    stranger = new_tenant(f"stranger {uuid.uuid4().hex}")
    with tenant_context(tenant.tenant_id):
        assert (one_value(OWN), one_value(ALL)) == (1, 1)
    with tenant_context(stranger.tenant_id):
        assert (one_value(OWN), one_value(ALL)) == (0, 0)


def test_a_row_of_another_tenant_is_not_inserted(tenant: Actor) -> None:
    with tenant_context(tenant.tenant_id), pytest.raises(CrossTenant):
        insert(event(uuid.uuid4()))


def test_what_was_inserted_is_saved_like_any_other_row(tenant: Actor) -> None:
    with tenant_context(tenant.tenant_id):
        made = event()
        insert(made)
        assert AccessEvent.objects.get(id=made.id).action == "b"
        assert not made._state.adding


def kill_own_connection() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    with psycopg.connect(superuser_url(), autocommit=True) as superuser:
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])


def test_a_database_that_breaks_off_is_djangos_error(tenant: Actor) -> None:
    def read_without_a_server() -> None:
        with tenant_context(tenant.tenant_id):
            kill_own_connection()
            one_row(OWN)

    with pytest.raises(OperationalError):
        read_without_a_server()
    connection.close()


def test_a_request_that_loses_its_connection_is_told_to_come_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any, **parameters: Any) -> Any:
        kill_own_connection()
        return one_row(*args, **parameters)

    monkeypatch.setattr(open_subject, "one_row", broken)
    response = api.post("/api/v1/recall", {"subject": "alice", "query": "Where do I live?"})
    assert (response.status_code, response.json()["error"]["code"]) == (503, "unavailable")
    connection.close()


def test_a_role_is_looked_at_when_a_connection_is_new_and_again_after_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Lent:
        alias = "default"

    class Physical:
        """What the pool lends, again and again."""

    looked: list[Any] = []
    monkeypatch.setattr("tenants.isolation.require_safe_role", looked.append)
    lent, now = Lent(), [100.0]
    lent.connection = Physical()  # type: ignore[attr-defined]
    monkeypatch.setattr(apps.time, "monotonic", lambda: now[0])
    for moment in (100.0, 101.0, 159.0, 161.0, 162.0):
        now[0] = moment
        apps.refuse_unsafe_role(connection=lent)
    assert len(looked) == 2


@pytest.mark.parametrize("languages", [("zh-hans", "en"), ("en", "zh-hans")])
def test_each_caller_is_told_what_is_wrong_in_their_own_language(
    api: Api, languages: tuple[str, str]
) -> None:
    """A field keeps the message that it gave first, so that fields are one language's."""
    told = {}
    for language in (*languages, languages[0]):
        api.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        refused = api.post("/api/v1/memories", {"subject": "x" * 300, "content": "I live in Oslo"})
        told[language] = refused.json()["error"]["message"]
    assert "255" in told["en"]
    assert told["en"].isascii()
    assert not told["zh-hans"].isascii()
