"""Encoding by meaning: the worker does it, the sweeper finds what was missed, no part is lost."""

import pytest
import requests

from recall.chunks import chunks_of
from recall.encoders import encoder
from recall.models import Corpus, Embedding, Term
from recall.tasks import sweep_unindexed
from tenants.context import tenant_context
from tests.cast import Actor, Api
from tests.integration.tools import chunks_encoded, ending, eventually, spawn
from tests.stack import Stack

FILLER = "The committee discussed the budget of the coming year and adjourned without a decision. "
LENGTH = 20_000


def test_the_worker_encodes_what_was_written_over_http(stack: Stack, tenant: Actor) -> None:
    response = requests.post(
        f"{stack.url}/api/v1/memories",
        json={"subject": "alice", "content": "我五月搬到了杭州"},
        headers={"Authorization": f"Bearer {tenant.api_key}"},
        timeout=30,
    )
    memory_id = response.json()["memory"]["id"]
    assert eventually(lambda: chunks_encoded(tenant.tenant_id, memory_id)) == 1
    with tenant_context(tenant.tenant_id):
        row = Embedding.objects.get(version__memory_id=memory_id)
        assert row.encoder == encoder().name
        assert len(row.vector) == encoder().dimensions


def test_a_write_stands_while_the_broker_is_away_and_the_sweeper_finds_it(tenant: Actor) -> None:
    """The acknowledgement does not depend on the nudge, and neither does the search by meaning."""
    script = (
        "import django, sys; django.setup()\n"
        "from ledger.policies import current_policy\n"
        "from ledger.services.remember import remember\n"
        "from ledger.statements import Statement\n"
        "from tenants.context import tenant_context\n"
        "from tenants.credentials import authenticate\n"
        "statement = Statement(content='I moved to Hangzhou')\n"
        "principal = authenticate(sys.argv[1])\n"
        "with tenant_context(principal.tenant_id):\n"
        "    written = remember(principal, subject='alice', statement=statement,\n"
        "                       policy=current_policy())\n"
        "print(written.version.memory_id)"
    )
    away = {"MEMORYHUB_REDIS_URL": "redis://127.0.0.1:1/0"}
    code, out, err = ending(spawn("-c", script, tenant.api_key, **away))
    assert code == 0, err
    assert "the sweeper will find this work" in err
    memory_id = out.strip()
    assert chunks_encoded(tenant.tenant_id, memory_id) == 0
    sweep_unindexed()
    assert eventually(lambda: chunks_encoded(tenant.tenant_id, memory_id)) == 1


def test_a_fact_at_the_very_end_of_the_longest_text_is_found_by_its_meaning(
    api: Api, tenant: Actor
) -> None:
    """L13: the same text without the fact is farther from the question."""
    fact = "My dog is called Biscuit."
    filler = (FILLER * (LENGTH // len(FILLER) + 1))[: LENGTH - len(fact)]
    long = api.write("alice", filler + fact, verbatim=True)["memory"]["id"]
    without = api.write("alice", FILLER * 15, verbatim=True)["memory"]["id"]
    expected = len(chunks_of(filler + fact))
    assert expected > 5
    assert eventually(lambda: chunks_encoded(tenant.tenant_id, long)) == expected
    assert eventually(lambda: chunks_encoded(tenant.tenant_id, without)) == 1

    answer = api.recall("alice", "What name does the speaker's pet have?")
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    meant = {c["memory"]: c["arms"]["vector"] for c in trace["candidates"]}
    assert meant[long]["rank"] == 1
    assert meant[long]["score"] > meant[without]["score"]
    assert answer["memories"][0]["id"] == long


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("I can't stand the sight of blood", "How does she react to injuries?"),
        ("我对花生过敏", "有什么东西她不能吃"),
        ("我对花生过敏", "What must she not eat?"),
    ],
)
def test_what_shares_no_word_with_the_question_is_found_by_its_meaning(
    api: Api, content: str, question: str
) -> None:
    api.write("alice", content)
    answer = api.recall("alice", question)
    assert [m["content"] for m in answer["memories"]] == [content]
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    assert {"vector"} <= set(trace["candidates"][0]["arms"]) <= {"vector", "exact"}


def test_the_words_of_a_text_are_found_at_once_and_by_rarity(api: Api, tenant: Actor) -> None:
    """L1: in Chinese as well; the arm of words does not wait for the worker."""
    api.write("alice", "外币汇率换算工具跑在docker里")
    api.write("alice", "今天天气很好")
    answer = api.recall("alice", "汇率换算")
    trace = api.get(f"/api/v1/recall/{answer['trace']}").json()
    first = trace["candidates"][0]
    assert first["content"] == "外币汇率换算工具跑在docker里"
    assert first["arms"]["lexical"]["rank"] == 1
    assert "lexical" not in trace["candidates"][1]["arms"]
    with tenant_context(tenant.tenant_id):
        corpus = Corpus.objects.get()
        assert corpus.documents == 2
        assert corpus.terms == sum(Term.objects.values_list("frequency", flat=True))
