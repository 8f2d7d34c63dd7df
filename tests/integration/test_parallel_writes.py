"""Writers at once: nothing doubled, nothing lost, and nobody waits for another subject."""

import threading
import uuid
from uuid import UUID

import requests
from django.db import connection

from ledger.models import Entry, Head, Memory, MemoryVersion
from ledger.policies import current_policy
from ledger.services.remember import remember
from ledger.statements import Statement
from ledger.writing import Written
from tenants.context import tenant_context
from tenants.models import Subject, SubjectSecret
from tenants.principals import Principal
from tests.cast import Actor, Api
from tests.integration.test_entry_chain import recomputed
from tests.integration.tools import PATIENCE, connected, eventually, in_threads, superuser_url
from tests.stack import Stack


def say(principal: Principal, subject: str, statement: Statement) -> Written:
    """Write one statement in a transaction of its own."""
    with tenant_context(principal.tenant_id):
        return remember(principal, subject=subject, statement=statement, policy=current_policy())


def counts(tenant_id: UUID) -> dict[str, int]:
    with tenant_context(tenant_id):
        models = (Subject, SubjectSecret, Head, Entry, Memory, MemoryVersion)
        return {model.__name__: model.objects.count() for model in models}


def test_fifty_equal_writes_at_once_are_one_memory_and_one_entry(
    stack: Stack, tenant: Actor
) -> None:
    """C9: over HTTP, from fifty threads, for a subject that does not exist yet."""

    def post(_: int) -> requests.Response:
        return requests.post(
            f"{stack.url}/api/v1/memories",
            json={"subject": "alice", "content": "I moved to Hangzhou"},
            headers={"Authorization": f"Bearer {tenant.api_key}"},
            timeout=PATIENCE,
        )

    answers = in_threads(post, 50)
    assert sorted(a.status_code for a in answers) == [200] * 49 + [201]
    assert len({a.json()["memory"]["id"] for a in answers}) == 1
    assert set(counts(tenant.tenant_id).values()) == {1}


def test_first_writes_of_a_new_subject_at_once_make_one_subject(tenant: Actor) -> None:
    """C10: each of them is kept, in one unbroken chain."""
    principal = tenant.principal

    def first(number: int) -> int:
        statement = Statement(content=f"fact {number}")
        return say(principal, "new", statement).entry.seq

    assert sorted(in_threads(first, 10)) == list(range(1, 11))
    found = counts(tenant.tenant_id)
    assert (found["Subject"], found["SubjectSecret"], found["Head"]) == (1, 1, 1)
    assert (found["Entry"], found["MemoryVersion"]) == (10, 10)
    assert all(stored == again for stored, again in recomputed(tenant.tenant_id, "new"))


def write_in_thread(tenant: Actor, subject: str, mark: str) -> threading.Thread:
    """Start writing about a subject on a connection that carries `mark` as its name."""
    principal = tenant.principal

    def run() -> None:
        try:
            with tenant_context(tenant.tenant_id):
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('application_name', %s, true)", [mark])
                remember(
                    principal,
                    subject=subject,
                    statement=Statement(content=mark),
                    policy=current_policy(),
                )
        finally:
            connection.close()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def is_waiting(mark: str) -> bool:
    """Whether the connection with this name waits for a lock."""
    with connected(superuser_url()) as other:
        found = other.execute(
            "SELECT 1 FROM pg_stat_activity WHERE application_name = %s "
            "AND wait_event_type = 'Lock'",
            [mark],
        )
        return found.fetchone() is not None


def test_only_writers_of_the_same_subject_wait_for_each_other(tenant: Actor) -> None:
    """One holds Alice's lock; Bob's writer, old or new, is done before that; Alice's is not."""
    principal = tenant.principal
    say(principal, "bob", Statement(content="already here"))
    same = uuid.uuid4().hex
    with tenant_context(tenant.tenant_id):
        remember(
            principal, subject="alice", statement=Statement(content="held"), policy=current_policy()
        )
        for subject in ("bob", "carol"):
            other = write_in_thread(tenant, subject, uuid.uuid4().hex)
            other.join(PATIENCE)
            assert not other.is_alive(), f"the writer of {subject} waits"
            assert Entry.objects.filter(subject__external_id=subject).exists()
        waiting = write_in_thread(tenant, "alice", same)
        eventually(lambda: is_waiting(same))
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    assert len(recomputed(tenant.tenant_id, "alice")) == 2


def test_a_recall_during_writes_is_never_empty_and_never_half(api: Api, tenant: Actor) -> None:
    """C14: an old memory is found in every answer, and a change is seen whole or not at all."""
    home = api.write("alice", "Alice lives in Lyon", attribute="home_city")["memory"]["id"]
    stop = threading.Event()

    def keep_writing() -> None:
        own, number = Api(api.credential), 0
        while not stop.is_set():
            number += 1
            own.write("alice", f"Something else, number {number}")
            own.post(f"/api/v1/memories/{home}/change", {"content": f"Alice lives in {number}"})
        connection.close()

    writer = threading.Thread(target=keep_writing)
    writer.start()
    try:
        for _ in range(25):
            answer = api.recall("alice", "Where does Alice live?", top_k=100)
            assert [m["id"] for m in answer["memories"]].count(home) == 1
    finally:
        stop.set()
        writer.join(60)
