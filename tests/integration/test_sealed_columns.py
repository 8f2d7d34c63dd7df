"""At rest: whatever somebody said is readable in no column, and only where it is promised."""

import json
import uuid

import psycopg

from ledger.models import EntryPayload, MemoryVersion
from recall.models import Term, Trace
from recall.terms import terms_of
from tenants import keys
from tenants.context import tenant_context
from tenants.models import Subject, SubjectSecret
from tests.cast import Actor, Api
from tests.integration.tools import superuser_url


def tables_with(*words: str) -> dict[str, set[str]]:
    """For each word, the tables in which some row shows it, seen as the superuser."""
    found: dict[str, set[str]] = {word: set() for word in words}
    with psycopg.connect(superuser_url()) as server:
        names = server.execute("SELECT relname FROM pg_stat_user_tables").fetchall()
        for (name,) in names:
            for word in words:
                hexes = [word.encode(code).hex() for code in ("utf-8", "utf-16-le")]
                row = server.execute(
                    f'SELECT 1 FROM "{name}" AS t WHERE t::text ILIKE ANY(%s) LIMIT 1',
                    [[f"%{form}%" for form in (word, *hexes)]],
                ).fetchone()
                if row:
                    found[word].add(name)
    return found


def test_words_are_in_no_column_and_labels_where_they_are_promised(api: Api, tenant: Actor) -> None:
    marks = {
        name: f"{name}{uuid.uuid4().hex}"
        for name in ("content", "value", "query", "subject", "attribute", "label")
    }
    api.write(
        marks["subject"],
        f"said {marks['content']}",
        value=marks["value"],
        attribute=marks["attribute"],
        metadata={"label": marks["label"]},
    )
    api.recall(marks["subject"], marks["query"])
    tables = tables_with(*marks.values())
    assert {name: tables[mark] for name, mark in marks.items()} == {
        "content": set(),
        "value": set(),
        "query": set(),
        "subject": {"tenants_subject", "tenants_accessevent"},
        "attribute": {"ledger_entry", "ledger_memoryversion"},
        "label": {"ledger_memoryversion"},
    }


def test_terms_are_numbers_that_differ_between_subjects(api: Api, tenant: Actor) -> None:
    for subject in ("alice", "bob"):
        api.write(subject, "I like green tea")
    with tenant_context(tenant.tenant_id):
        terms = {
            subject: set(
                Term.objects.filter(subject__external_id=subject).values_list("term", flat=True)
            )
            for subject in ("alice", "bob")
        }
    assert len(terms["alice"]) == len(terms["bob"]) == len(set(terms_of("I like green tea")))
    assert not terms["alice"] & terms["bob"]


def test_sealed_columns_open_with_the_subjects_key_in_their_own_row_only(
    api: Api, tenant: Actor
) -> None:
    api.write("alice", "I like tea", value="tea")
    api.recall("alice", "What does she drink?")
    with tenant_context(tenant.tenant_id):
        subject = Subject.objects.get()
        cipher = keys.cipher_for(subject)
        version, payload, trace = (
            model.objects.get() for model in (MemoryVersion, EntryPayload, Trace)
        )
        assert json.loads(cipher.open(version.id, version.sealed))["content"] == "I like tea"
        words = json.loads(cipher.open(payload.id, payload.sealed))["words"]
        assert (words["content"], words["value"]) == ("I like tea", "tea")
        assert json.loads(cipher.open(trace.id, trace.sealed))["query"] == "What does she drink?"


def test_the_data_key_itself_lies_encrypted(api: Api, tenant: Actor) -> None:
    api.write("alice", "I like tea")
    with tenant_context(tenant.tenant_id):
        secret = SubjectSecret.objects.get()
        wrapped = secret.wrapped_key
    with psycopg.connect(superuser_url()) as server:
        row = server.execute(
            "SELECT wrapped_key FROM tenants_subjectsecret WHERE id = %s", [secret.id]
        ).fetchone()
    assert row is not None
    assert wrapped.startswith(keys.MARK)
    assert row[0].startswith("gAAAA")
    assert keys.MARK not in row[0]
